/** Finds a device for a run: this one if it made the run and may keep it, else the best of all. */
import {
  type Candidate,
  choose,
  type Decision,
  type DeviceId,
  failedGates,
  type GateCode,
  type RunNeeds,
} from '../../protocol/index.js'
import { candidates, loadOfLocal, ownCandidate } from './candidates.js'
import type { RunOffer } from './config.js'
import { isRoomComing, ownVictim, wouldMakeRoom } from './preempt.js'
import type { EngineState } from './state.js'

export type Placement =
  | { readonly type: 'self' }
  | { readonly type: 'other'; readonly device: DeviceId }
  /** A run of lower priority here has to make room first. */
  | { readonly type: 'preempt' }
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
  const placement = findPlace(state, needs, forgiving, except)
  if (state.onPlaced !== null) state.onPlaced(needs, placement)
  return placement
}

function findPlace(
  state: EngineState,
  needs: RunNeeds,
  forgiving: Forgiving,
  except: DeviceId | null,
): Placement {
  if (isFullAlone(state, needs.type)) return { type: 'full' }
  const isOwn = needs.creator === state.me && !needs.coordinator
  const own = ownFaults(state, needs)
  if (isOwn && except !== state.me && own.length === 0) return { type: 'self' }
  const decision = decide(state, needs, own, except)
  const placed = taken(state, decision)
  if (placed !== null) return placed
  for (const level of levelsOf(needs, forgiving)) {
    const milder = { ...needs, exclusions: keptAt(needs, level) }
    const forgiven = taken(state, decide(state, milder, ownFaults(state, milder), except))
    if (forgiven !== null) return forgiven
  }
  return roomFor(state, needs, own, decision)
}

/** Known without looking closer, and the common case of a long line: there is nobody else, and no slot here. */
function isFullAlone({ group, me, local, used, usedByType, holdings }: EngineState, type: string): boolean {
  const atOnce = local?.handles.get(type) ?? 0
  if (local === null || atOnce === 0 || group.members.size !== 1 || !group.members.has(me)) return false
  const isFull = used >= local.slots || (usedByType.get(type) ?? 0) >= atOnce
  return isFull && (holdings.of(me)?.preemptible ?? 0) === 0
}

function levelsOf({ exclusions }: RunNeeds, forgiving: Forgiving): readonly Exclude<Forgiving, 'nothing'>[] {
  if (exclusions.length === 0) return []
  return forgiving === 'all' ? ['failures', 'all'] : forgiving === 'failures' ? ['failures'] : []
}

function keptAt({ exclusions }: RunNeeds, level: Forgiving): RunNeeds['exclusions'] {
  return level === 'all' ? [] : exclusions.filter(({ why }) => why !== 'failed')
}

function taken(state: EngineState, decision: Choice): Placement | null {
  if (decision.winner === null) return null
  if (decision.winner === state.me) return { type: 'self' }
  return { type: 'other', device: decision.winner }
}

/** What is used of the chooser's decision. */
type Choice = Pick<Decision, 'winner' | 'candidates'>

const NOBODY: Choice = { winner: null, candidates: [] }

/** The chooser's decision. This device is a candidate only if it would say yes: it can ask itself. */
function decide(
  state: EngineState,
  needs: RunNeeds,
  own: readonly OwnFault[],
  except: DeviceId | null,
): Choice {
  const unwilling = own.length > 0
  // Alone in its group, a device that is full asks nobody.
  if (unwilling && state.group.members.size === 1 && state.group.members.has(state.me)) return NOBODY
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
function roomFor(state: EngineState, needs: RunNeeds, own: readonly OwnFault[], decision: Choice): Placement {
  const isFullHere = own.length > 0 && own.every(({ code }) => code === 'NO_SLOT')
  if (isRoomComing(state, needs)) return { type: 'full' }
  if (isFullHere && ownVictim(state, needs) !== null) return { type: 'preempt' }
  const full = decision.candidates.filter(({ gates }) => gates.every(({ code }) => code === 'NO_SLOT'))
  const other = full.find(({ device }) => wouldMakeRoom(state, device, needs.priority))
  if (other !== undefined) return { type: 'other', device: other.device }
  return isFullHere || full.length > 0 ? { type: 'full' } : { type: 'nobody' }
}
