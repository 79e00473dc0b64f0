/**
 * The engine: `step(state, event)` takes in what happened and returns what to do. It reads no clock and does nothing
 * itself, so that a list of events can be played again and gives the same effects.
 *
 * @example
 * ```ts
 * const state = createEngine({ group, device, incarnation, viewOf, recordsOf }, now, groupView)
 * for (const effect of step(state, { type: 'beacon', beacon, now })) carryOut(effect)
 * ```
 */
import type { Draft, GroupView, RunId } from '../../protocol/index.js'
import { needsOfDraft, pump } from './assign.js'
import { beSuspect, hasOthers, nextMs, noticeSleep, runClockwork, sendBeacon } from './clockwork.js'
import { type EngineSettings, engineConfig } from './config.js'
import { REWRITE_MS } from './constants.js'
import { ref } from './drafts.js'
import type { Effect, EngineEvent, Now } from './events.js'
import { lease } from './lease.js'
import { begin, concluded, endWork, freeOwnSlot, reviewWork, stopWork } from './own-work.js'
import { placementFor } from './place.js'
import { takingDrafts } from './records.js'
import { observe, review, untrack } from './review.js'
import { EngineState, lastChange, type PendingAppend, type Tracked } from './state.js'

export function createEngine(settings: EngineSettings, now: Now, group: GroupView): EngineState {
  return new EngineState(engineConfig(settings), now, group)
}

export function step(state: EngineState, event: EngineEvent): readonly Effect[] {
  state.effects = []
  noticeSleep(state, event.now)
  state.now = event.now
  const wasSuspect = state.suspectUntilMs !== null
  take(state, event)
  runClockwork(state)
  if (wasSuspect && state.suspectUntilMs === null)
    for (const tracked of [...state.runs.values()]) state.lookAgain(tracked)
  settle(state)
  const timerMs = nextMs(state)
  if (timerMs < state.pulse.timerMs || event.type === 'wake') {
    state.pulse.timerMs = timerMs
    state.emit({ type: 'timer', atMs: timerMs })
  }
  return state.effects
}

/** Looks at all that is due or was touched, and moves the line, until nothing more follows from it. */
function settle(state: EngineState): void {
  for (
    let due = state.timers.takeDue(state.now.monoMs);
    due !== null;
    due = state.timers.takeDue(state.now.monoMs)
  ) {
    const tracked = state.runs.get(due.run)
    if (tracked !== undefined) state.lookAgain(tracked)
  }
  for (;;) {
    for (const tracked of state.dirty) review(state, tracked)
    if (state.wantsPump) {
      for (const offered of [...state.offers]) review(state, offered)
      pump(state)
    }
    if (state.dirty.size === 0 && !state.wantsPump) return
  }
}

