/** The logs that a store holds and how far each goes: kept in memory, so that order is checked without reading. */
import { MAX_ENTRY_BYTES, MAX_SEQUENCE } from './constants.js'
import { StoreError } from './errors.js'
import { logPrefix } from './keys.js'
import type { LogKey, StoredBatch } from './store.js'

export interface Log {
  readonly key: LogKey
  /** What begins every key of its entries. */
  readonly prefix: Uint8Array
  /** How many entries it has: the sequence of the next. */
  next: number
  /** The first segment that nobody tried to pack yet. */
  nextSegment: number
}

/** An append that may be made. */
export interface Advance {
  /** The log of each entry. */
  readonly logs: readonly Log[]
  /** How many entries each log will have. */
  readonly next: ReadonlyMap<Log, number>
}

export class Logs {
  readonly #byName = new Map<string, Log>()

  all(): readonly Log[] {
    return [...this.#byName.values()]
  }

  of(journal: string): readonly Log[] {
    return this.all().filter(({ key }) => key.journal === journal)
  }

  get(key: LogKey): Log | undefined {
    return this.#byName.get(nameOf(key))
  }

  add(log: Log): void {
    this.#byName.set(nameOf(log.key), log)
  }

  remove(log: Log): void {
    this.#byName.delete(nameOf(log.key))
  }

  heads(): readonly (LogKey & { readonly sequence: number })[] {
    return this.all().map(({ key, next }) => ({ ...key, sequence: next - 1 }))
  }

  /** Looks whether these entries may be appended. Changes nothing: call `advance` once they are written. */
  check(entries: readonly StoredBatch[]): Advance {
    const touched = new Map<string, Log>()
    const logs: Log[] = []
    const next = new Map<Log, number>()
    for (const { log: key, sequence, signed } of entries) {
      if (signed.length > MAX_ENTRY_BYTES) throw tooLarge('An entry', signed.length, MAX_ENTRY_BYTES)
      const name = nameOf(key)
      const log = this.#byName.get(name) ?? touched.get(name) ?? newLog(key)
      touched.set(name, log)
      const expected = next.get(log) ?? log.next
      if (sequence !== expected || sequence > MAX_SEQUENCE) throw outOfOrder(key, sequence, expected)
      logs.push(log)
      next.set(log, sequence + 1)
    }
    return { logs, next }
  }

  advance(advance: Advance): void {
    for (const [log, next] of advance.next) {
      log.next = next
      this.add(log)
    }
  }
}

function nameOf({ journal, device, incarnation }: LogKey): string {
  return `${journal}/${device}/${incarnation}`
}

function newLog({ journal, device, incarnation }: LogKey): Log {
  const key = { journal, device, incarnation }
  return { key, prefix: logPrefix(key), next: 0, nextSegment: 0 }
}

function outOfOrder(log: LogKey, sequence: number, expected: number): StoreError {
  return new StoreError(
    'ENTRY_OUT_OF_ORDER',
    `The next entry of ${nameOf(log)} has the sequence ${expected}, not ${sequence}. Nothing of this append was kept. ` +
      (sequence > expected ? 'Append what comes before it first.' : 'It is there already.'),
    { details: { log, sequence, expected } },
  )
}

export function tooLarge(what: string, bytes: number, limit: number): StoreError {
  return new StoreError(
    'ENTRY_TOO_LARGE',
    `${what} of ${bytes} bytes is over the limit of ${limit}. Nothing of this write was kept. Split it, or keep the ` +
      'data elsewhere and a link to it here.',
    { details: { bytes, limit } },
  )
}
