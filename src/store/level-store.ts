/** The store on level: LevelDB in a folder, IndexedDB in browsers. Made by `openLevelStore`. */
import type { Files } from '../platform/platform.js'
import type { OnProgress } from '../platform/seams.js'
import { AtomicWrite } from './atomic-write.js'
import { packSegment, segmentsToPack } from './compact.js'
import { MAX_ITEM_BYTES, PACK_ENTRIES, REOPEN_ROOM_BYTES } from './constants.js'
import type { Database } from './database.js'
import type { Sealer } from './entry.js'
import { StoreError, storeClosed } from './errors.js'
import { entryKey, itemKey, journalRange, positionOf, QUARANTINE_RANGE, stubKey } from './keys.js'
import type { Ledger } from './ledger.js'
import { corrupt, openError } from './level-errors.js'
import { type Log, tooLarge } from './logs.js'
import { decodeQuarantined } from './quarantine.js'
import { Queue } from './queue.js'
import { type ReadSource, readLog } from './read.js'
import { type ScanResult, scan } from './scan.js'
import type { CompactionReport, Finding, LogKey, QuarantinedEntry, Store, StoredBatch } from './store.js'
import type { Witness } from './witness.js'

/** A store's own files. */
export interface StoreFiles {
  readonly files: Files
  readonly folder: string
  readonly witness: Witness
}

export interface LevelStoreParts {
  readonly database: Database
  readonly sealer: Sealer
  readonly scanned: ScanResult
  /** `null` where there are no files. */
  readonly files: StoreFiles | null
  /** Gives back what marks the store as held. */
  readonly release: () => Promise<void>
}

type Names = 'items' | 'stubs'

export class LevelStore implements Store {
  readonly #database: Database
  readonly #sealer: Sealer
  readonly #files: StoreFiles | null
  readonly #release: () => Promise<void>
  readonly #queue = new Queue()
  readonly #findings: Finding[]
  #ledger: Ledger
  /** The write that failed. LevelDB may have torn its log with it: nothing is written until it was opened anew. */
  #failed: AtomicWrite | null = null
  #closing: Promise<void> | null = null

  constructor({ database, sealer, scanned, files, release }: LevelStoreParts) {
    this.#database = database
    this.#sealer = sealer
    this.#files = files
    this.#release = release
    this.#findings = [...scanned.findings]
    this.#ledger = scanned.ledger
  }

  get findings(): readonly Finding[] {
    return this.#findings
  }

  async heads(): Promise<readonly (LogKey & { readonly sequence: number })[]> {
    this.#checkOpen()
    return this.#ledger.logs.heads()
  }

