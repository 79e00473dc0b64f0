/** A host for an outbox: a story's records in journals, views of them, a clock that stands still until it is moved. */
import { type AnyRecord, isRunRecord, RunTable } from '../../../protocol/index.js'
import {
  type Deliver,
  type Outbox,
  type OutboxEvent,
  type OutboxSettings,
  openOutbox,
} from '../../../src/node/outbox/index.js'
import type { Clock } from '../../../src/platform/seams.js'
import { MemoryStore } from '../../../src/store/memory-store.js'
import type { Store } from '../../../src/store/store.js'
import { seededRandom } from '../../../src/testing/seeded.js'
import { START, Story } from '../../protocol/story.js'

export const TODAY = '2026-01-01'

export class TestClock implements Clock {
  nowMs: number = START + 500
  /** How far somebody set the wall clock. */
  setByMs = 0
  readonly #timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()

  wallMs(): number {
    return this.nowMs + this.setByMs
  }

  monotonicMs(): number {
    return this.nowMs - START
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  advance(ms: number): void {
    this.nowMs += ms
    for (const timer of [...this.#timers].sort((a, b) => a.atMs - b.atMs)) {
      if (timer.atMs <= this.nowMs && this.#timers.delete(timer)) timer.callback()
    }
  }
}

/** Turns of the event loop until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 10_000) throw new Error('It never came to pass.')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A disk that can be taken away. */
export class LooseStore extends MemoryStore {
  isAway = false

  override async putItem(name: string, value: Uint8Array | null): Promise<void> {
    if (this.isAway) throw new Error('The disk is away.')
    await super.putItem(name, value)
  }

  override async getItem(name: string): Promise<Uint8Array | null> {
    if (this.isAway) throw new Error('The disk is away.')
    return super.getItem(name)
  }
}

export class Host {
  clock: TestClock = new TestClock()
  readonly story: Story = new Story()
  readonly heard: OutboxEvent[] = []
  store: Store
  /** What is durable: all that was told, journal by journal. */
  readonly journals: Map<string, AnyRecord[]> = new Map()
  /** Reads of whole journals. */
  reads = 0
  readonly table: RunTable
  #told: number
  #outbox: Outbox | undefined

  constructor(store: Store = new MemoryStore()) {
    this.store = store
    this.table = new RunTable(this.story.group)
    this.#told = this.story.records.length
  }

  get outbox(): Outbox {
    if (this.#outbox === undefined) throw new Error('The outbox is not open.')
    return this.#outbox
  }

  /** A new process. Journals in `resting` are not read at its start, the others are told again. */
  async open(settings: OutboxSettings & { readonly resting?: readonly string[] } = {}): Promise<Outbox> {
    const { resting = [], ...rest } = settings
    const outbox = await openOutbox({
      ...rest,
      store: this.store,
      clock: this.clock,
      random: seededRandom(1),
      viewOf: (run) => this.table.view(run),
      source: {
        journals: () => [...this.journals.keys()],
        read: (journal) => this.read(journal),
      },
    })
    this.#outbox = outbox
    for (const [journal, records] of this.journals)
      if (!resting.includes(journal)) outbox.take(journal, records)
    return outbox
  }

  async read(journal: string): Promise<Iterable<readonly AnyRecord[]>> {
    this.reads++
    return this.#pieces(journal)
  }

  *#pieces(journal: string): Generator<readonly AnyRecord[]> {
    const records = this.journals.get(journal) ?? []
    for (let at = 0; at < records.length; at += 100) yield records.slice(at, at + 100)
  }

  /** Opens, and listens to all. */
  async listen(settings: OutboxSettings & { readonly resting?: readonly string[] } = {}): Promise<Outbox> {
    const outbox = await this.open(settings)
    await outbox.start(this.hear)
    return outbox
  }

  readonly hear: Deliver = (event) => void this.heard.push(event)

  get heardIds(): readonly string[] {
    return this.heard.map(({ id }) => id)
  }

  /** Makes durable, and tells, what was written in the story since. */
  tell(journal: string = TODAY): readonly AnyRecord[] {
    const records = this.story.records.slice(this.#told)
    this.#told = this.story.records.length
    this.arrive(records, journal)
    return records
  }

  arrive(records: readonly AnyRecord[], journal: string = TODAY): void {
    this.table.addAll(records.filter(isRunRecord))
    this.journals.set(journal, [...(this.journals.get(journal) ?? []), ...records])
    this.#outbox?.take(journal, records)
  }

  /** The process ends at once: what is not in the store by now is gone, and its timers with it. */
  async crash(): Promise<void> {
    const kept = new MemoryStore()
    for (const [name, value] of await this.store.items('')) await kept.putItem(name, value)
    this.store = kept
    const { nowMs } = this.clock
    this.clock = new TestClock()
    this.clock.nowMs = nowMs
    this.#outbox = undefined
  }

  /** Moves the clock, and lets what is due be tried. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    this.story.wait(ms)
    await this.outbox.flush()
  }
}
