/** Ends what does not move on. */
import type { CancelTimer, Clock } from '../platform/seams.js'

export interface Patience {
  /** Milliseconds without a sign of life. */
  readonly idleMs: number
  /** Milliseconds in all. */
  readonly timeoutMs: number
}

export class Watchdog {
  readonly #clock: Clock
  readonly #patience: Patience
  readonly #onExpired: () => void
  readonly #begunMs: number
  #lastMs: number
  #cancel: CancelTimer

  constructor(clock: Clock, patience: Patience, onExpired: () => void) {
    this.#clock = clock
    this.#patience = patience
    this.#onExpired = onExpired
    this.#begunMs = clock.monotonicMs()
    this.#lastMs = this.#begunMs
    this.#cancel = this.#arm()
  }

  /** A sign of life. */
  moved(): void {
    this.#lastMs = this.#clock.monotonicMs()
  }

  stop(): void {
    this.#cancel()
  }

  get #leftMs(): number {
    const { idleMs, timeoutMs } = this.#patience
    return Math.min(this.#lastMs + idleMs, this.#begunMs + timeoutMs) - this.#clock.monotonicMs()
  }

  #arm(): CancelTimer {
    return this.#clock.setTimer(this.#leftMs, () => {
      if (this.#leftMs <= 0) this.#onExpired()
      else this.#cancel = this.#arm()
    })
  }
}
