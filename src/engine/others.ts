/** Runs that others have: whoever does not claim in time, falls silent or is put out loses them. */
import { ASSIGNMENT_TIMEOUT_MS, type AssignmentView, needsOf } from '../../protocol/index.js'
import { forgivingFor, give } from './assign.js'
import { mayWork } from './members.js'
import { park } from './parking.js'
import { placementFor } from './place.js'
import { makeRoom } from './preempt.js'
import { exhaustedDraft } from './records.js'
import { type EngineState, responsibleFor, type Tracked, timeoutOf } from './state.js'
import { turnOf } from './turns.js'
import { isHeldBack, wakeAt } from './wake.js'

export function reviewOther(state: EngineState, tracked: Tracked): void {
  const { view } = tracked
  const assignment = view.assignment as AssignmentView
  if (isHeldBack(state, tracked)) return
  if (view.paused !== null) {
    tracked.overdueMs = null
    wakeAt(state, tracked, null)
    return
  }
  if (!isOverdue(state, tracked)) {
    tracked.overdueMs = null
    wakeAt(state, tracked, claimDue(tracked))
    return
  }
  tracked.overdueMs ??= state.now.monoMs
  const turnMs = turnOf(state, assignment.assignedBy, assignment.device)
  const dueMs = turnMs === null ? null : Math.max(tracked.overdueMs + turnMs, tracked.parkedUntilMs)
  if (dueMs !== null && dueMs <= state.now.monoMs) replace(state, tracked, assignment)
  else if (tracked.parkedUntilMs > state.now.monoMs) waitParked(state, tracked)
  else wakeAt(state, tracked, dueMs)
}

/** When a target that says nothing has had its time, on the monotonic clock; null once it has claimed. */
function claimDue({ view, sinceMs }: Tracked): number | null {
  if (view.state !== 'assigned') return null
  return sinceMs + (view.created.assignmentTimeoutMs ?? ASSIGNMENT_TIMEOUT_MS)
}

/** Whether the device that has a run has lost it, as far as this one can tell. */
export function isOverdue(state: EngineState, tracked: Tracked): boolean {
  const { device, incarnation } = tracked.view.assignment as AssignmentView
  const { group, peers, now } = state
  if (!mayWork(group, device) || isSilent(state, tracked, device)) return true
  const claimMs = claimDue(tracked)
  if (claimMs !== null) return claimMs <= now.monoMs
  // Another process of the device is up: it takes up what the one before held, or loses it.
  const peer = peers.get(device)
  const isOther = peer?.beacon != null && incarnation !== null && peer.beacon.incarnation > incarnation
  return isOther && now.monoMs - Math.max(peer.incarnationMs, tracked.sinceMs) > timeoutOf(tracked.view)
}

/**
 * Whether a device has been silent for too long. What it, or whoever gave it the run, wrote is a sign of life too, from
 * when we learned of it: after a split the records of a device may come before its beacon. A device beats at a run's own
 * pace once it has claimed it, and at its usual one before.
 */
function isSilent({ peers, now, config }: EngineState, { view, sinceMs }: Tracked, device: string): boolean {
  if (peers.hasLeft(device)) return true
  const usualMs = view.state === 'assigned' ? config.heartbeat.timeoutMs : 0
  const timeoutMs = Math.max(timeoutOf(view), usualMs)
  return now.monoMs - sinceMs > timeoutMs && peers.isGone(device, timeoutMs, now)
}

/** Gives the run to another, or ends it if that was its last attempt. */
function replace(state: EngineState, tracked: Tracked, assignment: AssignmentView): void {
  const { view } = tracked
  if (assignment.attempt >= view.attemptsAllowed) {
    state.append(tracked, [exhaustedDraft(view)])
    return
  }
  const needs = needsOf(view, state.now.wallMs)
  const placement = placementFor(state, needs, forgivingFor(tracked), assignment.device)
  switch (placement.type) {
    case 'self':
    case 'other':
      give(state, tracked, placement)
      return
    case 'preempt':
      makeRoom(state, needs, tracked)
      waitForSlot(state, tracked)
      return
    case 'full':
      waitForSlot(state, tracked)
      return
    case 'nobody':
      park(state, tracked)
      waitParked(state, tracked)
  }
}

/** It is looked at whenever somebody may have become able to take more. */
function waitForSlot(state: EngineState, tracked: Tracked): void {
  state.crowded.add(tracked)
  state.waiting.add(tracked, responsibleFor(tracked.view), true)
  wakeAt(state, tracked, null)
}

/** Nobody can be given it. Whoever pulls may have it. */
function waitParked(state: EngineState, tracked: Tracked): void {
  state.parked.add(tracked)
  state.waiting.add(tracked, responsibleFor(tracked.view), true)
  wakeAt(state, tracked, tracked.parkedUntilMs)
}
