/** What this device does with runs that were given to it: take or decline, begin, stop, write down how it ended. */
import {
  type Draft,
  needsOf,
  type PreviousAssignment,
  type RecordId,
  RUN_TIMEOUT_MS,
  type RunView,
} from '../../protocol/index.js'
import { HANDLER_WAIT_MS, REWRITE_MS } from './constants.js'
import type { Outcome, StopReason } from './events.js'
import { gapSince } from './gaps.js'
import { voidableBy } from './held.js'
import { ownFaults, victimOf } from './place.js'
import { failedDraft, takingDrafts } from './records.js'
import { type EngineState, type Lease, type Tracked, timeoutOf, type Work } from './state.js'
import { wakeAt } from './wake.js'

/** Somebody gave this device a run. */
export function considerOffer(state: EngineState, tracked: Tracked): void {
  const { view, run } = tracked
  const assignment = view.assignment?.id as RecordId
  if (waitsForSync(state, tracked)) return
  if (view.paused !== null) {
    state.append(tracked, [{ kind: 'released', run, assignment, reason: 'paused' }])
    return
  }
  const needs = needsOf(view, state.now.wallMs)
  // Whoever gave it knew that we refused or failed it before; and an approval counted when it was given.
  const faults = ownFaults(state, { ...needs, exclusions: [], approved: true }, view.assignment?.attempt)
  const [fault] = faults
  if (fault === undefined) {
    state.takeSlot(view.created.type)
    tracked.hasSlot = true
    state.append(tracked, takingDrafts(run, assignment))
    return
  }
  if (faults.every(({ code }) => code === 'NO_HANDLER') && isYoung(state)) {
    wakeAt(state, tracked, state.peers.startedMs + HANDLER_WAIT_MS)
    return
  }
  if (faults.every(({ code }) => code === 'NO_SLOT') && makeRoom(state, view)) {
    state.offers.add(tracked)
    wakeAt(state, tracked, state.now.monoMs + state.config.abortGraceMs)
    return
  }
  state.append(tracked, [
    { kind: 'declined', run, assignment, reason: fault.code, note: fault.sentence.slice(0, 1000) },
  ])
}

/** An app registers its handlers right after the start: runs that wait for them are not declined in that moment. */
function isYoung(state: EngineState): boolean {
  return state.now.monoMs - state.peers.startedMs < HANDLER_WAIT_MS
}

/** Tells something less urgent to stop. True if a slot will be free soon. */
function makeRoom(state: EngineState, view: RunView): boolean {
  if (state.preempting.size > 0) return true
  const victim = victimOf(state, state.me, view.priority)
  if (victim?.work == null || victim.work.stopping !== null) return false
  state.preempting.add(victim.run)
  stopWork(state, victim, 'preempted')
  return true
}

/** After a start or a sleep nothing is taken up before a sync: it may have moved on. */
function waitsForSync(state: EngineState, tracked: Tracked): boolean {
  if (state.suspectUntilMs === null) return false
  wakeAt(state, tracked, state.suspectUntilMs)
  return true
}

/** This device owns the run, and nothing runs for it yet. */
export function takeUp(state: EngineState, tracked: Tracked): void {
  const { view, run } = tracked
  const { id: assignment, incarnation } = view.assignment as NonNullable<RunView['assignment']>
  if (waitsForSync(state, tracked)) return
  if (incarnation !== state.config.incarnation) {
    takeUpFromBefore(state, tracked, assignment)
    return
  }
  const settling = state.settling.get(run)
  if (view.paused !== null || state.isClosing) {
    freeOwnSlot(state, tracked)
    const reason = view.paused === null ? 'drain' : 'paused'
    state.append(tracked, [{ kind: 'released', run, assignment, reason }])
    return
  }
  if (settling?.settlesMs != null && settling.settlesMs > state.now.monoMs) {
    wakeAt(state, tracked, settling.settlesMs)
    return
  }
  if (view.state === 'claimed') {
    const lease = settling === undefined ? {} : { lease: settling }
    state.append(tracked, [{ kind: 'started', run, assignment }], lease)
    return
  }
  begin(state, tracked, null)
}

