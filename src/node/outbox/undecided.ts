/**
 * Records that have no effect as things stand: what they cite has not arrived, or never will. They are looked at again
 * when their run gets more records, and a last time when their time is up.
 */
import type { RunId } from '../../../protocol/index.js'
import type { Clock } from '../../platform/seams.js'
import { MAX_UNDECIDED, UNDECIDED_MS } from './constants.js'
import type { ToldRecord } from './events.js'
import type { LogPosition } from './positions.js'

export interface Undecided {
  readonly record: ToldRecord
  readonly log: LogPosition
  readonly untilMs: number
}

export class UndecidedRecords {
  readonly #clock: Clock
  readonly #byRun = new Map<RunId, Undecided[]>()
  /** In the order in which their time is up. */
  readonly #all = new Set<Undecided>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#all.size
  }

  get isFull(): boolean {
    return this.#all.size >= MAX_UNDECIDED
  }

  /** On the monotonic clock: when the first one's time is up. */
  get nextMs(): number | null {
    const [first] = this.#all
    return first?.untilMs ?? null
  }

  add(record: ToldRecord, log: LogPosition): void {
    const undecided = { record, log, untilMs: this.#clock.monotonicMs() + UNDECIDED_MS }
    this.#all.add(undecided)
    const sameRun = this.#byRun.get(record.run)
    if (sameRun === undefined) this.#byRun.set(record.run, [undecided])
    else sameRun.push(undecided)
  }

  of(run: RunId): readonly Undecided[] {
    return this.#byRun.get(run) ?? []
  }

  remove(undecided: Undecided): void {
    this.#all.delete(undecided)
    const { run } = undecided.record
    const rest = this.of(run).filter((other) => other !== undecided)
    if (rest.length === 0) this.#byRun.delete(run)
    else this.#byRun.set(run, rest)
  }

  /** Those whose time is up. */
  expired(): readonly Undecided[] {
    const now = this.#clock.monotonicMs()
    const found: Undecided[] = []
    for (const undecided of this.#all) {
      if (undecided.untilMs > now) break
      found.push(undecided)
    }
    return found
  }
}
