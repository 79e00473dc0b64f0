/**
 * A world clock for tests: time passes when a test says so, and not before everything that is ready has run.
 *
 * Promise chains, `turn()` and timers are all waited for. Work that leaves the thread (a disk, WebCrypto) is not seen:
 * hand its promise to `during`.
 *
 * @example
 * ```ts
 * const time = new VirtualTime()
 * const laptop = time.clock({ skewMs: 2000 })
 * laptop.setTimer(60_000, beat)
 * laptop.sleep()
 * await time.advance(3_600_000)     // nothing fires
 * laptop.wake()
 * await time.advance(60_000)        // now it does
 * ```
 */
import { afterTurn, turnsAsked } from '../platform/turn.js'
import { type DueTimer, VirtualDeviceClock } from './virtual-device-clock.js'

/** 2026-01-01T12:00:00Z: noon, so that a test of some hours stays within one day's journal. */
export const VIRTUAL_START_MS = 1_767_268_800_000

/** Turns in a row in which nobody set a timer or asked for a turn. One drains all promises; the others are for luck. */
const QUIET_TURNS = 3

/** Timers that may fire at one moment. More is a timer that sets itself again with no delay, for ever. */
const MAX_FIRED_AT_ONCE = 1_000_000

/** Busy turns at one moment. More is a loop that waits, turn by turn, for what only time will bring. */
const MAX_TURNS_AT_ONCE = 1_000_000

export class VirtualTime {
  readonly #clocks: VirtualDeviceClock[] = []
  #nowMs: number = VIRTUAL_START_MS
  #timersSet = 0
  #works = 0

  /** The world's time: what a clock without skew shows on the wall. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** A device's clock. `skewMs`: how far its wall clock is ahead. */
  clock({ skewMs = 0 }: { readonly skewMs?: number } = {}): VirtualDeviceClock {
    const time = this
    const world = {
      get nowMs(): number {
        return time.#nowMs
      },
      nextTimer: () => this.#timersSet++,
    }
    const clock = new VirtualDeviceClock(world, skewMs)
    this.#clocks.push(clock)
    return clock
  }

  /** Time stands still until this work is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#works++
    try {
      return await work
    } finally {
      this.#works--
    }
  }

  /** Runs everything that is ready now, timers that are due included. No time passes. */
  async settle(): Promise<void> {
    await this.#runUntil(this.#nowMs)
  }

  /** Moves on from timer to timer, and lets everything that is ready run after each. */
  async advance(ms: number): Promise<void> {
    await this.#runUntil(this.#nowMs + ms)
  }

  async #runUntil(endMs: number): Promise<void> {
    let fired = 0
    await this.#quiet()
    for (;;) {
      const next = this.#next()
      if (next === null || next.due.atMs > endMs) break
      if (next.due.atMs > this.#nowMs) fired = 0
      if (++fired > MAX_FIRED_AT_ONCE)
        throw new Error(
          `Over ${MAX_FIRED_AT_ONCE} timers fired at one moment: one sets itself again for ever.`,
        )
      this.#nowMs = Math.max(this.#nowMs, next.due.atMs)
      next.clock.fireNext()
      await this.#quiet()
    }
    // A callback may have moved time itself.
    this.#nowMs = Math.max(this.#nowMs, endMs)
  }

  #next(): { readonly clock: VirtualDeviceClock; readonly due: DueTimer } | null {
    let next: { readonly clock: VirtualDeviceClock; readonly due: DueTimer } | null = null
    for (const clock of this.#clocks) {
      const due = clock.nextDue()
      if (due !== null && (next === null || isBefore(due, next.due))) next = { clock, due }
    }
    return next
  }

  /** Lets all that is ready run, until nothing has stirred for some turns. */
  async #quiet(): Promise<void> {
    let turns = 0
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.#timersSet + turnsAsked()
      await new Promise<void>((resolve) => afterTurn(resolve))
      const isBusy = this.#timersSet + turnsAsked() > before
      if (isBusy && ++turns > MAX_TURNS_AT_ONCE)
        throw new Error(
          `Someone asked for ${MAX_TURNS_AT_ONCE} turns at one moment: what waits for time never ends.`,
        )
      if (isBusy || this.#works > 0) quiet = -1
    }
  }
}

function isBefore(a: DueTimer, b: DueTimer): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs
  return a.dueMs !== b.dueMs ? a.dueMs < b.dueMs : a.number < b.number
}
