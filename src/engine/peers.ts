/**
 * Who is alive, as far as this device can tell: by its own monotonic clock, since the last beacon that it heard. Remote
 * wall clocks judge nobody.
 */
import type { DeviceId } from '../../protocol/index.js'
import type { Beacon } from './beacon.js'
import type { EngineConfig } from './config.js'
import {
  LATE_BEACONS_MS,
  MAX_HEARD,
  SKEW_QUORUM,
  SKEW_TOLERANCE_MS,
  STABILITY_WINDOW_MS,
} from './constants.js'
import type { Now } from './events.js'
import { Pace } from './pace.js'

export interface Peer {
  readonly device: DeviceId
  beacon: Beacon | null
  /** When the last beacon came, on the monotonic clock. */
  heardMs: number
  /** Since when its incarnation is the one it has. */
  incarnationMs: number
  isOnline: boolean
  isConnected: boolean
  quality: number
  /** When the connection was lost; null while there is one, or never was. */
  lostMs: number | null
  /** How far its wall clock is ahead of ours; null if no beacon told that was not held up. */
  skewMs: number | null
  readonly pace: Pace
  /** Time since the last beacon in which we could not have heard another: it is not held against the device. */
  deafMs: number
}

/** Quality of a link to a device that is heard but not connected to: through others. */
const INDIRECT_QUALITY = 0.25

export class Peers {
  readonly #config: EngineConfig
  readonly #peers = new Map<DeviceId, Peer>()
  /** Nobody is judged by a silence from before this: we were not listening. */
  #listeningSinceMs: number
  /** The first that comes of a device until then may have waited for us to wake up. */
  #isLateUntilMs = Number.NEGATIVE_INFINITY
  readonly startedMs: number

  constructor(config: EngineConfig, now: Now) {
    this.#config = config
    this.#listeningSinceMs = now.monoMs
    this.startedMs = now.monoMs
  }

  get(device: DeviceId): Peer | undefined {
    return this.#peers.get(device)
  }

  get all(): Iterable<Peer> {
    return this.#peers.values()
  }

