/** Finds a device for a run: this one if it made the run and may keep it, else the best of all. */
import {
  type Candidate,
  choose,
  type Decision,
  type DeviceId,
  failedGates,
  type GateCode,
  type RunNeeds,
  type RunView,
} from '../../protocol/index.js'
import { candidates, loadOfLocal, ownCandidate } from './candidates.js'
import type { RunOffer } from './config.js'
import type { EngineState, Tracked } from './state.js'

export type Placement =
  | { readonly type: 'self' }
  | { readonly type: 'other'; readonly device: DeviceId; readonly decision: Decision }
  /** A run of lower priority here has to make room first. */
  | { readonly type: 'preempt'; readonly victim: Tracked }
  /** Devices could take it if they had a slot. */
  | { readonly type: 'full' }
  | { readonly type: 'nobody' }

/** Why this device does not take a run: a gate, or its own say. */
export interface OwnFault {
  readonly code: GateCode | 'OVERLOADED' | 'UNWILLING'
  readonly sentence: string
}

/** How much is forgiven: nothing, failures (somebody has to try again), or refusals too (it was asked a while ago). */
export type Forgiving = 'nothing' | 'failures' | 'all'

/** Why this device cannot, or will not, take a run now; empty if it takes it. */
export function ownFaults(state: EngineState, needs: RunNeeds, attempt = 1): readonly OwnFault[] {
  const own = ownCandidate(state, needs.type)
  if (own === null) return [{ code: 'NO_HANDLER', sentence: 'It is not ready yet.' }]
  const failed = failedGates(inputOf(state, needs, []), own, state.config.choose)
  if (failed.length > 0) return failed
  const atOnce = state.local?.handles.get(needs.type) ?? 0
  const running = state.usedByType.get(needs.type) ?? 0
  if (running >= atOnce) {
    const sentence = `It runs ${running} of “${needs.type}” already, as many as it may at once.`
    return [{ code: 'NO_SLOT', sentence }]
  }
  return state.local !== null && loadOfLocal(state.local) >= 1
    ? [{ code: 'OVERLOADED', sentence: 'It is overloaded.' }]
    : willingness(state, needs, attempt)
}

/** What the app's own policy says. A policy that throws takes nothing. */
function willingness(state: EngineState, needs: RunNeeds, attempt: number): readonly OwnFault[] {
  const offer: RunOffer = {
    run: needs.run,
    type: needs.type,
    project: needs.project ?? null,
    priority: needs.priority,
    creator: needs.creator,
    attempt,
    requires: needs.requires,
    privacy: needs.privacy,
    active: state.used,
    slots: state.local?.slots ?? 0,
  }
  let answer: unknown
  try {
    answer = state.config.willing(offer)
  } catch {
    answer = 'its policy failed'
  }
  if (answer === true) return []
  const why = typeof answer === 'string' && answer !== '' ? answer : 'its policy says no'
  return [{ code: 'UNWILLING', sentence: `It is not willing: ${why}.` }]
}

export function placementFor(
  state: EngineState,
  needs: RunNeeds,
  forgiving: Forgiving = 'nothing',
  except: DeviceId | null = null,
): Placement {
  const isOwn = needs.creator === state.me && !needs.coordinator
  if (isOwn && except !== state.me && ownFaults(state, needs).length === 0) return { type: 'self' }
  const decision = decide(state, needs, except)
  const placed = taken(state, decision)
  if (placed !== null) return placed
  for (const level of levelsOf(forgiving)) {
    const forgiven = taken(state, decide(state, { ...needs, exclusions: keptAt(needs, level) }, except))
    if (forgiven !== null) return forgiven
  }
  return roomFor(state, needs, decision)
}

function levelsOf(forgiving: Forgiving): readonly Exclude<Forgiving, 'nothing'>[] {
  return forgiving === 'all' ? ['failures', 'all'] : forgiving === 'failures' ? ['failures'] : []
}

function keptAt({ exclusions }: RunNeeds, level: Forgiving): RunNeeds['exclusions'] {
  return level === 'all' ? [] : exclusions.filter(({ why }) => why !== 'failed')
}

function taken(state: EngineState, decision: Decision): Placement | null {
  if (decision.winner === null) return null
  if (decision.winner === state.me) return { type: 'self' }
  return { type: 'other', device: decision.winner, decision }
}

/** The chooser's decision. This device is a candidate only if it would say yes: it can ask itself. */
export function decide(state: EngineState, needs: RunNeeds, except: DeviceId | null = null): Decision {
  const unwilling = ownFaults(state, needs).length > 0
  const all = candidates(state, needs.type).filter(
    ({ device }) => device !== except && !(device === state.me && unwilling),
  )
  return choose(inputOf(state, needs, all), state.config.choose)
}

function inputOf(state: EngineState, run: RunNeeds, all: readonly Candidate[]): Parameters<typeof choose>[0] {
  return {
    group: state.config.group,
    run,
    candidates: all,
    nowMs: state.now.wallMs,
    membershipChangedAt: state.membershipChangedAt,
  }
}

/** Nobody has room: somebody less urgent may make some; or it waits for a slot, or for a device. */
function roomFor(state: EngineState, needs: RunNeeds, decision: Decision): Placement {
  const own = ownFaults(state, needs)
  const isFullHere = own.length > 0 && own.every(({ code }) => code === 'NO_SLOT')
  if (isFullHere && state.preempting.size === 0) {
    const victim = victimOf(state, state.me, needs.priority)
    if (victim?.work != null && victim.work.stopping === null) return { type: 'preempt', victim }
  }
  const full = decision.candidates.filter(({ gates }) => gates.every(({ code }) => code === 'NO_SLOT'))
  const other = full.find(({ device }) => victimOf(state, device, needs.priority) !== null)
  if (other !== undefined) return { type: 'other', device: other.device, decision }
  return isFullHere || full.length > 0 ? { type: 'full' } : { type: 'nobody' }
}

/** The least urgent run of a device that may be preempted for one of this priority; of equals the latest. */
export function victimOf(state: EngineState, device: DeviceId, priority: number): Tracked | null {
  let victim: Tracked | null = null
  for (const held of state.holdings.of(device)?.runs ?? []) {
    const { view } = held
    if (view.created.preemptible !== true || view.priority >= priority || view.state === 'assigned') continue
    if (victim === null || isLess(view, victim.view)) victim = held
  }
  return victim
}

function isLess(a: RunView, b: RunView): boolean {
  if (a.priority !== b.priority) return a.priority < b.priority
  return (a.assignment?.startedAt ?? 0) > (b.assignment?.startedAt ?? 0)
}
