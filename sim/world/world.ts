/**
 * The world: time, and what happens in it. Nothing else moves a simulation. Between two things that happen, everything
 * that follows from the first, promise chains included, has come to rest.
 */
import { drained } from '../../src/platform/drained.js'
import { type GuardError, guardWorld } from '../../src/platform/guard.js'
import { afterTurn } from '../../src/platform/turn.js'
import { BURST, MAX_AT_ONCE, START_MS } from '../constants.js'
import { DeviceClock } from './device-clock.js'
import { Queue } from './queue.js'

/** One world at a time moves: whoever runs beside it never meets its guard. */
let lastBurst: Promise<void> = Promise.resolve()

export class World {
  readonly #queue = new Queue()
  readonly #onHappened: () => void
  readonly #onFault: (error: unknown) => void
  #nowMs = START_MS
  #numbers = 0
  #atOnce = 0
  /** Things that have happened. */
  happened = 0

  /** `onHappened` is called after each thing that happened; `onFault` with what is thrown meanwhile. */
  constructor(onHappened: () => void, onFault: (error: unknown) => void) {
    this.#onHappened = onHappened
    this.#onFault = onFault
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Milliseconds since the simulation began. */
  get passedMs(): number {
    return this.#nowMs - START_MS
  }

  nextNumber(): number {
    return this.#numbers++
  }

  clock({ skewMs = 0 }: { readonly skewMs?: number } = {}): DeviceClock {
    return new DeviceClock(this, skewMs)
  }

  after(delayMs: number, happen: () => void): void {
    const atMs = this.#nowMs + Math.max(0, delayMs)
    this.plan(atMs, atMs, this.nextNumber(), happen)
  }

  plan(atMs: number, dueMs: number, number: number, happen: () => void): void {
    this.#queue.push({ atMs: Math.max(atMs, this.#nowMs), dueMs, number, happen })
  }

  /** Lets time pass up to a moment, or until `isOver` says so after something happened. */
  async runUntil(endMs: number, isOver: () => boolean = () => false): Promise<void> {
    for (let goesOn = true; goesOn; ) goesOn = await this.#inTurn(() => this.#burst(endMs, isOver))
  }

  async #inTurn<T>(burst: () => Promise<T>): Promise<T> {
    const before = lastBurst
    let end: () => void = () => undefined
    lastBurst = new Promise((resolve) => {
      end = resolve
    })
    await before
    // On a fresh turn: what others do in promise chains is over by then.
    await new Promise<void>((turned) => afterTurn(turned))
    const errors: GuardError[] = []
    const open = guardWorld((error) => errors.push(error))
    try {
      return await burst()
    } finally {
      open()
      end()
      if (errors[0] !== undefined) this.#onFault(errors[0])
    }
  }

  /** True if there is more to do. */
  async #burst(endMs: number, isOver: () => boolean): Promise<boolean> {
    await drained()
    await drained()
    for (let i = 0; i < BURST; i++) {
      if (isOver()) return false
      const next = this.#queue.first
      if (next === undefined || next.atMs > endMs) {
        this.#nowMs = Math.max(this.#nowMs, endMs)
        return false
      }
      this.#queue.shift()
      this.#countAt(next.atMs)
      this.#nowMs = next.atMs
      try {
        next.happen()
      } catch (error) {
        this.#onFault(error)
      }
      await drained()
      this.happened++
      this.#onHappened()
    }
    return true
  }

  #countAt(atMs: number): void {
    this.#atOnce = atMs > this.#nowMs ? 0 : this.#atOnce + 1
    if (this.#atOnce > MAX_AT_ONCE)
      throw new Error(`Over ${MAX_AT_ONCE} things happened at one moment: one leads to itself for ever.`)
  }
}
