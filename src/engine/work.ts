/** Work that goes on here: may it go on, until when, and how it ends. */
import {
  heartbeatOf,
  isTerminal,
  type PreviousAssignment,
  RUN_TIMEOUT_MS,
  type RunView,
} from '../../protocol/index.js'
import { conclusionOf } from './conclusion.js'
import { REWRITE_MS } from './constants.js'
import type { Outcome, StopReason } from './events.js'
import { gapSince } from './gaps.js'
import { voidableBy } from './held.js'
import { takingDrafts } from './records.js'
import { type EngineState, type Lease, type Tracked, timeoutOf, type Work } from './state.js'
import { isHeldBack, waitsForSync } from './wake.js'

/** The start is durable: work begins. */
export function begin(state: EngineState, tracked: Tracked, lease: Lease | null): void {
  const { view, run } = tracked
  const { id: assignment } = view.assignment as NonNullable<RunView['assignment']>
  state.keepSlot(tracked)
  state.working++
  tracked.work = {
    assignment,
    startedMs: state.now.monoMs,
    stopping: null,
    graceEndsMs: Number.POSITIVE_INFINITY,
    lease,
    outcome: null,
  }
  if (lease === null) state.emit({ type: 'work', run, assignment })
  else state.emit({ type: 'leased', ask: lease.ask, run, assignment })
  quicken(state, view)
  reviewWork(state, tracked)
}

/** From now on this device beats as often as the run asks for. */
function quicken({ pulse }: EngineState, { created }: RunView): void {
  if (created.heartbeat === undefined) return
  const { intervalMs, timeoutMs } = heartbeatOf(created.heartbeat)
  pulse.intervalMs = Math.min(pulse.intervalMs, intervalMs)
  pulse.timeoutMs = Math.min(pulse.timeoutMs, timeoutMs)
}

/** Something runs here: may it go on, and until when? */
export function reviewWork(state: EngineState, tracked: Tracked): void {
  const work = tracked.work as Work
  if (work.outcome !== null) {
    if (!state.mayWrite || !isHeldBack(state, tracked)) conclude(state, tracked, work.outcome)
    return
  }
  if (work.stopping !== null) {
    if (state.now.monoMs >= work.graceEndsMs) abandon(state, tracked)
    else state.timers.set(tracked.timer, work.graceEndsMs)
    return
  }
  if (state.mayWrite && waitsForSync(state, tracked)) return
  const reason = reasonToStop(state, tracked, work)
  if (reason === 'keep') return
  if (reason !== null) stopWork(state, tracked, reason)
  else state.timers.set(tracked.timer, nextLook(state, tracked, work))
}

function reasonToStop(state: EngineState, tracked: Tracked, work: Work): StopReason | 'keep' | null {
  const { view } = tracked
  if (view.state === 'cancelled') return 'cancelled'
  if (isTerminal(view.state) || !state.mayWrite) return 'superseded'
  const { assignment } = view
  const isOwner = view.owner === state.me && assignment?.incarnation === state.config.incarnation
  if (assignment?.id !== work.assignment || !isOwner) return lost(state, tracked, work)
  if (view.paused !== null) return 'paused'
  if (view.contested) {
    riseAbove(state, tracked, work)
    return 'keep'
  }
  if (state.now.monoMs >= endOf(state, tracked, work)) return 'timeout'
  return leaseEnds(work) <= state.now.monoMs ? 'lapsed' : null
}

/**
 * Somebody else had shown a higher fence: ours must stand above it. Whoever was silent for too long cannot say that it
 * held the run; but it is the owner, and claims anew.
 */
function riseAbove(state: EngineState, tracked: Tracked, { startedMs, assignment }: Work): void {
  const { run, view } = tracked
  const gapMs = gapSince(state, startedMs)
  if (gapMs <= timeoutOf(view)) state.append(tracked, [{ kind: 'held', run, assignment, gapMs }])
  else state.append(tracked, takingDrafts(run, assignment))
}