function take(state: EngineState, event: EngineEvent): void {
  switch (event.type) {
    case 'start':
      state.group = event.group
      state.membershipChangedAt = lastChange(event.group)
      for (const view of event.views) {
        const tracked = observe(state, view)
        if (tracked !== null) state.lookAgain(tracked)
      }
      // Others may have taken over what an earlier process of this device held.
      if (hasOthers(state)) beSuspect(state)
      return
    case 'views':
      for (const view of event.views) {
        const tracked = observe(state, view)
        if (tracked !== null) review(state, tracked)
      }
      return
    case 'forgotten':
      for (const run of event.runs) {
        const tracked = state.runs.get(run)
        if (tracked !== undefined) untrack(state, tracked)
      }
      return
    case 'group':
      takeGroup(state, event.group)
      return
    case 'beacon': {
      const heard = state.peers.hear(event.beacon, event.now)
      if (heard === null) return
      if (heard.isNew && !event.beacon.leaving) {
        state.pulse.isBeaconWanted = true
        state.emit({ type: 'tell', notice: { type: 'online', device: event.beacon.device } })
      }
      if (event.beacon.leaving) {
        state.emit({ type: 'tell', notice: { type: 'offline', device: event.beacon.device } })
        lookAtHoldingsOf(state, event.beacon.device)
      }
      state.capacityChanged()
      return
    }
    case 'connection':
      state.peers.connection(event.device, event.quality, event.now)
      if (event.quality !== null) state.pulse.isBeaconWanted = true
      state.capacityChanged()
      return
    case 'local':
      if (state.local?.draining !== event.facts.draining) state.pulse.isBeaconWanted = true
      state.local = event.facts
      state.capacityChanged()
      for (const { view, run } of [...(state.holdings.of(state.me)?.runs ?? [])]) {
        const tracked = state.runs.get(run)
        if (tracked !== undefined && tracked.work === null && view.assignment?.device === state.me)
          state.lookAgain(tracked)
      }
      return
    case 'wake':
      state.pulse.timerMs = Number.POSITIVE_INFINITY
      lookAtSilent(state)
      return
    case 'synced':
      state.suspectUntilMs = null
      return
    case 'appended':
      takeAppended(state, event)
      return
    case 'ended': {
      const tracked = state.runs.get(event.run)
      if (tracked?.work?.assignment !== event.assignment || tracked.work.outcome !== null) return
      endWork(state, tracked, event.outcome)
      return
    }
    case 'submit':
      submit(state, event.ask, event.draft)
      return
    case 'write':
      state.append(null, event.drafts, { ask: event.ask })
      return
    case 'lease':
      lease(state, event.ask, event.query)
      return
    case 'renew': {
      const tracked = state.runs.get(event.run)
      if (tracked?.work?.assignment !== event.assignment || tracked.work.lease === null) return
      tracked.work.lease.renewedMs = event.now.monoMs
      reviewWork(state, tracked)
      return
    }
    case 'release': {
      const tracked = state.runs.get(event.run)
      if (tracked?.work != null) stopWork(state, tracked, 'released')
      return
    }
    case 'shutdown':
      shutDown(state)
      return
    case 'leave':
      sendBeacon(state, true)
      return
  }
}

function takeGroup(state: EngineState, group: GroupView): void {
  state.group = group
  state.membershipChangedAt = lastChange(group)
  for (const { device } of [...state.peers.all]) {
    if (group.members.get(device)?.revokedAt === null) continue
    state.peers.forget(device)
    lookAtHoldingsOf(state, device)
  }
  state.capacityChanged()
}

function lookAtHoldingsOf(state: EngineState, device: string): void {
  for (const tracked of state.holdings.of(device)?.runs ?? []) state.lookAgain(tracked)
}

/** Runs of devices that have been silent for long enough are looked at. */
function lookAtSilent(state: EngineState): void {
  for (const [device] of state.holdings.devices) {
    if (device === state.me) continue
    const { timeoutMs } = state.holdings.heartbeatOf(device)
    if (state.peers.isGone(device, timeoutMs, state.now)) lookAtHoldingsOf(state, device)
    else lookAtOldIncarnation(state, device, timeoutMs)
  }
}

function lookAtOldIncarnation(state: EngineState, device: string, timeoutMs: number): void {
  const peer = state.peers.get(device)
  if (peer?.beacon == null || state.now.monoMs - peer.incarnationMs <= timeoutMs) return
  for (const tracked of state.holdings.of(device)?.runs ?? []) {
    const { incarnation } = tracked.view.assignment ?? { incarnation: null }
    if (incarnation !== null && incarnation < peer.beacon.incarnation) state.lookAgain(tracked)
  }
}

/** Makes a run; where its device is clear at once, with its assignment in the same batch. */
function submit(state: EngineState, ask: number, draft: Draft<'created'>): void {
  const mayBegin =
    draft.approval === undefined && (draft.notBefore === undefined || draft.notBefore <= state.now.wallMs)
  const placement = mayBegin && !state.isClosing ? placementFor(state, needsOfDraft(state, draft)) : null
  const made = draft.key === undefined ? {} : { created: ref(0) }
  if (placement?.type === 'self') {
    state.takeSlot(draft.type)
    const drafts: Draft[] = [
      draft,
      { kind: 'assigned', run: ref(0), target: state.me, reason: 'created', ...made },
      ...takingDrafts(ref(0), ref(1)),
    ]
    state.append(null, drafts, { ask, slotType: draft.type })
    return
  }
  if (placement?.type === 'other') {
    const { device } = placement
    const assigned: Draft<'assigned'> = {
      kind: 'assigned',
      run: ref(0),
      target: device,
      reason: 'created',
      ...made,
    }
    state.append(null, [draft, assigned], { ask, promised: device })
    return
  }
  state.append(null, [draft], { ask })
}

