/** The machine's clock, with the correction that the group's median asks for. */
import type { CancelTimer, Clock } from '../platform/seams.js'

export class CorrectedClock implements Clock {
  readonly #clock: Clock
  /** Added to the wall clock. */
  skewMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  wallMs(): number {
    return this.#clock.wallMs() + this.skewMs
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs()
  }

  setTimer(delayMs: number, callback: () => void): CancelTimer {
    return this.#clock.setTimer(delayMs, callback)
  }
}
