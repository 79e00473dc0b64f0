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
import type { Draft, GroupView } from '../../protocol/index.js'
import { takeAppended } from './appended.js'
import { needsOfDraft, pump } from './assign.js'
import {
  beSuspect,
  correctClock,
  hasOthers,
  nextMs,
  noticeSleep,
  runClockwork,
  sendBeacon,
  withoutOldCorrection,
} from './clockwork.js'
import { type EngineSettings, engineConfig } from './config.js'
import { ref } from './drafts.js'
import type { Effect, EngineEvent, LocalFacts, Now } from './events.js'
import { lease } from './lease.js'
import { mayWork } from './members.js'
import { placementFor } from './place.js'
import { takingDrafts } from './records.js'
import { observe, review, untrack } from './review.js'
import { EngineState, lastChange, type Tracked } from './state.js'
import { endWork, reviewWork, stopWork } from './work.js'

export function createEngine(settings: EngineSettings, now: Now, group: GroupView): EngineState {
  return new EngineState(engineConfig(settings), now, group)
}

export function step(state: EngineState, given: EngineEvent): readonly Effect[] {
  state.effects = []
  const now = withoutOldCorrection(state, given.now)
  const event = now === given.now ? given : { ...given, now }
  noticeSleep(state, event.now)
  state.now = event.now
  const { suspectUntilMs, doubtUntilMs } = state
  take(state, event)
  runClockwork(state)
  const isSynced = suspectUntilMs !== null && state.suspectUntilMs === null
  const isSure = doubtUntilMs !== null && state.doubtUntilMs === null
  if (isSynced || isSure) state.lookAtAll()
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
      for (const tracked of byUrgency(state)) review(state, tracked)
      pump(state)
    }
    if (state.dirty.size === 0 && !state.wantsPump) return
  }
}

/** Runs outside the line that wait for a slot: first those for which room was made, then by priority. */
function byUrgency({ crowded, urgent }: EngineState): readonly Tracked[] {
  if (crowded.size === 0) return []
  const rank = (tracked: Tracked): number =>
    urgent.has(tracked) ? Number.POSITIVE_INFINITY : tracked.view.priority
  return [...crowded].sort((a, b) => (rank(b) > rank(a) ? 1 : rank(b) < rank(a) ? -1 : 0))
}

function take(state: EngineState, event: EngineEvent): void {
  switch (event.type) {
    case 'start':
      state.group = event.group
      state.mayWrite = mayWork(event.group, state.me)
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
        if (tracked !== null) state.lookAgain(tracked)
      }
      return
    case 'forgotten':
      for (const run of event.runs) {
        const tracked = state.runs.get(run)
        if (tracked === undefined) continue
        stopWork(state, tracked, 'superseded')
        untrack(state, tracked)
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
        correctClock(state)
        state.emit({ type: 'tell', notice: { type: 'online', device: event.beacon.device } })
        state.abilityChanged()
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
      takeLocal(state, event.facts)
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
      if (!tracked.isWriting) reviewWork(state, tracked)
      return
    }
    case 'release': {
      const tracked = state.runs.get(event.run)
      if (tracked !== undefined) giveBack(state, tracked, event.note)
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

function takeLocal(state: EngineState, facts: LocalFacts): void {
  const before = state.local
  if (before?.draining !== facts.draining) state.pulse.isBeaconWanted = true
  state.local = facts
  if (before === null || isOtherAbility(before, facts)) state.abilityChanged()
  else state.capacityChanged()
  for (const tracked of state.holdings.of(state.me)?.runs ?? [])
    if (tracked.work === null) state.lookAgain(tracked)
}

/** Whether the device can, or will, do other runs than before; not just more or fewer of them. */
function isOtherAbility(a: LocalFacts, b: LocalFacts): boolean {
  const keyOf = ({ handles, capabilities, projects, draining }: LocalFacts): string =>
    JSON.stringify([[...handles.keys()], capabilities, projects, draining])
  return keyOf(a) !== keyOf(b)
}

function takeGroup(state: EngineState, group: GroupView): void {
  state.group = group
  state.membershipChangedAt = lastChange(group)
  const mayWrite = mayWork(group, state.me)
  if (mayWrite !== state.mayWrite) state.lookAtAll()
  state.mayWrite = mayWrite
  for (const { device } of [...state.peers.all])
    if (group.members.get(device)?.revokedAt !== null) state.peers.forget(device)
  for (const [device] of state.holdings.devices) if (!mayWork(group, device)) lookAtHoldingsOf(state, device)
  state.abilityChanged()
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
  const placement = mayBegin && state.mayWrite ? placementFor(state, needsOfDraft(state, draft)) : null
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

/** A person wants it given back: what runs is stopped, and what has not begun does not. */
function giveBack(state: EngineState, tracked: Tracked, note: string | null): void {
  tracked.givingBack = { note }
  if (tracked.work !== null) stopWork(state, tracked, 'released')
  else state.lookAgain(tracked)
}

/** Hands everything back: handlers are told to stop, and what they held is given to others. */
function shutDown(state: EngineState): void {
  state.isClosing = true
  state.pulse.isBeaconWanted = true
  for (const tracked of state.holdings.of(state.me)?.runs ?? []) {
    if (tracked.work !== null) stopWork(state, tracked, 'shutdown')
    else state.lookAgain(tracked)
  }
}