function takeAppended(state: EngineState, event: Extract<EngineEvent, { readonly type: 'appended' }>): void {
  const pending = state.appends.get(event.token)
  if (pending === undefined) return
  state.appends.delete(event.token)
  if (pending.promised !== null) breakPromise(state, pending.promised)
  const tracked = pending.run === null ? undefined : state.runs.get(pending.run)
  if (tracked !== undefined) tracked.isWriting = false
  if (event.records === null) notWritten(state, pending, tracked)
  else written(state, pending, tracked, event)
}

function breakPromise(state: EngineState, device: string): void {
  const left = (state.promised.get(device) ?? 0) - 1
  if (left > 0) state.promised.set(device, left)
  else state.promised.delete(device)
}

function written(
  state: EngineState,
  pending: PendingAppend,
  about: Tracked | undefined,
  { views, records }: Extract<EngineEvent, { readonly type: 'appended' }>,
): void {
  if (about?.work?.outcome != null && endsWork(records ?? [], about)) concluded(state, about, true)
  let slotType = pending.slotType
  for (const view of views) {
    const tracked = observe(state, view)
    if (tracked === null) continue
    // The slot that was kept for a run before it had an id is the run's from now on.
    if (slotType !== null && !tracked.hasSlot && view.assignment?.device === state.me) {
      tracked.hasSlot = true
      slotType = null
    }
    if (pending.lease !== null && view.run === pending.run) takeLeased(state, tracked, pending.lease)
    else review(state, tracked)
  }
  if (slotType !== null) state.freeSlot(slotType)
}

function endsWork(records: readonly { readonly kind: string }[], { work }: Tracked): boolean {
  return (
    work !== null &&
    records.some(({ kind }) => kind === 'completed' || kind === 'failed' || kind === 'released')
  )
}

function takeLeased(state: EngineState, tracked: Tracked, given: NonNullable<PendingAppend['lease']>): void {
  const { view } = tracked
  const isMine = view.owner === state.me && view.assignment?.incarnation === state.config.incarnation
  if (isMine && view.state === 'processing' && tracked.work === null) {
    state.settling.delete(tracked.run)
    begin(state, tracked, given)
    return
  }
  if (isMine && view.state === 'claimed') state.settling.set(tracked.run, given)
  else {
    state.settling.delete(tracked.run)
    freeOwnSlot(state, tracked)
    lease(state, given.ask, given.query)
  }
  review(state, tracked)
}

function notWritten(state: EngineState, pending: PendingAppend, tracked: Tracked | undefined): void {
  if (pending.slotType !== null) state.freeSlot(pending.slotType)
  if (pending.lease !== null)
    state.emit({ type: 'leased', ask: pending.lease.ask, run: null, assignment: null })
  if (tracked === undefined) return
  if (tracked.work?.outcome != null) {
    concluded(state, tracked, false)
    return
  }
  if (tracked.work === null) freeOwnSlot(state, tracked)
  postpone(state, tracked.run)
}

/** The store is in trouble: the same again in a while, not at once. */
function postpone(state: EngineState, run: RunId): void {
  const tracked = state.runs.get(run)
  if (tracked !== undefined) state.timers.set(tracked.timer, state.now.monoMs + REWRITE_MS)
}

/** Hands everything back: handlers are told to stop, and what they held is given to others. */
function shutDown(state: EngineState): void {
  state.isClosing = true
  state.pulse.isBeaconWanted = true
  for (const tracked of [...(state.holdings.of(state.me)?.runs ?? [])]) {
    if (tracked.work !== null) stopWork(state, tracked, 'shutdown')
    else state.lookAgain(tracked)
  }
}
