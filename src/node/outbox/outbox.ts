/**
 * Delivers what happens to runs to the app, at least once.
 *
 * Records become events as they become durable (`Intake`), and are delivered (`Dispatcher`). An event that cannot be
 * delivered is put aside on disk and tried again later, so that it holds up nobody (`Aside`); at last it becomes a dead
 * letter (`DeadLetters`). How far all was told is written down once a second (`Positions`): after a crash a few events
 * come twice, and none is lost.
 *
 * @example
 * ```ts
 * const outbox = await openOutbox({ store, clock, random, source, viewOf })
 * // every `records` event of the journals, from their opening on, once it is in the views:
 * outbox.take(event.journal, event.records)
 * await outbox.start(async (event) => notify(event, { idempotencyKey: event.key }))
 * ```
 */
import { encodeCbor } from '../../../protocol/cbor.js'
import { type AnyRecord, isStamp, type Stamp, stampOf } from '../../../protocol/index.js'
import type { Store } from '../../store/store.js'
import { InputError, NodeError } from '../errors.js'
import { Aside, type AsideEvent } from './aside.js'
import { DeadLetters } from './dead-letters.js'
import { decodeList } from './decode.js'
import type { Deliver } from './delivery.js'
import { Dispatcher } from './dispatcher.js'
import { Intake } from './intake.js'
import { checkLimit, type OutboxOptions, readSettings } from './options.js'
import { Positions } from './positions.js'
import { Saver } from './saver.js'
import { stored } from './unavailable.js'

const SETUP_ITEM = 'outbox/setup'
const SETUP_VERSION = 1
const UNSAVED =
  'The outbox could not write down how far it came. Nothing is lost: some events may come twice.'

/** How much there is, and what became of the rest since the outbox was opened. */
export interface OutboxCounts {
  /** Wait for their first delivery. */
  readonly queued: number
  readonly delivering: number
  /** Failed and wait for a retry. */
  readonly aside: number
  readonly dead: number
  /** Records that have no effect yet. */
  readonly undecided: number
  /** Journals that have more than fits the queue. */
  readonly unread: number
  readonly delivered: number
  /** Dead letters that were dropped for want of room. */
  readonly dropped: number
  /** Reads and writes of the store that failed. They are done again. */
  readonly storeErrors: number
}

/** Opens the outbox of a store. Do it before the journals are opened, and give `take` all that they tell. */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  const { store, clock, random, source, viewOf, hold = () => () => {}, ...given } = options
  const settings = readSettings(given)
  const positions = new Positions(store)
  const aside = new Aside(store, clock, random, settings)
  await positions.load()
  await aside.load()
  const setup = await store.getItem(SETUP_ITEM)
  const isNew = setup === null
  const isWhole = isNew && settings.from === 'start'
  positions.floor = isNew ? (isWhole ? 0 : floorAt(clock.wallMs())) : readFloor(setup)
  const intake = new Intake(
    { positions, source, viewOf, clock, payloads: settings.payloads },
    isNew && !isWhole ? 'past' : 'noting',
  )
  const deadLetters = new DeadLetters(store, clock, aside, () => dispatcher.pump())
  const saver = new Saver(positions, clock)
  const dispatcher: Dispatcher = new Dispatcher({
    ...{ clock, settings, intake, aside, deadLetters },
    onSettled: () => saver.soon(),
  })
  await deadLetters.load()
  const toRead = (): readonly string[] => (isWhole ? source.journals() : isNew ? [] : positions.behind)
  return new Outbox({ store, positions, aside, intake, deadLetters, saver, dispatcher, toRead, isNew, hold })
}

/** What was written before this moment is past. */
function floorAt(wallMs: number): Stamp {
  return stampOf(Math.floor(wallMs)) - 1
}

function readFloor(bytes: Uint8Array): Stamp {
  const [version, floor] = decodeList(bytes, 1)
  return version === SETUP_VERSION && isStamp(floor) ? floor : 0
}

interface Parts {
  readonly store: Store
  readonly positions: Positions
  readonly aside: Aside
  readonly intake: Intake
  readonly deadLetters: DeadLetters
  readonly saver: Saver
  readonly dispatcher: Dispatcher
  /** The journals to read at the start. */
  readonly toRead: () => readonly string[]
  /** Nothing was ever delivered from this store. */
  readonly isNew: boolean
  readonly hold: () => () => void
}

export class Outbox {
  readonly deadLetters: DeadLetters
  readonly #parts: Parts
  #isSetUp: boolean
  #isStarted = false
  #closing: Promise<void> | null = null

  /** Use `openOutbox`. */
  constructor(parts: Parts) {
    this.#parts = parts
    this.#isSetUp = !parts.isNew
    this.deadLetters = parts.deadLetters
  }

  /** Takes in records that became durable, own ones and others', once they are in the views. */
  take(journal: string, records: readonly AnyRecord[]): void {
    if (this.#closing !== null) return
    const { intake, dispatcher, saver } = this.#parts
    intake.take(journal, records)
    dispatcher.pump()
    if (this.#isSetUp) saver.soon()
  }

  /** Begins to deliver, where it left off the last time. Throws `STORE_UNAVAILABLE` if it cannot be set up. */
  async start(deliver: Deliver): Promise<void> {
    this.#checkOpen()
    if (this.#isStarted) throw new InputError('INVALID_OPTIONS', 'The outbox has its listener already.')
    this.#isStarted = true
    const { intake, dispatcher, toRead } = this.#parts
    intake.begin(toRead())
    try {
      if (!this.#isSetUp) await stored(this.#setUp(), UNSAVED)
    } catch (error) {
      this.#isStarted = false
      throw error
    }
    if (this.#closing === null) dispatcher.start(deliver)
  }

  async #setUp(): Promise<void> {
    const { positions, saver, store } = this.#parts
    await saver.now()
    await store.putItem(SETUP_ITEM, encodeCbor([SETUP_VERSION, positions.floor]))
    this.#isSetUp = true
  }

  pending(): OutboxCounts {
    const { intake, dispatcher, aside, deadLetters, saver } = this.#parts
    return {
      queued: intake.queue.length,
      delivering: dispatcher.active,
      aside: aside.size,
      dead: deadLetters.size,
      undecided: intake.undecided,
      unread: intake.unread.size,
      delivered: dispatcher.delivered,
      dropped: deadLetters.dropped,
      storeErrors: dispatcher.storeErrors + saver.errors,
    }
  }

  /** Events that failed and wait for a retry, the next one first. */
  list(options: { readonly limit?: number } = {}): readonly AsideEvent[] {
    return this.#parts.aside.list(checkLimit(options.limit))
  }

  /** Whether all that a journal told so far was delivered or put aside, and that is on disk. Let none go before. */
  isSettled(journal: string): boolean {
    return this.#parts.intake.isSettled(journal)
  }

  /** Resolves once all that was taken has been tried, and how far it came is on disk. */
  async flush(): Promise<void> {
    this.#checkOpen()
    const letGo = this.#parts.hold()
    try {
      await this.#parts.dispatcher.idle()
      if (this.#isSetUp) await stored(this.#parts.saver.now(), UNSAVED)
    } finally {
      letGo()
    }
  }

  /**
   * Stops delivering and writes down how far it came. What is under way comes again at the next start. Close the
   * journals first: what they tell after this is not noted.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { dispatcher, saver, intake } = this.#parts
    await dispatcher.close()
    if (this.#isSetUp) await stored(saver.close(intake.unread), UNSAVED)
  }

  #checkOpen(): void {
    if (this.#closing !== null) throw new NodeError('NODE_CLOSED', 'The outbox was closed.')
  }
}
