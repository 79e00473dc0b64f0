/** What follows once an append is durable, or could not be made. */
import { type AnyRecord, type DeviceId, isTerminal, type RunView } from '../../protocol/index.js'
import { REWRITE_MS } from './constants.js'
import type { EngineEvent } from './events.js'
import { lease } from './lease.js'
import { observe, review } from './review.js'
import type { EngineState, Lease, PendingAppend, Tracked } from './state.js'
import { begin, concluded } from './work.js'

type Appended = Extract<EngineEvent, { readonly type: 'appended' }>

export function takeAppended(state: EngineState, event: Appended): void {
  const pending = state.appends.get(event.token)
  if (pending === undefined) return
  state.appends.delete(event.token)
  if (pending.promised !== null) breakPromise(state, pending.promised)
  const tracked = pending.run === null ? undefined : state.runs.get(pending.run)
  if (tracked !== undefined) tracked.isWriting = false
  if (event.records === null) notWritten(state, pending, tracked)
  else written(state, pending, tracked, event.records, event.views)
}

function breakPromise(state: EngineState, device: DeviceId): void {
  const left = (state.promised.get(device) ?? 0) - 1
  if (left > 0) state.promised.set(device, left)
  else state.promised.delete(device)
}

function written(
  state: EngineState,
  pending: PendingAppend,
  about: Tracked | undefined,
  records: readonly AnyRecord[],
  views: readonly RunView[],
): void {
  if (about?.work?.outcome != null && endsWork(records)) concluded(state, about, true)
  let { slotType } = pending
  for (const view of views) {
    const rejectedBefore = state.runs.get(view.run)?.view.rejectedCount ?? view.rejectedCount
    const tracked = observe(state, view)
    if (tracked === null) continue
    // The slot that was kept for a run before it had an id is the run's from now on.
    if (slotType !== null && !tracked.hasSlot && view.assignment?.device === state.me) {
      tracked.hasSlot = true
      slotType = null
    }
    if (pending.lease !== null && view.run === pending.run) takeLeased(state, tracked, pending.lease)
    else if (tracked === about && view.rejectedCount > rejectedBefore) postpone(state, tracked)
    else review(state, tracked)
  }
  if (slotType !== null) state.freeSlot(slotType)
}

function endsWork(records: readonly AnyRecord[]): boolean {
  return records.some(({ kind }) => kind === 'completed' || kind === 'failed' || kind === 'released')
}

function takeLeased(state: EngineState, tracked: Tracked, given: Lease): void {
  const { view } = tracked
  const isOwner = view.owner === state.me && view.assignment?.incarnation === state.config.incarnation
  // The node began to close meanwhile: nothing more is handed out, and the run is given back.
  const isMine = isOwner && !state.isClosing
  if (isMine && view.state === 'processing' && tracked.work === null) {
    state.settling.delete(tracked.run)
    begin(state, tracked, given)
    return
  }
  if (isMine && view.state === 'claimed') state.settling.set(tracked.run, given)
  else {
    state.settling.delete(tracked.run)
    state.freeSlotOf(tracked)
    lease(state, given.ask, given.query)
  }
  review(state, tracked)
}

/** Nothing was written: the store is in trouble, or this device is out. */
function notWritten(state: EngineState, pending: PendingAppend, tracked: Tracked | undefined): void {
  if (pending.slotType !== null) state.freeSlot(pending.slotType)
  if (pending.lease !== null) {
    if (pending.run !== null) state.settling.delete(pending.run)
    state.emit({ type: 'leased', ask: pending.lease.ask, run: null, assignment: null })
  }
  if (tracked === undefined) return
  if (tracked.work?.outcome != null) concluded(state, tracked, false)
  else {
    if (tracked.work === null) state.freeSlotOf(tracked)
    postpone(state, tracked)
  }
}

/** What failed, or was without effect, is not tried again at once: the journals would fill with it. */
function postpone(state: EngineState, tracked: Tracked): void {
  if (isTerminal(tracked.view.state)) review(state, tracked)
  else state.timers.set(tracked.timer, state.now.monoMs + REWRITE_MS)
}
