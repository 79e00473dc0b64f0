/** Runs without an owner: when they may be given to somebody, by whom, and to whom. */
import {
  type AssignReason,
  type Draft,
  needsOf,
  type RunNeeds,
  type RunView,
  waitingFor,
} from '../../protocol/index.js'
import { MAX_NO_DEVICE_BACKOFF_MS, NO_DEVICE_BACKOFF_MS } from './constants.js'
import { ref } from './drafts.js'
import { stopWork } from './own-work.js'
import { type Forgiving, type Placement, placementFor } from './place.js'
import { assignedDraft, exhaustedDraft, takingDrafts } from './records.js'
import { type EngineState, responsibleFor, type Tracked } from './state.js'
import { actInTurn, turnOf } from './turns.js'
import type { Bucket } from './waiting-index.js'
import { wakeAt } from './wake.js'

/** A run in `created` or `reassigning`: into the line, or a timer for when it may. */
export function reviewUnowned(state: EngineState, tracked: Tracked): void {
  const { view } = tracked
  const waiting = waitingFor(view, state.now.wallMs)
  if (waiting === null || waiting.reason !== 'no_device') {
    state.waiting.remove(tracked)
    wakeAt(state, tracked, waiting?.until == null ? null : state.monoOf(waiting.until))
    return
  }
  if (isExhausted(view)) {
    state.waiting.remove(tracked)
    actInTurn(state, tracked, view.assignment?.device ?? view.created.author, exhaustedDraft(view))
    return
  }
  const isParked = tracked.parkedUntilMs > state.now.monoMs
  state.waiting.add(tracked, responsibleFor(view), tracked.backoffMs > 0)
  wakeAt(state, tracked, isParked ? tracked.parkedUntilMs : null)
  if (!isParked) state.wantsPump = true
}

function isExhausted({ state, attemptsSpent, attemptsAllowed }: RunView): boolean {
  return state === 'reassigning' && attemptsSpent >= attemptsAllowed
}

/** Gives runs of the line to devices, the most urgent first, until nothing more can be given. */
export function pump(state: EngineState): void {
  state.wantsPump = false
  state.pumpAtMs = Number.POSITIVE_INFINITY
  if (state.suspectUntilMs !== null || state.local === null) return
  for (;;) {
    const next = state.waiting.next((bucket) => isOpen(state, bucket))
    if (next === null) return
    const { bucket } = next.wait as NonNullable<Tracked['wait']>
    if (place(state, next)) continue
    // A run that was put aside stands elsewhere now: the rest of its bucket is looked at.
    if (bucket.heap.first !== undefined && bucket.heap.first === next.wait)
      bucket.blocked = { head: bucket.heap.first, epoch: state.epoch }
  }
}

function isOpen(state: EngineState, bucket: Bucket): boolean {
  const head = bucket.heap.first
  if (head === undefined) return false
  if (bucket.blocked !== null && bucket.blocked.epoch === state.epoch && bucket.blocked.head === head)
    return false
  if (head.tracked.parkedUntilMs > state.now.monoMs) return false
  return bucket.responsible === state.me || isMineToPlace(state, bucket, head.tracked)
}

/** Another's runs are placed by others only once it is gone: first by whoever the election puts first. */
function isMineToPlace(state: EngineState, { responsible }: Bucket, head: Tracked): boolean {
  const { peers, now, config, group } = state
  const isMember = group.members.get(responsible)?.revokedAt === null
  const { timeoutMs } = config.heartbeat
  if (isMember && !peers.isGone(responsible, timeoutMs, now)) {
    state.pumpAtMs = Math.min(state.pumpAtMs, peers.goneAtMs(responsible, timeoutMs, now))
    return false
  }
  const turnMs = turnOf(state, responsible, responsible)
  if (turnMs === null) return false
  const goneMs = isMember ? peers.goneAtMs(responsible, timeoutMs, now) : 0
  const dueMs = Math.max(head.sinceMs, goneMs) + turnMs
  if (dueMs <= now.monoMs) return true
  state.pumpAtMs = Math.min(state.pumpAtMs, dueMs)
  return false
}

/** Gives a waiting run to somebody. False if nobody can take it now. */
function place(state: EngineState, tracked: Tracked): boolean {
  const { view } = tracked
  const reason = view.state === 'created' ? 'created' : reasonOf(view)
  const placement = placementFor(state, needsOf(view, state.now.wallMs), forgivingFor(tracked))
  if (placement.type === 'self' || placement.type === 'other') {
    state.waiting.remove(tracked)
    give(state, tracked, placement, reason)
    return true
  }
  if (placement.type === 'preempt') {
    state.preempting.add(placement.victim.run)
    stopWork(state, placement.victim, 'preempted')
    return false
  }
  if (placement.type === 'nobody') park(state, tracked)
  return false
}

/** After a failure somebody has to try again; after a wait those who refused are asked again. */
function forgivingFor(tracked: Tracked): Forgiving {
  return tracked.backoffMs > 0 ? 'all' : 'failures'
}

/** Nobody can take it: apart from the others, looked at again after a while, or when something changes. */
function park(state: EngineState, tracked: Tracked): void {
  // What every run of its bucket lacks need not be found out for each.
  const isAlone = needsOf(tracked.view, state.now.wallMs).exclusions.length > 0
  if (!isAlone) return
  tracked.backoffMs = Math.min(
    MAX_NO_DEVICE_BACKOFF_MS,
    Math.max(NO_DEVICE_BACKOFF_MS, tracked.backoffMs * 2),
  )
  tracked.parkedUntilMs = state.now.monoMs + tracked.backoffMs
  state.waiting.remove(tracked)
  reviewUnowned(state, tracked)
}

/** Why a run that was given up goes on: what its last device said. */
function reasonOf({ assignment }: RunView): AssignReason {
  const reason = assignment?.givenUp?.reason
  return reason === 'declined' || reason === 'failed' || reason === 'preempted' ? reason : 'released'
}

/** Writes the assignment; for this device itself with the claim and the start, in one batch. */
export function give(
  state: EngineState,
  tracked: Tracked,
  placement: Extract<Placement, { readonly type: 'self' | 'other' }>,
  reason: AssignReason,
): void {
  const { view } = tracked
  tracked.backoffMs = 0
  tracked.parkedUntilMs = 0
  if (placement.type === 'other') {
    const { device } = placement
    state.append(tracked, [assignedDraft(view, device, reason)], { promised: device })
    return
  }
  state.takeSlot(view.created.type)
  tracked.hasSlot = true
  state.append(tracked, [assignedDraft(view, state.me, reason), ...takingDrafts(view.run, ref(0))])
}

/** The needs of a run that is not made yet, from the draft of its `created` record. */
export function needsOfDraft(state: EngineState, draft: Draft<'created'>): RunNeeds {
  return {
    // Only breaks ties, and the run has no id yet.
    run: state.config.group,
    type: draft.type,
    ...(draft.project !== undefined && { project: draft.project }),
    priority: draft.priority ?? 0,
    requires: draft.requires ?? [],
    prefers: draft.prefers ?? [],
    privacy: draft.privacy ?? [],
    creator: state.me,
    approved: draft.approval === undefined,
    coordinator: draft.coordinator ?? false,
    minBattery: draft.minBattery ?? 0,
    exclusions: [],
  }
}
