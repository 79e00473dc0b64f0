/** Runs that others have: whoever does not claim in time, falls silent or is put out loses them. */
import { ASSIGNMENT_TIMEOUT_MS, type AssignmentView, needsOf, type RunNeeds } from '../../protocol/index.js'
import { give } from './assign.js'
import { MAX_NO_DEVICE_BACKOFF_MS, NO_DEVICE_BACKOFF_MS } from './constants.js'
import { placementFor } from './place.js'
import { exhaustedDraft } from './records.js'
import { type EngineState, type Tracked, timeoutOf } from './state.js'
import { turnOf } from './turns.js'
import { wakeAt } from './wake.js'

export function reviewOther(state: EngineState, tracked: Tracked): void {
  const { view } = tracked
  const assignment = view.assignment as AssignmentView
  if (state.suspectUntilMs !== null) {
    wakeAt(state, tracked, state.suspectUntilMs)
    return
  }
  if (view.paused !== null || !isOverdue(state, tracked, assignment)) {
    tracked.overdueMs = null
    wakeAt(state, tracked, claimDue(tracked))
    return
  }
  tracked.overdueMs ??= state.now.monoMs
  const turnMs = turnOf(state, assignment.assignedBy, assignment.device)
  const dueMs = turnMs === null ? null : Math.max(tracked.overdueMs + turnMs, tracked.parkedUntilMs)
  if (dueMs === null || dueMs > state.now.monoMs) wakeAt(state, tracked, dueMs)
  else replace(state, tracked, assignment)
}

/** When a target that says nothing has had its time, on the monotonic clock; null once it has claimed. */
function claimDue({ view, sinceMs }: Tracked): number | null {
  if (view.state !== 'assigned') return null
  return sinceMs + (view.created.assignmentTimeoutMs ?? ASSIGNMENT_TIMEOUT_MS)
}

function isOverdue(state: EngineState, tracked: Tracked, { device, incarnation }: AssignmentView): boolean {
  const { group, peers, now } = state
  if (group.members.get(device)?.revokedAt !== null) return true
  const timeoutMs = timeoutOf(tracked.view)
  if (peers.isGone(device, timeoutMs, now)) return true
  const claimMs = claimDue(tracked)
  if (claimMs !== null) return claimMs <= now.monoMs
  // Another process of the device is up: it takes up what the one before held, or loses it.
  const peer = peers.get(device)
  const isOther = peer?.beacon != null && incarnation !== null && peer.beacon.incarnation > incarnation
  return isOther && now.monoMs - Math.max(peer.incarnationMs, tracked.sinceMs) > timeoutMs
}

/** Gives the run to another, or ends it if that was its last attempt. */
function replace(state: EngineState, tracked: Tracked, assignment: AssignmentView): void {
  const { view } = tracked
  if (assignment.attempt >= view.attemptsAllowed) {
    state.append(tracked, [exhaustedDraft(view)])
    return
  }
  const forgiving = tracked.backoffMs > 0 ? 'all' : 'failures'
  const needs: RunNeeds = needsOf(view, state.now.wallMs)
  const placement = placementFor(state, needs, forgiving, assignment.device)
  if (placement.type === 'self' || placement.type === 'other') {
    give(state, tracked, placement, 'timeout')
    return
  }
  const backoffMs = Math.max(NO_DEVICE_BACKOFF_MS, tracked.backoffMs * 2)
  tracked.backoffMs = Math.min(MAX_NO_DEVICE_BACKOFF_MS, backoffMs)
  tracked.parkedUntilMs = state.now.monoMs + tracked.backoffMs
  wakeAt(state, tracked, tracked.parkedUntilMs)
}
