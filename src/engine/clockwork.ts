/** The device's own clockwork: ticks, beacons, the correction of its clock, and noticing that it slept. */
import { type HeartbeatPolicy, MAX_DRIFT_MS, MIN_BEACON_GAP_MS } from '../../protocol/index.js'
import { candidates, loadOfLocal } from './candidates.js'
import { LATE_BEACONS_MS, SAME_JUMP, SKEW_TOLERANCE_MS } from './constants.js'
import type { Now } from './events.js'
import { noteGap, silenceOf, slackOf } from './gaps.js'
import { stabilityOf } from './peers.js'
import type { EngineState } from './state.js'

/**
 * Somebody set a clock right that we had corrected: it jumped by about as much as we added. What was added is then too
 * much, and would put what is written next ahead of time. Returns the clocks as they are without it.
 */
export function withoutOldCorrection(state: EngineState, now: Now): Now {
  const { seen, skewMs } = state.pulse
  if (skewMs === 0) return now
  const jumpMs = now.wallMs - seen.wallMs - (now.monoMs - seen.monoMs)
  if (Math.abs(jumpMs - skewMs) > Math.max(SKEW_TOLERANCE_MS, Math.abs(skewMs) * SAME_JUMP)) return now
  state.pulse.skewMs = 0
  state.emit({ type: 'correct', skewMs: 0 })
  state.emit({ type: 'tell', notice: { type: 'skewed', skewMs: 0 } })
  return { ...now, wallMs: now.wallMs - skewMs }
}

/** Called with every event, before anything else: did time pass that we did not live through? */
export function noticeSleep(state: EngineState, now: Now): void {
  const { tick, seen } = state.pulse
  state.pulse.seen = now
  // A wall clock that was set forward looks like sleep, and is treated like it: a sync more, and nothing lost.
  const frozenMs = Math.max(0, now.wallMs - seen.wallMs - (now.monoMs - seen.monoMs))
  const lateMs = now.monoMs - tick.monoMs - state.config.tickMs
  const slackMs = slackOf(state)
  if (lateMs <= slackMs && frozenMs <= slackMs) return
  const gapMs = Math.max(lateMs, 0) + frozenMs
  state.now = now
  state.pulse.frozenMs += frozenMs
  state.pulse.tick = now
  state.peers.slept(gapMs, Math.max(lateMs, 0), now)
  // What was to happen at a time on the wall clock comes sooner by what we slept through.
  if (frozenMs > slackMs) state.lookAtAll()
  if (frozenMs >= MAX_DRIFT_MS && hasOthers(state)) state.doubtUntilMs = now.monoMs + LATE_BEACONS_MS
  if (silenceOf(state) >= paceOf(state).timeoutMs) suspectAll(state, gapMs)
}

/** The shortest interval and the shortest timeout of this device and of all that it holds. */
function paceOf({ config, holdings, me }: EngineState): HeartbeatPolicy {
  const [own, held] = [config.heartbeat, holdings.heartbeatOf(me)]
  return {
    intervalMs: Math.min(own.intervalMs, held.intervalMs),
    timeoutMs: Math.min(own.timeoutMs, held.timeoutMs),
  }
}

/** Others may have taken over what we held: nothing goes on before a sync. */
function suspectAll(state: EngineState, gapMs: number): void {
  state.emit({ type: 'tell', notice: { type: 'slept', gapMs: Math.round(gapMs) } })
  beSuspect(state)
}

/** Waits for a sync before anything is taken up or taken over. */
export function beSuspect(state: EngineState): void {
  state.suspectUntilMs = state.now.monoMs + state.config.syncWaitMs
  state.pulse.isBeaconWanted = true
  state.emit({ type: 'sync' })
}

/** What is due by itself. */
export function runClockwork(state: EngineState): void {
  const { now, pulse, config, peers } = state
  if (now.monoMs - pulse.tick.monoMs >= config.tickMs) {
    pulse.tick = now
    const { intervalMs, timeoutMs } = paceOf(state)
    pulse.intervalMs = intervalMs
    pulse.timeoutMs = timeoutMs
    correctClock(state)
    // Exclusions, circuits and batteries change with time alone.
    if (state.waiting.size > 0) state.capacityChanged()
  }
  if (now.monoMs >= state.pumpAtMs) {
    state.pumpAtMs = Number.POSITIVE_INFINITY
    state.wantsPump = true
  }
  for (const device of peers.takeOffline(now)) {
    state.emit({ type: 'tell', notice: { type: 'offline', device } })
    state.capacityChanged()
  }
  if (state.suspectUntilMs !== null && now.monoMs >= state.suspectUntilMs) state.suspectUntilMs = null
  if (state.doubtUntilMs !== null) endDoubt(state, state.doubtUntilMs)
  if (now.monoMs >= nextBeaconMs(state)) sendBeacon(state, false)
}

