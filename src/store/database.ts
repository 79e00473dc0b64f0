/** level, with the store's encodings and errors. */
import { Level } from 'level'
import { FETCH_BYTES, FETCH_KEYS } from './constants.js'
import { storeClosed } from './errors.js'
import type { KeyRange } from './keys.js'
import { isLocked, levelError, openError } from './level-errors.js'

export type Operation =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array }

export type Row = readonly [key: Uint8Array, value: Uint8Array]

/** What only LevelDB can, and IndexedDB need not. */
interface LevelDbOnly {
  repair?(location: string): Promise<void>
}
interface OpenLevelDbOnly {
  compactRange?(start: Uint8Array, end: Uint8Array): Promise<void>
}

// Hashes and signatures do not shrink, and tables that are not compressed can be checked by `leveldb/table.ts`.
const OPTIONS = { keyEncoding: 'view', valueEncoding: 'view', compression: false } as const

export class Database {
  readonly location: string
  readonly #reading = new Set<Promise<unknown>>()
  #level: Level<Uint8Array, Uint8Array> | null = null

  constructor(location: string) {
    this.location = location
  }

  get isOpen(): boolean {
    return this.#level !== null
  }

  get #opened(): Level<Uint8Array, Uint8Array> {
    if (this.#level === null) throw storeClosed()
    return this.#level
  }

  /** Throws level's own error: ask `isLocked` and `openError` what it means. */
  async open(options: { readonly create: boolean }): Promise<void> {
    const level = new Level<Uint8Array, Uint8Array>(this.location, OPTIONS)
    // In the same turn, as a level that is left alone opens by itself.
    await level.open({ createIfMissing: options.create })
    this.#level = level
  }

  /**
   * Whether somebody has it open. LevelDB takes the lock before it looks at anything else; asked to open a database that
   * must be there and must not be, it then always gives up, and nothing was touched.
   */
  async isHeld(): Promise<boolean> {
    try {
      await new Level(this.location).open({ createIfMissing: false, errorIfExists: true })
    } catch (error) {
      return isLocked(error)
    }
    throw new Error('A database that is there and is not was opened.')
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#track(this.#opened.get(key))
  }

  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#track(this.#opened.getMany([...keys]))
  }

  /** All of it or none. With `sync`, on the disk when it resolves. */
  async write(operations: readonly Operation[], options: { readonly sync: boolean }): Promise<void> {
    // A chained batch: a quarter of the time that an array of operations takes (0.14 ms against 0.53 ms for 64).
    const batch = this.#opened.batch()
    for (const operation of operations) {
      if (operation.type === 'put') batch.put(operation.key, operation.value)
      else batch.del(operation.key)
    }
    await this.#track(batch.write(options))
  }

  /** The rows of a range, in order of their keys, as many at once as are worth fetching. */
  async *rows(range: KeyRange): AsyncGenerator<readonly Row[]> {
    const iterator = this.#opened.iterator({ ...range, highWaterMarkBytes: FETCH_BYTES })
    try {
      while (true) {
        const rows = await this.#track(iterator.nextv(FETCH_KEYS))
        if (rows.length === 0) return
        yield rows
      }
    } finally {
      await iterator.close()
    }
  }

  /** Waits for what is under way, then closes. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#reading)
    const level = this.#level
    this.#level = null
    await level?.close()
  }

  /** Rebuilds LevelDB's own files from whatever can be read of them, and opens it. Moves the rest into `lost`. */
  async repair(): Promise<void> {
    if (this.isOpen) await this.close()
    try {
      await (Level as LevelDbOnly).repair?.(this.location)
      await this.open({ create: true })
    } catch (error) {
      throw openError(error, this.location)
    }
    // After a repair, LevelDB may answer a `get` with an older value. Merging all tables ends that.
    const merged = (this.#opened as OpenLevelDbOnly).compactRange?.(Uint8Array.of(), Uint8Array.of(0xff))
    if (merged !== undefined) await this.#track(merged)
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#reading.add(work)
    try {
      return await work
    } catch (error) {
      throw levelError(error, this.location)
    } finally {
      this.#reading.delete(work)
    }
  }
}
