/** Timers of a node that end with it. */
import type { CancelTimer, Clock } from '../platform/seams.js'

export class Schedule {
  readonly #clock: Clock
  readonly #timers = new Set<CancelTimer>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  after(delayMs: number, work: () => void): void {
    const cancel = this.#clock.setTimer(delayMs, () => {
      this.#timers.delete(cancel)
      work()
    })
    this.#timers.add(cancel)
  }

  every(intervalMs: number, work: () => void): void {
    this.after(intervalMs, () => {
      work()
      this.every(intervalMs, work)
    })
  }

  close(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}