  /** Takes a beacon in. Null if it is old news. */
  hear(beacon: Beacon, now: Now): { readonly peer: Peer; readonly isNew: boolean } | null {
    const peer = this.#peer(beacon.device)
    const last = peer.beacon
    const isNewIncarnation = last === null || beacon.incarnation > last.incarnation
    const isNext = last?.incarnation === beacon.incarnation && beacon.sequence > last.sequence
    if (!isNewIncarnation && !isNext) return null
    if (isNewIncarnation) peer.incarnationMs = now.monoMs
    const isInTime = isNext
      ? peer.pace.isKept(beacon, now)
      : peer.pace.begin(beacon, now, this.#isLateUntilMs)
    if (isInTime) peer.skewMs = beacon.wallMs - now.wallMs
    const isNew = !peer.isOnline
    peer.beacon = beacon
    peer.heardMs = now.monoMs
    peer.isOnline = !beacon.leaving
    peer.deafMs = 0
    return { peer, isNew: isNew || isNewIncarnation }
  }

  /** A connection came, changed or went (null). */
  connection(device: DeviceId, quality: number | null, now: Now): void {
    const peer = this.#peer(device)
    if (quality === null) {
      if (peer.isConnected) peer.lostMs = now.monoMs
      peer.isConnected = false
    } else {
      peer.isConnected = true
      peer.quality = quality
      peer.lostMs = null
    }
  }

  qualityOf(device: DeviceId): number {
    const peer = this.#peers.get(device)
    if (peer === undefined) return 0
    return peer.isConnected ? peer.quality : INDIRECT_QUALITY
  }

  /**
   * We were asleep or blocked for `gapMs`, of which the monotonic clock counted `monoMs`: what was not heard meanwhile
   * says nothing about the others. After a long one we are like a newcomer, who first listens for a whole timeout.
   */
  slept(gapMs: number, monoMs: number, now: Now): void {
    const isLong = gapMs >= this.#config.heartbeat.timeoutMs
    this.#listeningSinceMs = isLong ? now.monoMs : this.#listeningSinceMs + monoMs
    this.#isLateUntilMs = now.monoMs + LATE_BEACONS_MS
    for (const peer of this.#peers.values()) {
      peer.heardMs -= gapMs - monoMs
      peer.pace.slept(gapMs - monoMs)
      peer.deafMs += gapMs
      peer.skewMs = null
    }
  }

  /** Our own wall clock was moved forward by so much. */
  clockMoved(byMs: number): void {
    for (const peer of this.#peers.values()) if (peer.skewMs !== null) peer.skewMs -= byMs
  }

  /** Milliseconds for which a device was silent while we listened. Of one that was never heard: since we listen. */
  ageOf(device: DeviceId, now: Now): number {
    const peer = this.#peers.get(device)
    const heardMs = peer === undefined ? Number.NEGATIVE_INFINITY : peer.heardMs + peer.deafMs
    return now.monoMs - Math.max(heardMs, this.#listeningSinceMs)
  }

  /**
   * Whether a device has been silent for too long: to us and, as far as they tell, to everyone else who is alive. A lost
   * connection that others confirm halves the wait.
   */
  isGone(device: DeviceId, timeoutMs: number, now: Now): boolean {
    const age = this.ageOf(device, now)
    const peer = this.#peers.get(device)
    if (this.hasLeft(device)) return true
    const lostMs = peer?.lostMs ?? null
    if (age <= (lostMs === null ? timeoutMs : timeoutMs / 2)) return false
    let confirmed = 0
    for (const other of this.#peers.values()) {
      if (other.device === device || other.beacon === null) continue
      const reportMs = now.monoMs - other.heardMs
      if (reportMs > timeoutMs) continue
      const heardMs = other.beacon.heard.find(([name]) => name === device)?.[1] ?? Number.POSITIVE_INFINITY
      // Heard by another within the time: alive. In the early days of a suspicion only what it heard since counts.
      const isVouchedFor = heardMs + reportMs <= timeoutMs
      if (isVouchedFor && (lostMs === null || age > timeoutMs || other.heardMs - heardMs > lostMs))
        return false
      // It spoke after the loss, and had not heard the device for a while either.
      if (lostMs !== null && other.heardMs > lostMs && heardMs >= timeoutMs / 2) confirmed++
    }
    return age > timeoutMs || confirmed > 0
  }

  /** When `isGone` may next change, if nothing is heard. */
  goneAtMs(device: DeviceId, timeoutMs: number, now: Now): number {
    const peer = this.#peers.get(device)
    if (peer?.beacon?.leaving) return peer.heardMs
    const sinceMs = now.monoMs - this.ageOf(device, now)
    const half = sinceMs + timeoutMs / 2
    if (peer !== undefined && peer.lostMs !== null && half > now.monoMs) return half
    return sinceMs + timeoutMs
  }

  /** It said goodbye. */
  hasLeft(device: DeviceId): boolean {
    return this.#peers.get(device)?.beacon?.leaving === true
  }

  isLive(device: DeviceId, now: Now): boolean {
    if (device === this.#config.device) return true
    const peer = this.#peers.get(device)
    return peer?.beacon?.leaving === false && now.monoMs - peer.heardMs <= this.#config.heartbeat.timeoutMs
  }

  /** Whom we hear, for our beacon: the freshest first. */
  heard(now: Now): readonly (readonly [DeviceId, number])[] {
    const ages: (readonly [DeviceId, number])[] = []
    for (const { device, heardMs, beacon } of this.#peers.values()) {
      if (beacon !== null) ages.push([device, Math.max(0, Math.round(now.monoMs - heardMs))])
    }
    return ages.sort((a, b) => a[1] - b[1]).slice(0, MAX_HEARD)
  }

  /**
   * How far our wall clock is behind the median of all, our own among them: two that are right outvote one that is not.
   * Null if too few are heard to tell.
   */
  skew(now: Now): number | null {
    const skews: number[] = [0]
    for (const { device, skewMs } of this.#peers.values())
      if (skewMs !== null && this.isLive(device, now)) skews.push(skewMs)
    if (skews.length <= SKEW_QUORUM) return null
    skews.sort((a, b) => a - b)
    const middle = skews.length >> 1
    const upper = skews[middle] as number
    if (skews.length % 2 === 1) return upper
    // Of two in the middle the one that asks for less.
    const lower = skews[middle - 1] as number
    return Math.abs(lower) < Math.abs(upper) ? lower : upper
  }

  get isAnyConnected(): boolean {
    for (const { isConnected } of this.#peers.values()) if (isConnected) return true
    return false
  }

  /** Whether others told what time it is: enough of them, or one that agrees with us. */
  isClockTold(now: Now): boolean {
    if (this.skew(now) !== null) return true
    for (const { skewMs, device } of this.#peers.values())
      if (skewMs !== null && Math.abs(skewMs) < SKEW_TOLERANCE_MS && this.isLive(device, now)) return true
    return false
  }

  /** Marks those who fell silent, and returns them. */
  takeOffline(now: Now): readonly DeviceId[] {
    const silent: DeviceId[] = []
    for (const peer of this.#peers.values()) {
      if (!peer.isOnline || !this.isGone(peer.device, this.#config.heartbeat.timeoutMs, now)) continue
      peer.isOnline = false
      silent.push(peer.device)
    }
    return silent
  }

  forget(device: DeviceId): void {
    this.#peers.delete(device)
  }

  #peer(device: DeviceId): Peer {
    let peer = this.#peers.get(device)
    if (peer === undefined) {
      peer = {
        device,
        beacon: null,
        heardMs: Number.NEGATIVE_INFINITY,
        incarnationMs: 0,
        isOnline: false,
        isConnected: false,
        quality: 0,
        lostMs: null,
        skewMs: null,
        pace: new Pace(),
        deafMs: 0,
      }
      this.#peers.set(device, peer)
    }
    return peer
  }
}

/** The share of the last hour in which this device was not asleep or blocked. */
export function stabilityOf(
  gaps: readonly { readonly endMs: number; readonly gapMs: number }[],
  now: Now,
): number {
  let lostMs = 0
  for (const { endMs, gapMs } of gaps) if (now.monoMs - endMs < STABILITY_WINDOW_MS) lostMs += gapMs
  return Math.max(0, 1 - lostMs / STABILITY_WINDOW_MS)
}
