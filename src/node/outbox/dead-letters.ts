/** Events that were given up: kept for people to look at, to be sent again or dropped. */
import type { Clock } from '../../platform/seams.js'
import type { Store } from '../../store/store.js'
import { CapacityError, InputError } from '../errors.js'
import type { Aside } from './aside.js'
import { MAX_ASIDE, MAX_DEAD } from './constants.js'
import type { DeliveryFault } from './delivery.js'
import type { OutboxEvent } from './events.js'
import { decodeLetter, encodeLetter, type Letter } from './letter.js'
import { checkLimit } from './options.js'
import { stored } from './unavailable.js'

const PREFIX = 'outbox/dead/'
const UNTOUCHED = 'The store does not answer. The dead letters are kept: try again later.'

export interface DeadLetter {
  readonly id: string
  readonly event: OutboxEvent
  readonly attempts: number
  /** When it was given up: milliseconds since 1970. */
  readonly diedAt: number
  readonly lastError: DeliveryFault | null
}

export interface DeadLetterPage {
  /** In order of when the events happened. */
  readonly letters: readonly DeadLetter[]
  /** Pass it on to get the next page; null after the last. */
  readonly cursor: string | null
}

export class DeadLetters {
  readonly #store: Store
  readonly #clock: Clock
  readonly #aside: Aside
  readonly #wake: () => void
  /** In the order in which they were given up. */
  readonly #ids = new Set<string>()
  #dropped = 0

  /** Belongs to an outbox: use `outbox.deadLetters`. */
  constructor(store: Store, clock: Clock, aside: Aside, wake: () => void) {
    this.#store = store
    this.#clock = clock
    this.#aside = aside
    this.#wake = wake
  }

  /** How many there are. */
  get size(): number {
    return this.#ids.size
  }

  /** How many were dropped for want of room since the outbox was opened. */
  get dropped(): number {
    return this.#dropped
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  async list(
    options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
  ): Promise<DeadLetterPage> {
    const limit = checkLimit(options.limit)
    const { cursor } = options
    const ids = [...this.#ids].filter((id) => cursor === undefined || id > cursor).sort()
    const page = ids.slice(0, limit)
    const letters = (await Promise.all(page.map((id) => this.get(id)))).filter((letter) => letter !== null)
    return { letters, cursor: ids.length > limit ? (page[page.length - 1] ?? null) : null }
  }

  async get(id: string): Promise<DeadLetter | null> {
    if (!this.#ids.has(id)) return null
    const bytes = await stored(this.#store.getItem(PREFIX + id), UNTOUCHED)
    const letter = bytes === null ? undefined : decodeLetter(bytes)
    if (letter === undefined) return null
    const { event, attempts, at: diedAt, lastError } = letter
    return { id, event, attempts, diedAt, lastError }
  }

  /** Tries it again from the start, as often as any other. Throws `DEAD_LETTER_NOT_FOUND`, or `QUEUE_FULL`. */
  async redrive(id: string): Promise<void> {
    if (!this.#ids.has(id)) throw notFound(id)
    if (this.#aside.isFull)
      throw new CapacityError(
        'QUEUE_FULL',
        `${MAX_ASIDE} events wait for a retry already. The dead letter was kept: try again later.`,
      )
    if (!(await this.#move(id))) throw notFound(id)
  }

  /** Tries all of them again, the earliest first, as many as there is room for. Returns how many. */
  async redriveAll(): Promise<number> {
    let count = 0
    for (const id of [...this.#ids].sort()) {
      if (this.#aside.isFull) break
      // Others may have moved or dropped it meanwhile.
      if (await this.#move(id)) count++
    }
    return count
  }

  /** Forgets it. Throws `DEAD_LETTER_NOT_FOUND`. */
  async drop(id: string): Promise<void> {
    // First of all: what is being dropped must not be moved.
    if (!this.#ids.delete(id)) throw notFound(id)
    try {
      await stored(this.#store.putItem(PREFIX + id, null), UNTOUCHED)
    } catch (error) {
      this.#ids.add(id)
      throw error
    }
  }

  /** From the dead to those that wait for a retry. False if it is gone. */
  async #move(id: string): Promise<boolean> {
    const letter = await this.get(id)
    // Before anything is written: two calls must not both move it.
    if (letter === null || !this.#ids.delete(id)) return false
    try {
      await stored(this.#aside.put(letter.event, 0, null), UNTOUCHED)
    } catch (error) {
      this.#ids.add(id)
      throw error
    }
    // It is on its way. If it cannot be taken from the dead, it is when they are loaded.
    await this.#store.putItem(PREFIX + id, null).catch(() => undefined)
    this.#wake()
    return true
  }

  /** For the outbox: reads what is there. One that is also aside was being moved when the process ended. */
  async load(): Promise<void> {
    const letters: Letter[] = []
    for (const bytes of (await this.#store.items(PREFIX)).values()) {
      const letter = decodeLetter(bytes)
      if (letter === undefined) continue
      if (this.#aside.has(letter.event.id)) await this.#store.putItem(PREFIX + letter.event.id, null)
      else letters.push(letter)
    }
    for (const { event } of letters.sort((a, b) => a.at - b.at)) this.#ids.add(event.id)
  }

  /** For the outbox: keeps an event that is given up. */
  async bury(event: OutboxEvent, attempts: number, lastError: DeliveryFault): Promise<void> {
    const letter: Letter = { event, attempts, at: Math.floor(this.#clock.wallMs()), lastError }
    await this.#store.putItem(PREFIX + event.id, encodeLetter(letter))
    this.#ids.add(event.id)
    const [oldest] = this.#ids
    if (this.#ids.size <= MAX_DEAD || oldest === undefined) return
    await this.#store.putItem(PREFIX + oldest, null)
    this.#ids.delete(oldest)
    this.#dropped++
  }
}

function notFound(id: string): InputError {
  return new InputError('DEAD_LETTER_NOT_FOUND', `No dead letter with the id ${id} is kept.`, { id })
}
