/** One device's clock: it can sleep, stall, run too fast, be set wrong, and stop. */
import type { CancelTimer, Clock } from '../../src/platform/seams.js'
import type { World } from './world.js'

interface Timer {
  /** On the device's monotonic clock. */
  readonly dueMs: number
  readonly number: number
  readonly callback: () => void
  /** Times that it was planned: of several plans the last counts. */
  plans: number
}

/** Ticks in a millisecond. A power of two: sums and differences of readings are exact, or a timer might never be due. */
const TICKS = 1024

/** What the rounding of world time amounts to, in milliseconds, and more. */
const ROUNDING_MS = 0.001

export class DeviceClock implements Clock {
  readonly #world: World
  /** World time at which the two readings below were taken. */
  #baseMs: number
  #monoMs = 0
  #wallMs: number
  /** Milliseconds of the device to one of the world. */
  #rate = 1
  #isAsleep = false
  /** The latest due time of a timer that fired. */
  #firedMs = 0
  #blockedUntilMs = 0
  #isStopped = false
  /** Timers that have not fired. */
  readonly #timers = new Set<Timer>()

  constructor(world: World, skewMs: number) {
    this.#world = world
    this.#baseMs = world.nowMs
    this.#wallMs = world.nowMs + skewMs
  }

  wallMs(): number {
    return Math.floor(this.#wallMs + (this.#world.nowMs - this.#baseMs) * this.#rate)
  }

  monotonicMs(): number {
    const monoMs = this.#isAsleep
      ? this.#monoMs
      : this.#monoMs + (this.#world.nowMs - this.#baseMs) * this.#rate
    // Where the clock runs at a pace of its own, rounding must not show a time before that of a timer that fired.
    return Math.max(Math.floor(monoMs * TICKS) / TICKS, this.#firedMs)
  }

  setTimer(delayMs: number, callback: () => void): CancelTimer {
    if (this.#isStopped) return () => undefined
    const timer: Timer = {
      dueMs: Math.ceil((this.monotonicMs() + Math.max(0, delayMs)) * TICKS) / TICKS,
      number: this.#world.nextNumber(),
      callback,
      plans: 0,
    }
    this.#timers.add(timer)
    this.#plan(timer)
    return () => void this.#timers.delete(timer)
  }

  get isAsleep(): boolean {
    return this.#isAsleep
  }

  get isBlocked(): boolean {
    return this.#blockedUntilMs > this.#world.nowMs
  }

  /** Whether the event loop was blocked within the last so many milliseconds: what fell due meanwhile may still be ahead. */
  wasBlocked(withinMs: number): boolean {
    return this.#blockedUntilMs > this.#world.nowMs - withinMs
  }

  /** No timer fires and monotonic time stands still. The wall clock goes on. */
  sleep(): void {
    if (this.#isAsleep) return
    this.#rebase()
    this.#isAsleep = true
  }

  /** Timers go on with what was left of them. */
  wake(): void {
    if (!this.#isAsleep) return
    this.#rebase()
    this.#isAsleep = false
    this.#planAll()
  }

  /** The event loop is busy for so long: what falls due meanwhile happens at its end. Both clocks go on. */
  block(ms: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, this.#world.nowMs + ms)
  }

  /** Someone sets the wall clock, forth or back. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  /** Both clocks go so much faster (0.0001: 100 parts in a million) than the world's from now on. */
  drift(by: number): void {
    this.#rebase()
    this.#rate = 1 + by
    this.#planAll()
  }

  /** A crash: no timer fires any more, and none is taken. */
  stop(): void {
    this.#isStopped = true
    this.#timers.clear()
  }

  #rebase(): void {
    const { nowMs } = this.#world
    this.#wallMs += (nowMs - this.#baseMs) * this.#rate
    if (!this.#isAsleep) this.#monoMs += (nowMs - this.#baseMs) * this.#rate
    this.#baseMs = nowMs
  }

  /** When a timer is due, in the world's time, if nothing changes. */
  #dueOf(timer: Timer): number {
    return this.#baseMs + (timer.dueMs - this.#monoMs) / this.#rate
  }

  #planAll(): void {
    for (const timer of this.#timers) this.#plan(timer)
  }

  /** While the device sleeps nothing is planned: it is when it wakes. */
  #plan(timer: Timer, notBeforeMs = 0): void {
    if (this.#isAsleep) return
    const dueMs = this.#dueOf(timer)
    const plan = ++timer.plans
    this.#world.plan(Math.max(dueMs, notBeforeMs), dueMs, timer.number, () => {
      if (timer.plans === plan) this.#due(timer)
    })
  }

  /** The moment that was planned for has come; meanwhile the device may have slept, or its clock changed its pace. */
  #due(timer: Timer): void {
    if (!this.#timers.has(timer) || this.#isAsleep) return
    const { nowMs } = this.#world
    if (this.#dueOf(timer) > nowMs + ROUNDING_MS) this.#plan(timer)
    else if (this.#blockedUntilMs > nowMs) this.#plan(timer, this.#blockedUntilMs)
    else {
      this.#timers.delete(timer)
      this.#firedMs = Math.max(this.#firedMs, timer.dueMs)
      timer.callback()
    }
  }
}
