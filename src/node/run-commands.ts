/** What a person's commands amount to: who may give them, and what is then written. */
import {
  type CandidateVerdict,
  type DeviceId,
  type Draft,
  type Member,
  needsOf,
  type RunView,
  roleAt,
  waitingFor,
} from '../../protocol/index.js'
import { type EngineState, evaluate } from '../engine/index.js'
import { assignedDraft } from '../engine/records.js'
import type { Core } from './core.js'
import { CapacityError, NodeError, OwnershipError, RunError } from './errors.js'

/** What an observer writes about runs has no effect: it is told so, rather than left to wonder. Throws `NOT_A_MEMBER`. */
export function checkMayWrite({ engine }: Core): void {
  if (roleAt(engine.group.members.get(engine.me), Number.MAX_SAFE_INTEGER) !== 'observer') return
  throw new NodeError(
    'NOT_A_MEMBER',
    'This device is an observer: it sees all, and writes nothing about runs. Nothing was written.',
    { role: 'observer' },
  )
}

export function mayApprove(member: Member | undefined, { created }: RunView, device: DeviceId): boolean {
  const policy = created.approval ?? 'members'
  const role = roleAt(member, Number.MAX_SAFE_INTEGER)
  if (policy === 'members') return role === 'admin' || role === 'member'
  return policy === 'admins' ? role === 'admin' : policy.includes(device)
}

/** An assignment by hand: to the device that is named, or to the best other one. */
export function manualDraft(core: Core, view: RunView, to: DeviceId | undefined): Draft<'assigned'> {
  const { engine } = core
  const waiting = waitingFor(view, engine.now.wallMs)
  if (waiting?.reason === 'approval') {
    throw new OwnershipError(
      'APPROVAL_REQUIRED',
      `The run ${view.run} needs an approval first. Nothing was written.`,
      { run: view.run },
    )
  }
  if (waiting?.reason === 'not_before') {
    throw new RunError(
      'NOT_YET',
      `The run ${view.run} may not begin before ${waiting.until}. Nothing was written.`,
      { run: view.run, notBefore: waiting.until },
    )
  }
  return assignedDraft(view, to === undefined ? bestOther(engine, view) : checked(engine, view, to), 'manual')
}

function bestOther(engine: EngineState, view: RunView): DeviceId {
  const needs = needsOf(view, engine.now.wallMs)
  const { candidates } = evaluate(engine, { ...needs, exclusions: [] })
  const held = view.assignment?.givenUp === null ? view.assignment.device : null
  const best = candidates.find(({ device, score }) => score !== null && device !== held)
  if (best === undefined) throw nobody(view, candidates)
  return best.device
}

/** A person may give a run to a device that is busy or was refused before, but not to one that cannot do it. */
function checked(engine: EngineState, view: RunView, to: DeviceId): DeviceId {
  const { candidates } = evaluate(engine, { ...needsOf(view, engine.now.wallMs), exclusions: [] })
  const verdict = candidates.find(({ device }) => device === to)
  const inTheWay = verdict?.gates.filter(({ code }) => !PASSING.has(code)) ?? []
  if (verdict === undefined || inTheWay.length > 0)
    throw nobody(view, verdict === undefined ? [] : [{ ...verdict, gates: inTheWay }])
  return to
}

/** Gates that pass with time. */
const PASSING: ReadonlySet<string> = new Set(['NO_SLOT', 'CIRCUIT_OPEN', 'EXCLUDED', 'LOW_BATTERY'])

function nobody(view: RunView, candidates: readonly CandidateVerdict[]): CapacityError {
  return new CapacityError(
    'NO_CAPABLE_DEVICE',
    `No device can take the run ${view.run} now. Nothing was written; \`explain()\` says why each cannot.`,
    { run: view.run, candidates },
  )
}
