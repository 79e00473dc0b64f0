/** Events whose delivery failed and that will be tried again. They are on disk; in memory is only when and why. */
import type { RunId } from '../../../protocol/index.js'
import type { Clock, Random } from '../../platform/seams.js'
import type { Store } from '../../store/store.js'
import { type Backoff, backoffAfter } from './backoff.js'
import { MAX_ASIDE } from './constants.js'
import type { DeliveryFault } from './delivery.js'
import type { OutboxEvent, OutboxEventType } from './events.js'
import { decodeLetter, encodeLetter, type Letter } from './letter.js'

const PREFIX = 'outbox/aside/'

/** An event that waits for its next attempt. */
export interface AsideEvent {
  readonly id: string
  readonly type: OutboxEventType
  readonly run: RunId
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly nextAttemptAt: number
  readonly lastError: DeliveryFault | null
}

interface Waiting {
  readonly entry: AsideEvent
  /** On the monotonic clock. */
  readonly dueMs: number
}

export class Aside {
  readonly #store: Store
  readonly #clock: Clock
  readonly #random: Random
  readonly #backoff: Backoff
  readonly #entries = new Map<string, AsideEvent>()
  /** Those that wait, the next one first. Those being tried are not in it. */
  readonly #waiting: Waiting[] = []

  constructor(store: Store, clock: Clock, random: Random, backoff: Backoff) {
    this.#store = store
    this.#clock = clock
    this.#random = random
    this.#backoff = backoff
  }

  async load(): Promise<void> {
    for (const bytes of (await this.#store.items(PREFIX)).values()) {
      const letter = decodeLetter(bytes)
      if (letter === undefined) continue
      // The wall clock may have been set since: nothing waits longer than it would have.
      const waitMs = Math.min(letter.at - this.#clock.wallMs(), 2 * this.#backoff.maxBackoffMs)
      this.#insert(entryOf(letter), waitMs)
    }
  }

  get size(): number {
    return this.#entries.size
  }

  get isFull(): boolean {
    return this.#entries.size >= MAX_ASIDE
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** When the next one is due, on the monotonic clock. */
  get nextMs(): number | null {
    return this.#waiting[0]?.dueMs ?? null
  }

  list(limit: number): readonly AsideEvent[] {
    return [...this.#entries.values()].sort((a, b) => a.nextAttemptAt - b.nextAttemptAt).slice(0, limit)
  }

  /** Keeps an event until it is due again. Resolves once it is durable. */
  async put(event: OutboxEvent, attempts: number, lastError: DeliveryFault | null): Promise<void> {
    const waitMs = backoffAfter(attempts, this.#backoff, this.#random)
    const letter: Letter = { event, attempts, lastError, at: Math.floor(this.#clock.wallMs() + waitMs) }
    await this.#store.putItem(PREFIX + event.id, encodeLetter(letter))
    this.#insert(entryOf(letter), waitMs)
  }

  get hasDue(): boolean {
    return (this.nextMs ?? Number.POSITIVE_INFINITY) <= this.#clock.monotonicMs()
  }

  /** Hands out the next one that is due. It has to come back by `put`, `postpone` or `remove`. */
  takeDue(): AsideEvent | null {
    return this.hasDue ? (this.#waiting.shift()?.entry ?? null) : null
  }

  postpone(entry: AsideEvent, waitMs: number): void {
    this.#insert(entry, waitMs)
  }

  async read(id: string): Promise<OutboxEvent | null> {
    const bytes = await this.#store.getItem(PREFIX + id)
    return bytes === null ? null : (decodeLetter(bytes)?.event ?? null)
  }

  async remove(id: string): Promise<void> {
    await this.#store.putItem(PREFIX + id, null)
    this.#entries.delete(id)
  }

  #insert(entry: AsideEvent, waitMs: number): void {
    this.#entries.set(entry.id, entry)
    const dueMs = this.#clock.monotonicMs() + Math.max(0, waitMs)
    let [low, high] = [0, this.#waiting.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#waiting[middle] as Waiting).dueMs <= dueMs) low = middle + 1
      else high = middle
    }
    this.#waiting.splice(low, 0, { entry, dueMs })
  }
}

function entryOf({ event: { id, type, run }, attempts, at, lastError }: Letter): AsideEvent {
  return { id, type, run, attempts, nextAttemptAt: at, lastError }
}
