/**
 * How far each log was told. The records of a log come in the order of their stamps, so one stamp says it: all up to it
 * were delivered or put aside. Records after it may be under way; after a crash they come again.
 */
import { encodeCbor } from '../../../protocol/cbor.js'
import { type DeviceId, isStamp, type Stamp, type Writer } from '../../../protocol/index.js'
import type { Store } from '../../store/store.js'
import { decodeList } from './decode.js'

const PREFIX = 'outbox/cursor/'
const VERSION = 1
/** Position, logs, log. */
const DEPTH = 3

export class LogPosition {
  readonly writer: Writer
  readonly #journal: JournalPosition
  /** The last record that was taken. */
  #taken: Stamp
  /** Taken and not settled, lowest first: records are taken in order. */
  readonly #open = new Set<Stamp>()

  constructor(journal: JournalPosition, writer: Writer, taken: Stamp) {
    this.#journal = journal
    this.writer = writer
    this.#taken = taken
  }

  isTaken(stamp: Stamp): boolean {
    return stamp <= this.#taken
  }

  take(stamp: Stamp): void {
    this.#taken = stamp
    this.#open.add(stamp)
    this.#journal.touch()
  }

  /** Takes a record that there is nothing to do for. */
  pass(stamp: Stamp): void {
    this.#taken = stamp
    this.#journal.touch()
  }

  settle(stamp: Stamp): void {
    if (this.#open.delete(stamp)) this.#journal.touch()
  }

  get hasOpen(): boolean {
    return this.#open.size > 0
  }

  /** All up to here were settled. */
  get settled(): Stamp {
    const [lowest] = this.#open
    return lowest === undefined ? this.#taken : lowest - 1
  }
}

export class JournalPosition {
  readonly name: string
  readonly logs: Map<string, LogPosition> = new Map()
  /** Something was taken, or could not be, since the last clean close: only reading it again tells what. */
  isBehind = false
  readonly #dirty: Set<JournalPosition>

  constructor(name: string, dirty: Set<JournalPosition>) {
    this.name = name
    this.#dirty = dirty
  }

  touch(): void {
    this.isBehind = true
    this.#dirty.add(this)
  }

  get hasOpen(): boolean {
    return [...this.logs.values()].some((log) => log.hasOpen)
  }
}

export class Positions {
  /** Where a log begins of which nothing was taken yet. */
  floor: Stamp = 0
  readonly #store: Store
  readonly #journals = new Map<string, JournalPosition>()
  /** Not on disk as they stand here. */
  readonly #dirty = new Set<JournalPosition>()

  constructor(store: Store) {
    this.#store = store
  }

  async load(): Promise<void> {
    for (const [item, bytes] of await this.#store.items(PREFIX)) {
      const journal = this.journal(item.slice(PREFIX.length))
      const { isBehind, logs } = decode(bytes)
      journal.isBehind = isBehind
      for (const [device, incarnation, stamp] of logs)
        journal.logs.set(
          logKey({ device, incarnation }),
          new LogPosition(journal, { device, incarnation }, stamp),
        )
    }
  }

  journal(name: string): JournalPosition {
    let journal = this.#journals.get(name)
    if (journal === undefined) {
      journal = new JournalPosition(name, this.#dirty)
      this.#journals.set(name, journal)
    }
    return journal
  }

  log(name: string, { device, incarnation }: Writer): LogPosition {
    const journal = this.journal(name)
    const key = logKey({ device, incarnation })
    let log = journal.logs.get(key)
    if (log === undefined) {
      log = new LogPosition(journal, { device, incarnation }, this.floor)
      journal.logs.set(key, log)
    }
    return log
  }

  /** Journals of which something may be left to tell. */
  get behind(): readonly string[] {
    return [...this.#journals.values()].filter(({ isBehind }) => isBehind).map(({ name }) => name)
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  /** Whether a journal stands on disk as it stands here. */
  isSaved(name: string): boolean {
    return !this.#dirty.has(this.journal(name))
  }

  /** Writes down what changed. What cannot be written stays to be written. */
  async save(): Promise<void> {
    for (const journal of [...this.#dirty]) {
      // What is taken while it is written makes it dirty again.
      this.#dirty.delete(journal)
      try {
        await this.#store.putItem(PREFIX + journal.name, encode(journal))
      } catch (error) {
        this.#dirty.add(journal)
        throw error
      }
    }
  }

  /** Notes down of which journals all was told, apart from these. Nothing may be taken after it. */
  async close(unread: ReadonlySet<string>): Promise<void> {
    for (const journal of this.#journals.values()) {
      const isBehind = journal.hasOpen || unread.has(journal.name)
      if (journal.isBehind === isBehind) continue
      journal.isBehind = isBehind
      this.#dirty.add(journal)
    }
    await this.save()
  }
}

function logKey({ device, incarnation }: Writer): string {
  return `${device}/${incarnation}`
}

type StoredLog = readonly [DeviceId, number, Stamp]

function encode({ isBehind, logs }: JournalPosition): Uint8Array {
  const stored: StoredLog[] = [...logs.values()].map(({ writer, settled }) => [
    writer.device,
    writer.incarnation,
    settled,
  ])
  return encodeCbor([VERSION, isBehind, stored])
}

/** What cannot be read counts as nothing told: better twice than never. */
function decode(bytes: Uint8Array): { readonly isBehind: boolean; readonly logs: readonly StoredLog[] } {
  const [version, isBehind, logs] = decodeList(bytes, DEPTH)
  if (version !== VERSION || !Array.isArray(logs)) return { isBehind: true, logs: [] }
  return { isBehind: isBehind === true, logs: logs.filter(isStoredLog) }
}

function isStoredLog(value: unknown): value is StoredLog {
  const [device, incarnation, stamp] = Array.isArray(value) ? (value as unknown[]) : []
  return typeof device === 'string' && isStamp(incarnation) && isStamp(stamp)
}
