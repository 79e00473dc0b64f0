/**
 * Whether the beacons of a device come as they were sent. One that was held up, by a sleep, a stall or a bad link, tells
 * an old time: nobody may set a clock by it.
 */
import type { Beacon } from './beacon.js'
import { PACE_MS } from './constants.js'
import type { Now } from './events.js'

type Sent = Pick<Beacon, 'wallMs'>

export class Pace {
  #wallMs = 0
  #monoMs = 0
  #isKept = false

  /** The first beacon of a process. It may have waited for us if it comes before a moment. */
  begin(beacon: Sent, now: Now, untilMs: number): boolean {
    this.#isKept = now.monoMs > untilMs
    this.#goOnFrom(beacon, now)
    return this.#isKept
  }

  /** The next one. Once out of step, beacons have to be in step for a while: what waited may come in one go. */
  isKept(beacon: Sent, now: Now): boolean {
    const passedMs = now.monoMs - this.#monoMs
    const isInStep = Math.abs(passedMs - (beacon.wallMs - this.#wallMs)) <= PACE_MS
    this.#isKept = isInStep && (this.#isKept || passedMs >= PACE_MS)
    if (this.#isKept || !isInStep) this.#goOnFrom(beacon, now)
    return this.#isKept
  }

  /** We slept for so long, and the monotonic clock stood still. */
  slept(frozenMs: number): void {
    this.#monoMs -= frozenMs
  }

  #goOnFrom({ wallMs }: Sent, { monoMs }: Now): void {
    this.#wallMs = wallMs
    this.#monoMs = monoMs
  }
}
