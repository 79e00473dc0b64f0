/** What this device does with runs that were given to it: take, decline, or take up again. */
import { needsOf, type RecordId, type RunNeeds, type RunView } from '../../protocol/index.js'
import { HANDLER_WAIT_MS } from './constants.js'
import { type OwnFault, ownFaults } from './place.js'
import { makeRoom } from './preempt.js'
import { failedDraft, givenBackDraft, takingDrafts } from './records.js'
import type { EngineState, Tracked } from './state.js'
import { textOf } from './text.js'
import { isHeldBack, wakeAt } from './wake.js'
import { begin } from './work.js'

/** Somebody gave this device a run. */
export function considerOffer(state: EngineState, tracked: Tracked): void {
  const { view, run } = tracked
  const assignment = view.assignment?.id as RecordId
  if (isHeldBack(state, tracked)) return
  if (view.paused !== null) {
    // Whoever gave it may not know: given back, it would come again at once, and again.
    wakeAt(state, tracked, null)
    return
  }
  const needs = needsAsGiven(state, view)
  const faults = ownFaults(state, needs, view.assignment?.attempt)
  const [fault] = faults
  if (fault === undefined) {
    state.keepSlot(tracked)
    state.append(tracked, takingDrafts(run, assignment))
  } else if (isYoung(state, faults)) {
    wakeAt(state, tracked, state.peers.startedMs + HANDLER_WAIT_MS)
  } else if (faults.every(({ code }) => code === 'NO_SLOT') && makeRoom(state, needs, tracked)) {
    state.crowded.add(tracked)
    wakeAt(state, tracked, state.now.monoMs + state.config.abortGraceMs)
  } else {
    const { code: reason, sentence } = fault
    state.append(tracked, [{ kind: 'declined', run, assignment, reason, note: textOf(sentence) }])
  }
}

/** Whoever gave it knew that we refused or failed it before; and an approval counted when it was given. */
function needsAsGiven(state: EngineState, view: RunView): RunNeeds {
  return { ...needsOf(view, state.now.wallMs), exclusions: [], approved: true }
}

/** An app registers its handlers right after the start: runs that wait for them are not declined in that moment. */
function isYoung(state: EngineState, faults: readonly OwnFault[]): boolean {
  return (
    faults.every(({ code }) => code === 'NO_HANDLER') &&
    state.now.monoMs - state.peers.startedMs < HANDLER_WAIT_MS
  )
}

/** This device owns the run, and nothing runs for it yet. */
export function takeUp(state: EngineState, tracked: Tracked): void {
  const { view, run } = tracked
  const { id: assignment, incarnation } = view.assignment as NonNullable<RunView['assignment']>
  if (isHeldBack(state, tracked)) return
  if (incarnation !== state.config.incarnation) {
    takeUpFromBefore(state, tracked, assignment)
    return
  }
  const settling = state.settling.get(run)
  const { givingBack } = tracked
  if (view.paused !== null || state.isClosing) {
    state.freeSlotOf(tracked)
    const reason = view.paused === null ? 'drain' : 'paused'
    state.append(tracked, [{ kind: 'released', run, assignment, reason }])
    return
  }
  if (givingBack !== null) {
    state.freeSlotOf(tracked)
    state.append(tracked, [givenBackDraft(run, assignment, givingBack.note)])
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
  const faults = ownFaults(state, needsAsGiven(state, view), view.assignment?.attempt)
  const [fault] = faults
  if (fault === undefined && view.paused === null) {
    state.keepSlot(tracked)
    state.append(tracked, takingDrafts(run, assignment))
  } else if (fault !== undefined && isYoung(state, faults)) {
    wakeAt(state, tracked, state.peers.startedMs + HANDLER_WAIT_MS)
  } else {
    const note = fault === undefined ? {} : { note: textOf(fault.sentence) }
    state.append(tracked, [{ kind: 'released', run, assignment, reason: 'lapsed', ...note }])
  }
}