  async append(entries: readonly StoredBatch[], { durable }: { readonly durable: boolean }): Promise<void> {
    if (entries.length === 0) return this.#checkOpen()
    await this.#write(durable, (write) => {
      const { logs } = this.#ledger
      const advance = logs.check(entries)
      entries.forEach(({ sequence, signed }, i) => {
        write.put(entryKey((advance.logs[i] as Log).prefix, sequence), signed)
      })
      write.entries = entries
      return () => logs.advance(advance)
    })
  }

  async *read(journal: string, onProgress?: OnProgress): AsyncGenerator<readonly StoredBatch[]> {
    this.#checkOpen()
    const logs = this.#ledger.logs.of(journal).map((log) => ({ log, until: log.next }))
    const total = logs.reduce((sum, { until }) => sum + until, 0)
    let done = 0
    for (const { log, until } of logs) {
      for await (const entries of readLog(this.#source, log, until)) {
        done += entries.length
        onProgress?.({ what: 'read', done, total })
        yield entries
      }
    }
  }

  async evict(journal: string, stub: Uint8Array): Promise<void> {
    checkItem('A stub', stub)
    const key = stubKey(journal)
    await this.#write(true, async (write) => {
      const { logs, stubs } = this.#ledger
      const gone = logs.of(journal)
      let entries = 0
      for await (const rows of this.#database.rows(journalRange(journal))) {
        for (const [entry, value] of rows) {
          write.delete(entry, value)
          entries += positionOf(entry)?.packed ? PACK_ENTRIES : 1
        }
      }
      // What LevelDB does not show would not be deleted, and come back one day.
      if (entries !== gone.reduce((sum, log) => sum + log.next, 0)) {
        throw corrupt(`Entries of ${journal} cannot be read any more.`, this.#database.location)
      }
      const checksum = write.put(key, stub, stubs.get(journal))
      return () => {
        for (const log of gone) logs.remove(log)
        stubs.set(journal, checksum)
      }
    })
  }

  async stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#named('stubs', () => true)
  }

  async dropStub(journal: string): Promise<void> {
    await this.#setNamed('stubs', journal, null)
  }

  async putItem(name: string, value: Uint8Array | null): Promise<void> {
    if (value !== null) checkItem('An item', value)
    await this.#setNamed('items', name, value)
  }

  async getItem(name: string): Promise<Uint8Array | null> {
    itemKey(name)
    return (await this.#named('items', (other) => other === name)).get(name) ?? null
  }

  async items(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#named('items', (name) => name.startsWith(prefix))
  }

  async quarantined(): Promise<readonly QuarantinedEntry[]> {
    await this.#ready()
    const entries: QuarantinedEntry[] = []
    for await (const rows of this.#database.rows(QUARANTINE_RANGE)) {
      for (const [key, value] of rows) {
        const body = this.#sealer.unseal(key, value)
        const entry = body === null ? null : decodeQuarantined(body)
        if (entry === null) {
          throw corrupt('Something in quarantine cannot be read any more.', this.#database.location)
        }
        entries.push(entry)
      }
    }
    return entries
  }

  async compact(onProgress?: OnProgress): Promise<CompactionReport> {
    this.#checkOpen()
    const total = this.#ledger.logs.all().reduce((sum, log) => sum + segmentsToPack(log), 0)
    let packsWritten = 0
    for (let done = 1; done <= total; done++) {
      if (await this.#packNext()) packsWritten++
      onProgress?.({ what: 'compact', done, total })
    }
    return { entriesPacked: packsWritten * PACK_ENTRIES, packsWritten }
  }

  // One segment at a time, reading and writing in one turn of the queue: appends go between, evictions cannot.
  // Not synced: the entries stay where they were until LevelDB has the whole write.
  async #packNext(): Promise<boolean> {
    let packed = false
    await this.#write(false, async (write) => {
      const log = this.#ledger.logs.all().find((each) => segmentsToPack(each) > 0)
      if (log === undefined) return null
      packed = await packSegment(this.#database, this.#sealer, log, write)
      if (!packed) log.nextSegment++
      return packed ? () => log.nextSegment++ : null
    })
    return packed
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#queue.idle()
    await this.#database.close()
    this.#files?.witness.close()
    await this.#release()
  }

  #checkOpen(): void {
    if (this.#closing !== null) throw storeClosed()
  }

  get #source(): ReadSource {
    return {
      database: this.#database,
      sealer: this.#sealer,
      has: (log, count) => (this.#ledger.logs.get(log.key)?.next ?? 0) >= count,
      ready: () => this.#ready(),
    }
  }

  /** Resolves once the database is open: at once, but for the time after a disk ran full. */
  async #ready(): Promise<void> {
    this.#checkOpen()
    if (!this.#database.isOpen) await this.#queue.run(() => this.#recover())
  }

  async #named(which: Names, wanted: (name: string) => boolean): Promise<ReadonlyMap<string, Uint8Array>> {
    await this.#ready()
    const checksums = this.#ledger[which]
    const names = [...checksums.keys()].filter(wanted).sort()
    const keys = names.map(keyOf(which))
    const expected = names.map((name) => checksums.get(name))
    const values = await this.#database.getMany(keys)
    const found = new Map<string, Uint8Array>()
    names.forEach((name, i) => {
      const value = values[i]
      const body = value === undefined ? null : this.#sealer.unseal(keys[i] as Uint8Array, value)
      if (body !== null) found.set(name, body.slice())
      // It may have been taken away since the names were looked up. It may not be missing without that.
      else if (checksums.get(name) === expected[i]) {
        throw corrupt(`${JSON.stringify(name)} cannot be read any more.`, this.#database.location)
      }
    })
    return found
  }

  async #setNamed(which: Names, name: string, value: Uint8Array | null): Promise<void> {
    const key = keyOf(which)(name)
    await this.#write(true, (write) => {
      const checksums = this.#ledger[which]
      const replaced = checksums.get(name)
      if (value !== null) {
        const checksum = write.put(key, value, replaced)
        return () => checksums.set(name, checksum)
      }
      if (replaced === undefined) return null
      write.delete(key, replaced)
      return () => checksums.delete(name)
    })
  }

  /**
   * The one way to write. `build` puts operations into the write and answers with what to do once they are on disk, or
   * with `null` if there is nothing to write. It runs when all writes before have ended.
   */
  async #write(
    sync: boolean,
    build: (write: AtomicWrite) => Promise<(() => void) | null> | (() => void) | null,
  ): Promise<void> {
    this.#checkOpen()
    await this.#queue.run(async () => {
      if (this.#failed !== null || !this.#database.isOpen) await this.#recover()
      const write = new AtomicWrite(this.#ledger.state, this.#sealer)
      const done = await build(write)
      if (done !== null) await this.#commit(write, sync, done)
    })
  }

  async #commit(write: AtomicWrite, sync: boolean, done: () => void): Promise<void> {
    try {
      await this.#database.write(write.operations(), { sync })
    } catch (error) {
      this.#failed = write
      throw error
    }
    this.#ledger.state = write.state
    this.#files?.witness.write(write.writes)
    done()
  }

  /**
   * Opens the database anew after a write failed. As long as the disk has no room for that it stays open for reading.
   * What was found is what counts then: the failed write may have reached the disk after all.
   */
  async #recover(): Promise<void> {
    if (this.#database.isOpen && this.#failed === null) return
    await this.#checkRoom()
    const { writes } = this.#ledger.state
    await this.#database.close()
    try {
      await this.#database.open({ create: false })
    } catch (error) {
      throw openError(error, this.#database.location)
    }
    const { ledger, findings, mend } = await scan(this.#database, this.#sealer, writes)
    if (mend !== null) {
      await this.#database.write(mend.operations(), { sync: true })
      ledger.state = mend.state
    }
    const failed = this.#failed
    this.#findings.push(...findings)
    this.#ledger = ledger
    this.#failed = null
    if (failed !== null) await this.#undo(failed)
  }

  async #checkRoom(): Promise<void> {
    if (this.#files === null || !this.#database.isOpen) return
    const { files, folder } = this.#files
    if (await files.hasRoom(folder, REOPEN_ROOM_BYTES)) return
    throw new StoreError(
      'STORE_FULL',
      'The disk is still full. Nothing of this write was kept; everything acknowledged before is there and can be ' +
        `read. Free at least ${REOPEN_ROOM_BYTES / 2 ** 20} MiB and write again: the store recovers by itself.`,
    )
  }

  // Callers were told that these entries were not kept, and will append others in their place.
  async #undo({ entries }: AtomicWrite): Promise<void> {
    const { logs, state } = this.#ledger
    const write = new AtomicWrite(state, this.#sealer)
    const back = new Map<Log, number>()
    for (const { log: key, sequence } of [...entries].reverse()) {
      const log = logs.get(key)
      if (log === undefined || (back.get(log) ?? log.next) !== sequence + 1) continue
      const entry = entryKey(log.prefix, sequence)
      const value = await this.#database.get(entry)
      if (value === undefined) continue
      write.delete(entry, value)
      back.set(log, sequence)
    }
    if (back.size === 0) return
    await this.#commit(write, true, () => {
      for (const [log, next] of back) {
        log.next = next
        if (next === 0) logs.remove(log)
      }
    })
  }
}

function keyOf(which: Names): (name: string) => Uint8Array {
  return which === 'items' ? itemKey : stubKey
}

function checkItem(what: string, value: Uint8Array): void {
  if (value.length > MAX_ITEM_BYTES) throw tooLarge(what, value.length, MAX_ITEM_BYTES)
}