/**
 * A process of this device that is no more had the run. What it had begun has failed, or a run that kills its worker
 * would go round for ever; the next attempt goes on from the checkpoint. What it had not begun is taken up.
 */
function takeUpFromBefore(state: EngineState, tracked: Tracked, assignment: RecordId): void {
  const { view, run } = tracked
  if (view.state === 'processing') {
    const error = { code: 'INTERRUPTED', message: 'The process that worked on it ended.' }
    state.append(tracked, [failedDraft(view, assignment, error, false)])
    return
  }
  const [fault] = ownFaults(state, { ...needsOf(view, state.now.wallMs), exclusions: [], approved: true })
  if (fault === undefined) {
    state.takeSlot(view.created.type)
    tracked.hasSlot = true
    state.append(tracked, takingDrafts(run, assignment))
  } else if (fault.code === 'NO_HANDLER' && isYoung(state)) {
    wakeAt(state, tracked, state.peers.startedMs + HANDLER_WAIT_MS)
  } else {
    state.append(tracked, [{ kind: 'released', run, assignment, reason: 'lapsed', note: fault.sentence }])
  }
}

/** The start is durable: work begins. */
export function begin(state: EngineState, tracked: Tracked, lease: Lease | null): void {
  const { view, run } = tracked
  const { id: assignment } = view.assignment as NonNullable<RunView['assignment']>
  if (!tracked.hasSlot) {
    state.takeSlot(view.created.type)
    tracked.hasSlot = true
  }
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
  state.pulse.intervalMs = Math.min(
    state.pulse.intervalMs,
    view.created.heartbeat?.intervalMs ?? Number.POSITIVE_INFINITY,
  )
  reviewWork(state, tracked)
}

/** Something runs here: may it go on, and until when? */
export function reviewWork(state: EngineState, tracked: Tracked): void {
  const work = tracked.work as Work
  if (work.outcome !== null) {
    if (!waitsForSync(state, tracked)) conclude(state, tracked, work.outcome)
    return
  }
  if (work.stopping !== null) {
    if (state.now.monoMs >= work.graceEndsMs) abandon(state, tracked)
    else state.timers.set(tracked.timer, work.graceEndsMs)
    return
  }
  if (waitsForSync(state, tracked)) return
  const reason = reasonToStop(state, tracked, work)
  if (reason === 'keep') return
  if (reason !== null) stopWork(state, tracked, reason)
  else state.timers.set(tracked.timer, nextLook(state, tracked, work))
}

function reasonToStop(state: EngineState, tracked: Tracked, work: Work): StopReason | 'keep' | null {
  const { view } = tracked
  if (view.state === 'cancelled') return 'cancelled'
  if (view.state === 'completed' || view.state === 'failed') return 'superseded'
  const { assignment } = view
  const isOwner = view.owner === state.me && assignment?.incarnation === state.config.incarnation
  if (assignment?.id !== work.assignment || !isOwner) return lost(state, tracked, work)
  if (view.paused !== null) return 'paused'
  if (view.contested) {
    const gapMs = gapSince(state, work.startedMs)
    if (gapMs > timeoutOf(view)) return 'lapsed'
    // Somebody else had shown a higher fence: ours must stand above it.
    state.append(tracked, [{ kind: 'held', run: view.run, assignment: work.assignment, gapMs }])
    return 'keep'
  }
  if (state.now.monoMs >= endOf(state, tracked, work)) return 'timeout'
  return leaseEnds(work) <= state.now.monoMs ? 'lapsed' : null
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
  const error = { code: 'UNRESPONSIVE', message: 'The handler ignored its signal and was abandoned.' }
  const isFault = lease === null && isOwnFault(tracked.work as Work)
  endWork(state, tracked, isFault ? { type: 'failed', error, permanent: false } : { type: 'stopped' })
}

