/** Turns records into events that wait for delivery: each once, in order of arrival, and never more than fit. */
import type { AnyRecord, RunId, RunView } from '../../../protocol/index.js'
import { GROUP_JOURNAL } from '../../journal/names.js'
import type { Clock } from '../../platform/seams.js'
import { MAX_QUEUED, MAX_UNDECIDED, REREAD_MS } from './constants.js'
import { eventOf, isTold, type OutboxEvent, type ToldRecord } from './events.js'
import type { LogPosition, Positions } from './positions.js'
import { type Undecided, UndecidedRecords } from './undecided.js'

/** Where records can be read again. */
export interface RecordSource {
  /** Every journal there is. */
  journals(): readonly string[]
  /**
   * All records of a journal: each log in order, in pieces of any size. Nothing for a journal that was dropped. What it
   * resolves to is read in one go, and not always to its end: it had better decode lazily.
   */
  read(journal: string): Promise<Iterable<readonly AnyRecord[]>>
}

export interface QueuedEvent {
  readonly event: OutboxEvent
  readonly log: LogPosition
  readonly record: ToldRecord
}

export interface IntakeOptions {
  readonly positions: Positions
  readonly source: RecordSource
  readonly viewOf: (run: RunId) => RunView | null
  readonly clock: Clock
  readonly payloads: boolean
}

/** `past`: what comes was there before the outbox. `noting`: nobody listens yet. `taking`: it becomes events. */
type Mode = 'past' | 'noting' | 'taking'

export class Intake {
  readonly queue: QueuedEvent[] = []
  readonly #options: IntakeOptions
  readonly #undecided: UndecidedRecords
  /** Journals with records that were not taken, for want of room or of a listener: to be read again as a whole. */
  readonly #unread = new Set<string>()
  #reading: string | null = null
  #readableAtMs = 0
  #mode: Mode

  constructor(options: IntakeOptions, mode: Mode) {
    this.#options = options
    this.#mode = mode
    this.#undecided = new UndecidedRecords(options.clock)
  }

  get unread(): ReadonlySet<string> {
    return this.#reading === null ? this.#unread : new Set([...this.#unread, this.#reading])
  }

  get undecided(): number {
    return this.#undecided.size
  }

  isSettled(journal: string): boolean {
    const { positions } = this.#options
    if (this.#mode === 'past') return true
    return !this.unread.has(journal) && !positions.journal(journal).hasOpen && positions.isSaved(journal)
  }

  /** On the monotonic clock: when to call `expire` and `readNext` again. */
  get nextMs(): number | null {
    const again = this.#unread.size > 0 && this.#readableAtMs > this.#now ? this.#readableAtMs : null
    const times = [this.#undecided.nextMs, again].filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** From now on records become events. `journals` are read to begin with. */
  begin(journals: readonly string[]): void {
    this.#mode = 'taking'
    for (const journal of journals) this.#unread.add(journal)
  }

  take(journal: string, records: readonly AnyRecord[]): void {
    if (journal === GROUP_JOURNAL) return
    const isOpen = this.#mode === 'taking' && !this.#unread.has(journal) && this.#reading !== journal
    if (this.#mode === 'past') {
      this.#pass(journal, records)
    } else if (isOpen) {
      this.#accept(journal, records)
    } else if (this.#hasNew(journal, records)) {
      // Its records must be taken in order: those that come now wait until it is read.
      this.#putOff(journal)
    }
    this.#reconsider(records)
  }

  /** Whether there is a journal to read, and room for what is in it. */
  get canRead(): boolean {
    return (
      this.#reading === null &&
      this.#unread.size > 0 &&
      this.queue.length === 0 &&
      this.#undecided.size <= MAX_UNDECIDED / 2 &&
      this.#readableAtMs <= this.#now
    )
  }

  get isReading(): boolean {
    return this.#reading !== null
  }

  /** Reads the next journal of which something was left out. */
  async readNext(): Promise<void> {
    const [journal] = this.#unread
    if (journal === undefined) return
    this.#reading = journal
    this.#unread.delete(journal)
    try {
      const pieces = await this.#options.source.read(journal)
      // From here to the end nothing else can be taken: what came while it was loaded made it unread again.
      for (const records of pieces) if (!this.#accept(journal, records)) break
    } catch {
      this.#unread.add(journal)
      this.#readableAtMs = this.#now + REREAD_MS
    } finally {
      this.#reading = null
    }
  }

  /** Lets go of records that waited long enough. */
  expire(): void {
    for (const undecided of this.#undecided.expired()) {
      if (this.#decide(undecided)) continue
      this.#undecided.remove(undecided)
      undecided.log.settle(undecided.record.stamp)
    }
  }

  /** False if there was no room: the journal is then to be read again. */
  #accept(journal: string, records: readonly AnyRecord[]): boolean {
    const logOf = this.#logs(journal)
    for (const record of records) {
      const log = logOf(record)
      if (log.isTaken(record.stamp)) continue
      if (!isTold(record)) log.pass(record.stamp)
      else if (!this.#offer(record, log)) {
        this.#putOff(journal)
        return false
      }
    }
    return true
  }

  #offer(record: ToldRecord, log: LogPosition): boolean {
    if (this.queue.length >= MAX_QUEUED) return false
    const event = this.#eventOf(record)
    if (event === 'later' && this.#undecided.isFull) return false
    if (event === 'none') {
      log.pass(record.stamp)
      return true
    }
    log.take(record.stamp)
    if (event === 'later') this.#undecided.add(record, log)
    else this.queue.push({ event, log, record })
    return true
  }

  #reconsider(records: readonly AnyRecord[]): void {
    if (this.#undecided.size === 0) return
    const runs = new Set(records.filter(isTold).map(({ run }) => run))
    for (const run of runs) for (const undecided of this.#undecided.of(run)) this.#decide(undecided)
  }

  #decide(undecided: Undecided): boolean {
    const { record, log } = undecided
    const event = this.#eventOf(record)
    if (event === 'later') return false
    this.#undecided.remove(undecided)
    if (event === 'none') log.settle(record.stamp)
    else this.queue.push({ event, log, record })
    return true
  }

  #eventOf(record: ToldRecord): ReturnType<typeof eventOf> {
    return eventOf(record, this.#options.viewOf(record.run), this.#options)
  }

  #pass(journal: string, records: readonly AnyRecord[]): void {
    const logOf = this.#logs(journal)
    for (const record of records) {
      const log = logOf(record)
      if (!log.isTaken(record.stamp)) log.pass(record.stamp)
    }
  }

  #hasNew(journal: string, records: readonly AnyRecord[]): boolean {
    const logOf = this.#logs(journal)
    return records.some((record) => !logOf(record).isTaken(record.stamp))
  }

  #putOff(journal: string): void {
    this.#unread.add(journal)
    this.#options.positions.journal(journal).touch()
  }

  /** The logs of records that mostly have one author. */
  #logs(journal: string): (record: AnyRecord) => LogPosition {
    let last: LogPosition | null = null
    return ({ author: device, incarnation }) => {
      if (last === null || last.writer.device !== device || last.writer.incarnation !== incarnation)
        last = this.#options.positions.log(journal, { device, incarnation })
      return last
    }
  }

  get #now(): number {
    return this.#options.clock.monotonicMs()
  }
}
