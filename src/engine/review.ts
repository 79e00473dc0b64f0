/** Looks at one run and decides what this device has to do about it now. Level-triggered: looking twice does no harm. */
import { isTerminal, type RunId, type RunView } from '../../protocol/index.js'
import { reviewUnowned } from './assign.js'
import { lease } from './lease.js'
import { reviewOther } from './others.js'
import { cancelledDraft, deadlineDraft } from './records.js'
import { type EngineState, responsibleFor, type Tracked } from './state.js'
import { considerOffer, takeUp } from './taking.js'
import { actInTurn } from './turns.js'
import { closeWork, reviewWork } from './work.js'

export function review(state: EngineState, tracked: Tracked): void {
  state.dirty.delete(tracked)
  if (tracked.isWriting) return
  state.crowded.delete(tracked)
  state.parked.delete(tracked)
  if (isCalledOff(state, tracked)) return
  if (tracked.work !== null) {
    reviewWork(state, tracked)
    return
  }
  const { view } = tracked
  if (isTerminal(view.state)) {
    untrack(state, tracked)
    return
  }
  if (view.state !== 'created' && view.state !== 'reassigning') state.waiting.remove(tracked)
  if (view.assignment?.device !== state.me) letGo(state, tracked)
  if (!state.mayWrite) {
    standStill(state, tracked)
    return
  }
  if (endsLate(state, tracked)) return
  switch (view.state) {
    case 'created':
    case 'reassigning':
      letGo(state, tracked)
      reviewUnowned(state, tracked)
      return
    case 'assigned':
      if (view.assignment?.device === state.me) considerOffer(state, tracked)
      else reviewOther(state, tracked)
      return
    default:
      if (view.owner === state.me) takeUp(state, tracked)
      else reviewOther(state, tracked)
  }
}

/** Nothing that this device writes counts: it is not, or no longer, a member. */
function standStill(state: EngineState, tracked: Tracked): void {
  letGo(state, tracked)
  state.waiting.remove(tracked)
  state.timers.set(tracked.timer, Number.POSITIVE_INFINITY)
}

/** It is not ours, or no longer. Whoever had pulled it gets another. */
function letGo(state: EngineState, tracked: Tracked): void {
  state.freeSlotOf(tracked)
  const settling = state.settling.get(tracked.run)
  if (settling === undefined) return
  state.settling.delete(tracked.run)
  lease(state, settling.ask, settling.query)
}

/** A run whose parent was cancelled is cancelled too, by whoever stands first: the one who made it, if it is there. */
function isCalledOff(state: EngineState, tracked: Tracked): boolean {
  const { view, work } = tracked
  const { parent, author } = view.created
  if (parent === undefined || isTerminal(view.state) || !state.mayWrite) return false
  if (work !== null && (work.stopping !== null || work.outcome !== null)) return false
  if (state.config.viewOf(parent)?.state !== 'cancelled') return false
  state.waiting.remove(tracked)
  actInTurn(state, tracked, author, cancelledDraft(view, 'The run that made it was cancelled.'))
  return true
}

/** A run that nobody works on and whose deadline has passed is ended by whoever stands first. */
function endsLate(state: EngineState, tracked: Tracked): boolean {
  const { view } = tracked
  const { deadline } = view.created
  if (deadline === undefined || state.now.wallMs < deadline) return false
  state.waiting.remove(tracked)
  const sinceMs = state.now.monoMs - (state.now.wallMs - deadline)
  const first = view.owner ?? responsibleFor(view)
  actInTurn(state, tracked, first, deadlineDraft(view), Math.max(sinceMs, state.peers.startedMs))
  return true
}

/** A view came or changed. */
export function observe(state: EngineState, view: RunView): Tracked | null {
  const known = state.runs.get(view.run)
  if (known === undefined) {
    if (!isTerminal(view.state)) return track(state, view)
    if (view.state === 'cancelled') touchChildren(state, view.run)
    return null
  }
  const before = known.view
  if (before === view) return known
  known.view = view
  if (before.assignment?.id !== view.assignment?.id) known.givingBack = null
  const isSame =
    before.state === view.state &&
    before.assignment?.id === view.assignment?.id &&
    before.assignment?.fence === view.assignment?.fence
  if (!isSame) {
    known.sinceMs = state.now.monoMs
    known.overdueMs = null
    // Somebody took it: whoever refuses it next is not held against it for as long as the last one.
    if (view.owner !== null) known.backoffMs = 0
  }
  noteEnds(state, before, view)
  const freed = state.holdings.update(known, before, isTerminal(view.state) ? null : view)
  if (freed !== null && freed !== state.me) state.capacityChanged()
  if (view.state === 'cancelled' && before.state !== 'cancelled') touchChildren(state, view.run)
  return known
}

function track(state: EngineState, view: RunView): Tracked {
  const tracked: Tracked = {
    run: view.run,
    view,
    isWriting: false,
    work: null,
    givingBack: null,
    hasSlot: false,
    sinceMs: state.now.monoMs,
    overdueMs: null,
    wait: null,
    timer: state.timers.node(view.run),
    parkedUntilMs: 0,
    backoffMs: 0,
    mayAskAgain: false,
  }
  state.runs.set(view.run, tracked)
  state.holdings.update(tracked, null, view)
  const { parent } = view.created
  if (parent !== undefined) {
    const siblings = state.children.get(parent) ?? new Set()
    siblings.add(view.run)
    state.children.set(parent, siblings)
  }
  return tracked
}

export function untrack(state: EngineState, tracked: Tracked): void {
  closeWork(state, tracked)
  letGo(state, tracked)
  state.waiting.remove(tracked)
  state.timers.set(tracked.timer, Number.POSITIVE_INFINITY)
  state.holdings.update(tracked, isTerminal(tracked.view.state) ? null : tracked.view, null)
  state.runs.delete(tracked.run)
  state.crowded.delete(tracked)
  state.parked.delete(tracked)
  state.urgent.delete(tracked)
  state.dirty.delete(tracked)
  state.preempting.delete(tracked.run)
  const { parent } = tracked.view.created
  const siblings = parent === undefined ? undefined : state.children.get(parent)
  if (parent === undefined || siblings === undefined) return
  siblings.delete(tracked.run)
  if (siblings.size === 0) state.children.delete(parent)
}

function touchChildren(state: EngineState, run: RunId): void {
  for (const child of state.children.get(run) ?? []) {
    const tracked = state.runs.get(child)
    if (tracked !== undefined) state.lookAgain(tracked)
  }
}

/** Counts failures and successes for the circuits. */
function noteEnds(state: EngineState, before: RunView, view: RunView): void {
  const { type } = view.created
  if (view.result !== null && before.result === null) state.circuits.completed(view.result.device, type)
  const { assignment } = view
  if (assignment === null || assignment.givenUp?.reason !== 'failed') return
  const isKnown = before.assignment?.id === assignment.id && before.assignment.givenUp !== null
  if (!isKnown) state.circuits.failed(assignment.device, type, assignment.givenUp.at)
}