/** Whether a handler that will not stop makes the attempt a failure: if it was the run's own fault that it had to. */
function isOwnFault({ stopping }: Work): boolean {
  return (
    stopping === 'timeout' || stopping === 'paused' || stopping === 'preempted' || stopping === 'shutdown'
  )
}

/** A handler ended, or whoever held a lease said so. */
export function endWork(state: EngineState, tracked: Tracked, outcome: Outcome): void {
  const work = tracked.work as Work
  work.outcome = outcome
  state.preempting.delete(tracked.run)
  freeOwnSlot(state, tracked)
  if (!tracked.isWriting) reviewWork(state, tracked)
}

export function freeOwnSlot(state: EngineState, tracked: Tracked): void {
  if (!tracked.hasSlot) return
  tracked.hasSlot = false
  state.freeSlot(tracked.view.created.type)
}

/** Writes down how it ended, if there is anything to say. */
function conclude(state: EngineState, tracked: Tracked, outcome: Outcome): void {
  const work = tracked.work as Work
  const draft = conclusion(state, tracked.view, work, outcome)
  if (draft === null) {
    tracked.work = null
    state.lookAgain(tracked)
    return
  }
  state.append(tracked, [draft])
}

/** The conclusion is durable, or could not be written and is tried again. */
export function concluded(state: EngineState, tracked: Tracked, isWritten: boolean): void {
  if (isWritten) tracked.work = null
  else state.timers.set(tracked.timer, state.now.monoMs + REWRITE_MS)
}

function conclusion(state: EngineState, view: RunView, work: Work, outcome: Outcome): Draft | null {
  const { run } = view
  const { assignment, stopping } = work
  if (view.state === 'completed') return null
  switch (outcome.type) {
    case 'completed':
      // After its signal a handler may return with the work half done: that is no result.
      if (stopping !== null) break
      return {
        kind: 'completed',
        run,
        assignment,
        ...(outcome.output !== null && { output: outcome.output }),
      }
    case 'failed':
      if (stopping !== null && outcome.error.code !== 'UNRESPONSIVE') break
      return failedDraft(view, assignment, outcome.error, outcome.permanent)
    case 'released':
      if (stopping !== null) break
      return {
        kind: 'released',
        run,
        assignment,
        reason: 'manual',
        ...(outcome.note !== null && { note: outcome.note }),
      }
    case 'stopped':
      break
  }
  return afterStop(state, view, work)
}

function afterStop(state: EngineState, view: RunView, { assignment, stopping, lease }: Work): Draft | null {
  const { run } = view
  switch (stopping) {
    case 'paused':
    case 'preempted':
      return { kind: 'released', run, assignment, reason: stopping }
    case 'shutdown':
      return { kind: 'released', run, assignment, reason: 'drain' }
    case 'released':
      return { kind: 'released', run, assignment, reason: 'manual' }
    case 'timeout':
      return timeoutDraft(state, view, assignment)
    case 'lapsed':
      if (lease === null) return null
      return failedDraft(
        view,
        assignment,
        { code: 'LEASE_EXPIRED', message: 'Whoever pulled it gave no sign of life.' },
        false,
      )
    default:
      // It has ended, or is another's: nothing to say.
      return null
  }
}

function timeoutDraft(state: EngineState, view: RunView, assignment: RecordId): Draft<'failed'> {
  const { deadline, timeoutMs = RUN_TIMEOUT_MS } = view.created
  if (deadline !== undefined && state.now.wallMs >= deadline) {
    return failedDraft(view, assignment, { code: 'DEADLINE', message: 'Its deadline passed.' }, true)
  }
  const error = { code: 'TIMEOUT', message: `It took longer than ${timeoutMs} ms.` }
  return failedDraft(view, assignment, error, false)
}
