/** What waits to reach one device, in the order in which it was sent. */
import type { CancelTimer, Clock } from '../../platform/seams.js'

export class Inbox {
  readonly #clock: Clock | null
  readonly #latencyMs: number
  #waiting: (() => void)[] = []
  readonly #timers = new Set<CancelTimer>()

  /** Without a clock, what is pushed arrives in a microtask. */
  constructor(clock: Clock | null, latencyMs: number) {
    this.#clock = clock
    this.#latencyMs = latencyMs
  }

  get size(): number {
    return this.#waiting.length
  }

  push(arrive: () => void): void {
    this.#waiting.push(arrive)
    if (this.#clock === null) queueMicrotask(() => this.#next())
    else this.#setTimer(this.#clock)
  }

  /** Nothing more arrives. */
  close(): void {
    this.#waiting = []
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #setTimer(clock: Clock): void {
    const cancel = clock.setTimer(this.#latencyMs, () => {
      this.#timers.delete(cancel)
      this.#next()
    })
    this.#timers.add(cancel)
  }

  // Real timers may fire in another order than they were set in: each lets in the one that waits longest.
  #next(): void {
    this.#waiting.shift()?.()
  }
}