/** Writes with the time that most of the group have, if enough of them are heard. */
export function correctClock(state: EngineState): void {
  const skewMs = state.peers.skew(state.now)
  if (skewMs === null || Math.abs(skewMs) < SKEW_TOLERANCE_MS) return
  state.pulse.skewMs += Math.round(skewMs)
  state.emit({ type: 'correct', skewMs: state.pulse.skewMs })
  state.emit({ type: 'tell', notice: { type: 'skewed', skewMs: state.pulse.skewMs } })
  state.peers.clockMoved(Math.round(skewMs))
  // All is looked at with the right time, in this very step. The jump is our own doing, and no sleep.
  state.now = { ...state.now, wallMs: state.now.wallMs + Math.round(skewMs) }
  state.pulse.seen = state.now
  state.lookAtAll()
}

/**
 * A wall clock that jumped while we slept may have been set meanwhile: what is written by a clock that is ahead nobody
 * takes until then, and by it deadlines seem to have passed. So the others are asked, if any is there to tell.
 */
function endDoubt(state: EngineState, untilMs: number): void {
  const { now, peers, suspectUntilMs } = state
  const isAlone = suspectUntilMs === null && !peers.isAnyConnected
  if (now.monoMs < untilMs && !isAlone && !peers.isClockTold(now)) return
  state.doubtUntilMs = null
  correctClock(state)
}

function nextBeaconMs({ pulse, local }: EngineState): number {
  if (local === null) return Number.POSITIVE_INFINITY
  return pulse.beaconMs + (pulse.isBeaconWanted ? MIN_BEACON_GAP_MS : pulse.intervalMs)
}

/** `leaving`: the last one. */
export function sendBeacon(state: EngineState, leaving: boolean): void {
  const { local, now, pulse, config } = state
  if (local === null) return
  noteGap(state)
  pulse.beaconMs = now.monoMs
  pulse.isBeaconWanted = false
  state.emit({
    type: 'beacon',
    beacon: {
      device: state.me,
      incarnation: config.incarnation,
      wallMs: Math.floor(now.wallMs),
      uptimeMs: Math.max(0, Math.round(now.monoMs - state.peers.startedMs)),
      intervalMs: pulse.intervalMs,
      active: state.used,
      slots: local.slots,
      load: loadOfLocal(local),
      lagMs: Math.round(local.lagMs),
      draining: local.draining || state.isClosing,
      leaving,
      onMains: local.onMains,
      battery: local.battery,
      stability: stabilityOf(state.gaps, now),
      waiting: state.waiting.counts,
      heard: state.peers.heard(now),
    },
  })
}

/** When something is due next, on the monotonic clock. */
export function nextMs(state: EngineState): number {
  const { pulse, config, now } = state
  let next = Math.min(
    state.timers.nextMs,
    pulse.tick.monoMs + config.tickMs,
    nextBeaconMs(state),
    state.pumpAtMs,
    state.heldBackUntilMs ?? Number.POSITIVE_INFINITY,
    state.suspectUntilMs ?? Number.POSITIVE_INFINITY,
  )
  for (const { device, isOnline } of state.peers.all) {
    if (isOnline) next = Math.min(next, dueOf(state, device, config.heartbeat.timeoutMs))
  }
  for (const [device] of state.holdings.devices) {
    if (device === state.me) continue
    next = Math.min(next, dueOf(state, device, state.holdings.heartbeatOf(device).timeoutMs))
  }
  return Math.max(next, now.monoMs)
}

/** When a device will have been silent for too long. Past times are not waited for: a tick looks again. */
function dueOf(state: EngineState, device: string, timeoutMs: number): number {
  const goneMs = state.peers.goneAtMs(device, timeoutMs, state.now)
  return goneMs >= state.now.monoMs ? goneMs + 1 : Number.POSITIVE_INFINITY
}

export function hasOthers(state: EngineState): boolean {
  return candidates(state, '').some(({ device, revoked }) => device !== state.me && !revoked)
}
