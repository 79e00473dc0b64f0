/** One device's clock in a virtual world: it can sleep, stall, be set wrong and crash. */
import type { CancelTimer, Clock } from '../platform/seams.js'

/** What a clock needs of the world that it stands in. */
export interface VirtualWorld {
  /** The world's time: milliseconds since 1970. */
  readonly nowMs: number
  /** Numbers every timer of the world, so that those due at one moment fire in the order in which they were set. */
  nextTimer(): number
}

interface Timer {
  /** On the device's monotonic clock. */
  readonly dueMs: number
  readonly number: number
  readonly callback: () => void
}

/** A timer that will fire: when, in the world's time, and what goes first among equals. */
export interface DueTimer {
  readonly atMs: number
  readonly dueMs: number
  readonly number: number
}

export class VirtualDeviceClock implements Clock {
  readonly #world: VirtualWorld
  /** Sorted by due time, then by number. The order is the device's own: sleeping does not change it. */
  #timers: Timer[] = []
  #aheadMs: number
  /** World time minus monotonic time: grows while the device sleeps. */
  #behindMs: number
  #asleepSinceMs: number | null = null
  #blockedUntilMs = 0
  #isStopped = false

  /** Use `time.clock()`. */
  constructor(world: VirtualWorld, skewMs: number) {
    this.#world = world
    this.#aheadMs = skewMs
    this.#behindMs = world.nowMs
  }

  wallMs(): number {
    return this.#world.nowMs + this.#aheadMs
  }

  /** Counts from 0, from when the clock was made. Stands still while the device sleeps. */
  monotonicMs(): number {
    return (this.#asleepSinceMs ?? this.#world.nowMs) - this.#behindMs
  }

  setTimer(delayMs: number, callback: () => void): CancelTimer {
    if (this.#isStopped) return () => undefined
    const timer = {
      dueMs: this.monotonicMs() + Math.max(0, delayMs),
      number: this.#world.nextTimer(),
      callback,
    }
    this.#timers.splice(this.#placeOf(timer), 0, timer)
    return () => this.#remove(timer)
  }

  get isAsleep(): boolean {
    return this.#asleepSinceMs !== null
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.length
  }

  /** The lid is closed: no timer fires and monotonic time stands still. The wall clock goes on. */
  sleep(): void {
    this.#asleepSinceMs ??= this.#world.nowMs
  }

  /** Timers go on with what was left of them. */
  wake(): void {
    if (this.#asleepSinceMs === null) return
    this.#behindMs += this.#world.nowMs - this.#asleepSinceMs
    this.#asleepSinceMs = null
  }

  /** The event loop is busy for so long: timers that fall due meanwhile fire at its end. Both clocks go on. */
  block(ms: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, this.#world.nowMs + ms)
  }

  /** Someone sets the wall clock, forth or back. */
  jump(ms: number): void {
    this.#aheadMs += ms
  }

  /** A crash: every timer is dropped, and none is taken any more. */
  stop(): void {
    this.#isStopped = true
    this.#timers = []
  }

  /** The timer that fires next; null if there is none or the device sleeps. */
  nextDue(): DueTimer | null {
    const timer = this.#timers[0]
    if (timer === undefined || this.isAsleep) return null
    const dueMs = timer.dueMs + this.#behindMs
    return { atMs: Math.max(dueMs, this.#blockedUntilMs), dueMs, number: timer.number }
  }

  /** Fires the timer that `nextDue` tells of. */
  fireNext(): void {
    this.#timers.shift()?.callback()
  }

  #remove(timer: Timer): void {
    const at = this.#placeOf(timer)
    if (this.#timers[at] === timer) this.#timers.splice(at, 1)
  }

  /** Where a timer stands, or would. */
  #placeOf(timer: Timer): number {
    let from = 0
    let to = this.#timers.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isBefore(this.#timers[middle] as Timer, timer)) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Whether one timer is due before another, or as early and set before it. */
function isBefore(a: Timer, b: Timer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.number < b.number)
}
