/** Runs without an owner: when they may be given to somebody, by whom, and to whom. */
import { type Draft, needsOf, type RunNeeds, type RunView, waitingFor } from '../../protocol/index.js'
import { ref } from './drafts.js'
import { mayWork } from './members.js'
import { park } from './parking.js'
import { type Forgiving, type Placement, placementFor } from './place.js'
import { makeRoom } from './preempt.js'
import { assignedDraft, exhaustedDraft, reasonOf, takingDrafts } from './records.js'
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
  state.waiting.add(tracked, responsibleFor(view), isParked)
  wakeAt(state, tracked, isParked ? tracked.parkedUntilMs : null)
  if (isParked) state.parked.add(tracked)
  else state.wantsPump = true
}

function isExhausted({ state, attemptsSpent, attemptsAllowed }: RunView): boolean {
  return state === 'reassigning' && attemptsSpent >= attemptsAllowed
}

/** Gives runs of the line to devices, the most urgent first, until nothing more can be given. */
export function pump(state: EngineState): void {
  state.wantsPump = false
  state.pumpAtMs = Number.POSITIVE_INFINITY
  if (state.heldBackUntilMs !== null || state.local === null || !state.mayWrite) return
  for (const urgent of state.urgent) if (urgent.wait !== null && !urgent.isWriting) place(state, urgent)
  state.urgent.clear()
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
  if (bucket.isParked) return false
  return bucket.responsible === state.me || isMineToPlace(state, bucket, head.tracked)
}

/** Another's runs are placed by others only once it is gone: first by whoever the election puts first. */
function isMineToPlace(state: EngineState, { responsible }: Bucket, head: Tracked): boolean {
  const { peers, now, config, group } = state
  const isMember = mayWork(group, responsible)
  const { timeoutMs } = config.heartbeat
  const goneMs = isMember ? peers.goneAtMs(responsible, timeoutMs, now) : 0
  if (isMember && !peers.isGone(responsible, timeoutMs, now)) {
    // One that others still hear is looked at again with the next tick.
    if (goneMs >= now.monoMs) state.pumpAtMs = Math.min(state.pumpAtMs, goneMs + 1)
    return false
  }
  const turnMs = turnOf(state, responsible, responsible)
  if (turnMs === null) return false
  const dueMs = Math.max(head.sinceMs, goneMs) + turnMs
  if (dueMs <= now.monoMs) return true
  state.pumpAtMs = Math.min(state.pumpAtMs, dueMs)
  return false
}

/** Gives a waiting run to somebody. False if nobody can take it now. */
function place(state: EngineState, tracked: Tracked): boolean {
  const { view } = tracked
  if (waitingFor(view, state.now.wallMs)?.reason !== 'no_device') {
    // Its approval has expired while it stood in the line.
    reviewUnowned(state, tracked)
    return false
  }
  const needs = needsOf(view, state.now.wallMs)
  const placement = placementFor(state, needs, forgivingFor(tracked))
  switch (placement.type) {
    case 'self':
    case 'other':
      state.waiting.remove(tracked)
      give(state, tracked, placement)
      return true
    case 'preempt':
      makeRoom(state, needs, tracked)
      return false
    case 'full':
      return false
    case 'nobody':
      // What every run of its bucket lacks need not be found out for each: the bucket is blocked.
      if (needs.exclusions.length === 0) return false
      park(state, tracked)
      reviewUnowned(state, tracked)
      return false
  }
}

/** After a failure somebody has to try again; after a wait those who refused are asked again. */
export function forgivingFor({ mayAskAgain }: Tracked): Forgiving {
  return mayAskAgain ? 'all' : 'failures'
}

/** Writes the assignment; for this device itself with the claim and the start, in one batch. */
export function give(
  state: EngineState,
  tracked: Tracked,
  placement: Extract<Placement, { readonly type: 'self' | 'other' }>,
): void {
  const { view } = tracked
  const reason = reasonOf(view)
  tracked.mayAskAgain = false
  tracked.parkedUntilMs = 0
  if (placement.type === 'other') {
    const { device } = placement
    state.append(tracked, [assignedDraft(view, device, reason)], { promised: device })
    return
  }
  state.keepSlot(tracked)
  state.append(tracked, [assignedDraft(view, state.me, reason), ...takingDrafts(view.run, ref(0))])
}

/** The needs of a run that is not made yet, from the draft of its `created` record. */
export function needsOfDraft(state: EngineState, draft: Draft<'created'>): RunNeeds {
  const needs: RunNeeds = {
    // Only breaks ties, and the run has no id yet.
    run: state.config.group,
    type: draft.type,
    priority: draft.priority ?? 0,
    requires: draft.requires ?? NONE,
    prefers: draft.prefers ?? NONE,
    privacy: draft.privacy ?? NONE,
    creator: state.me,
    approved: draft.approval === undefined,
    coordinator: draft.coordinator ?? false,
    minBattery: draft.minBattery ?? 0,
    exclusions: NONE,
  }
  return draft.project === undefined ? needs : { ...needs, project: draft.project }
}

const NONE: readonly never[] = []
