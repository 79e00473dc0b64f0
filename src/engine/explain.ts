/** Why a run is where it is, and what comes next: in sentences, and as data. */
import {
  type CandidateVerdict,
  choose,
  type Decision,
  type DeviceId,
  isTerminal,
  needsOf,
  type RunId,
  type RunNeeds,
  type RunView,
  type Waiting,
  waitingFor,
} from '../../protocol/index.js'
import { candidates } from './candidates.js'
import { type OwnFault, ownFaults } from './place.js'
import { type EngineState, responsibleFor, timeoutOf } from './state.js'

export interface Explanation {
  readonly run: RunId
  readonly state: RunView['state']
  /** For people, in order: where it is, why, what happens next. */
  readonly sentences: readonly string[]
  readonly waiting: Waiting | null
  readonly owner: {
    readonly device: DeviceId
    readonly name: string
    /** Milliseconds since 1970. */
    readonly since: number
    /** Milliseconds since its last beacon; null if none was heard. 0 for this device. */
    readonly heardMs: number | null
  } | null
  /** Who would be chosen now, each candidate with its gates and score. Null once it has ended. */
  readonly decision: Decision | null
  /** What this device would say itself, beyond the gates: its policy, its load. */
  readonly own: readonly OwnFault[]
}

/** A dry run of the choice: who would get it now, and why not the others. */
export function evaluate(state: EngineState, needs: RunNeeds): Decision {
  return choose(
    {
      group: state.config.group,
      run: needs,
      candidates: candidates(state, needs.type),
      nowMs: state.now.wallMs,
      membershipChangedAt: state.membershipChangedAt,
      ...(needs.creator === state.me && {
        local: { device: state.me, willing: ownFaults(state, needs).length === 0 },
      }),
    },
    state.config.choose,
  )
}

export function explain(state: EngineState, view: RunView): Explanation {
  const needs = needsOf(view, state.now.wallMs)
  const isOpen = !isTerminal(view.state)
  const decision = isOpen ? evaluate(state, needs) : null
  const waiting = waitingFor(view, state.now.wallMs)
  return {
    run: view.run,
    state: view.state,
    sentences: [
      whereItIs(state, view),
      ...history(state, view),
      ...(waiting === null ? [] : [waiting.sentence]),
      ...nextStep(state, view, waiting),
      ...(decision === null ? [] : [`If it were given away now: ${decision.sentence}`]),
      ...(decision === null ? [] : decision.candidates.flatMap((verdict) => whyNot(state, verdict))),
    ],
    waiting,
    owner: ownerOf(state, view),
    decision,
    own: isOpen ? ownFaults(state, needs) : [],
  }
}

function nameOf(state: EngineState, device: DeviceId): string {
  if (device === state.me) return `${state.local?.name ?? device} (this device)`
  return state.group.profiles.get(device)?.name ?? device
}

function ownerOf(state: EngineState, { assignment }: RunView): Explanation['owner'] {
  if (assignment === null) return null
  const { device, assignedAt, claimedAt } = assignment
  const peer = state.peers.get(device)
  const heardMs =
    device === state.me ? 0 : peer?.beacon == null ? null : Math.round(state.now.monoMs - peer.heardMs)
  return { device, name: nameOf(state, device), since: claimedAt ?? assignedAt, heardMs }
}

function whereItIs(state: EngineState, view: RunView): string {
  const { assignment } = view
  const who = assignment === null ? '' : nameOf(state, assignment.device)
  switch (view.state) {
    case 'created':
      return `It has waited for a first device for ${ago(state, view.createdAt)}.`
    case 'assigned':
      return `It was given to ${who} ${ago(state, assignment?.assignedAt ?? 0)} ago, which has not answered yet.`
    case 'claimed':
      return `${who} took it ${ago(state, assignment?.claimedAt ?? 0)} ago and has not begun.`
    case 'processing':
      return `${who} has been working on it for ${ago(state, assignment?.startedAt ?? 0)}, attempt ${assignment?.attempt} of ${view.attemptsAllowed}.`
    case 'reassigning':
      return `${who} ${gaveUp(assignment)}. It waits for another device.`
    case 'completed':
      return `${nameOf(state, view.result?.device ?? '')} completed it ${ago(state, view.result?.at ?? 0)} ago.`
    case 'failed':
      return `It failed ${ago(state, view.error?.at ?? 0)} ago: ${view.error?.code}: ${view.error?.message}`
    case 'cancelled':
      return `${nameOf(state, view.cancelled?.by ?? '')} cancelled it ${ago(state, view.cancelled?.at ?? 0)} ago${view.cancelled?.reason == null ? '' : `: ${view.cancelled.reason}`}.`
  }
}

/** Of a refusal the code says the same as the sentence that follows it. */
function gaveUp(assignment: RunView['assignment']): string {
  const { reason, detail } = assignment?.givenUp ?? { reason: 'released', detail: '' }
  const said = reason === 'declined' ? detail.replace(/^[A-Z_]+: /, '') : detail
  return `gave it up (${reason}): ${said.replace(/\.$/, '')}`
}

function history(state: EngineState, { previousAssignments }: RunView): readonly string[] {
  return previousAssignments
    .slice(-5)
    .map(
      ({ device, reason, detail }) =>
        `Before, ${nameOf(state, device)} had it: ${reason}${detail === null ? '' : ` (${detail})`}.`,
    )
}

function nextStep(state: EngineState, view: RunView, waiting: Waiting | null): readonly string[] {
  if (isTerminal(view.state)) return []
  const tracked = state.runs.get(view.run)
  if (waiting?.until != null) return [`It goes on by itself in ${seconds(waiting.until - state.now.wallMs)}.`]
  if (waiting !== null) {
    if (waiting.reason !== 'no_device') return []
    const who = responsibleFor(view)
    const turn = `${nameOf(state, who)} places it as soon as a device can take it`
    return state.peers.isLive(who, state.now)
      ? [`${turn}.`]
      : [`${turn}; it is not heard of, so the coordinator does.`]
  }
  const device = view.assignment?.device
  if (device === undefined || device === state.me) return []
  const silentMs = state.peers.ageOf(device, state.now)
  const timeoutMs = timeoutOf(view)
  const heard = `${nameOf(state, device)} was last heard ${seconds(silentMs)} ago`
  if (tracked?.overdueMs != null) return [`${heard}; it is overdue, and another device is being chosen.`]
  return [`${heard}; after ${seconds(timeoutMs)} of silence another device takes over.`]
}

function whyNot(state: EngineState, { device, gates, score }: CandidateVerdict): readonly string[] {
  const name = nameOf(state, device)
  if (score !== null) return [`${name}: ${(score / 1000).toFixed(1)} points.`]
  return [`${name} cannot: ${gates.map(({ sentence }) => sentence).join(' ')}`]
}

function ago(state: EngineState, atMs: number): string {
  return seconds(Math.max(0, state.now.wallMs - atMs))
}

function seconds(ms: number): string {
  if (ms < 60_000) return `${(Math.max(0, ms) / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  return ms < 86_400_000 ? `${(ms / 3_600_000).toFixed(1)} h` : `${(ms / 86_400_000).toFixed(1)} days`
}