/** The run moved on. Who had it first and never let go keeps it; else it is over here. */
function lost(state: EngineState, tracked: Tracked, work: Work): StopReason | 'keep' {
  const before = tracked.view.previousAssignments.find(({ id }) => id === work.assignment)
  const voids = before === undefined ? [] : voidableBy(state, tracked.view, before)
  const gapMs = gapSince(state, work.startedMs)
  if (voids.length > 0 && gapMs <= timeoutOf(tracked.view)) {
    const { run } = tracked
    state.append(tracked, [{ kind: 'held', run, assignment: work.assignment, gapMs, voids }])
    return 'keep'
  }
  return wasTimedOut(before) && gapMs > timeoutOf(tracked.view) ? 'lapsed' : 'superseded'
}

function wasTimedOut(before: PreviousAssignment | undefined): boolean {
  return before?.reason === 'timeout'
}

/** When the attempt has taken too long, or the run too late. */
function endOf(state: EngineState, { view }: Tracked, work: Work): number {
  const timeoutMs = work.startedMs + (view.created.timeoutMs ?? RUN_TIMEOUT_MS)
  const { deadline } = view.created
  return deadline === undefined ? timeoutMs : Math.min(timeoutMs, state.monoOf(deadline))
}

function leaseEnds({ lease }: Work): number {
  return lease === null ? Number.POSITIVE_INFINITY : lease.renewedMs + lease.leaseMs
}

function nextLook(state: EngineState, tracked: Tracked, work: Work): number {
  return Math.min(endOf(state, tracked, work), leaseEnds(work))
}

export function stopWork(state: EngineState, tracked: Tracked, reason: StopReason): void {
  const { work, run } = tracked
  if (work === null || work.stopping !== null || work.outcome !== null) return
  work.stopping = reason
  work.graceEndsMs = state.now.monoMs + state.config.abortGraceMs
  state.emit({ type: 'stop', run, assignment: work.assignment, reason })
  // Nobody answers for a lease that ran out.
  if (reason === 'lapsed' && work.lease !== null) endWork(state, tracked, { type: 'stopped' })
  else state.timers.set(tracked.timer, work.graceEndsMs)
}

/** It ignored its signal: nobody waits for it any longer. */
function abandon(state: EngineState, tracked: Tracked): void {
  const { run, view } = tracked
  const { assignment, lease } = tracked.work as Work
  state.emit({ type: 'abandon', run, assignment })
  if (lease === null)
    state.emit({ type: 'tell', notice: { type: 'unresponsive', run, runType: view.created.type } })
  endWork(state, tracked, { type: 'stopped' })
}

/** A handler ended, or whoever held a lease said so. Its slot goes first to the run that it had to make room for. */
export function endWork(state: EngineState, tracked: Tracked, outcome: Outcome): void {
  const work = tracked.work as Work
  work.outcome = outcome
  const urgent = state.preempting.get(tracked.run)
  if (urgent !== undefined) state.urgent.add(urgent)
  state.preempting.delete(tracked.run)
  state.freeSlotOf(tracked)
  if (!tracked.isWriting) reviewWork(state, tracked)
}

/** Writes down how it ended, if there is anything to say. */
function conclude(state: EngineState, tracked: Tracked, outcome: Outcome): void {
  const draft = conclusionOf(state, tracked, outcome)
  if (draft !== null) {
    state.append(tracked, [draft])
    return
  }
  closeWork(state, tracked)
  state.lookAgain(tracked)
}

/** The conclusion is durable, or could not be written and is tried again. */
export function concluded(state: EngineState, tracked: Tracked, isWritten: boolean): void {
  if (isWritten) closeWork(state, tracked)
  else state.timers.set(tracked.timer, state.now.monoMs + REWRITE_MS)
}

export function closeWork(state: EngineState, tracked: Tracked): void {
  if (tracked.work === null) return
  tracked.work = null
  state.working--
}
