/** One process's way to its device's disk. Once the process is dead, nothing more gets through. */
import type { Clock, OnProgress } from '../../src/platform/seams.js'
import { storeClosed } from '../../src/store/errors.js'
import type {
  CompactionReport,
  Finding,
  LogKey,
  QuarantinedEntry,
  Store,
  StoredBatch,
} from '../../src/store/store.js'
import type { Disk } from './disk.js'

export class DiskStore implements Store {
  readonly findings: readonly Finding[] = []
  readonly #disk: Disk
  readonly #clock: Clock
  #isShut = false
  #isClosed = false
  /** Ends with the last write. */
  #writing: Promise<void> = Promise.resolve()

  constructor(disk: Disk, clock: Clock) {
    this.#disk = disk
    this.#clock = clock
  }

  /** The process is dead. */
  shut(): void {
    this.#isShut = true
  }

  async append(entries: readonly StoredBatch[], { durable }: { readonly durable: boolean }): Promise<void> {
    this.#checkOpen()
    this.#disk.checkRoom()
    await this.#write(durable ? this.#disk.slowMs : 0, () => this.#disk.append(entries, durable))
  }

  async putItem(name: string, value: Uint8Array | null): Promise<void> {
    this.#checkOpen()
    this.#disk.checkRoom()
    await this.#write(this.#disk.slowMs, async () => {
      await this.#disk.store.putItem(name, value)
      this.#disk.sync()
    })
  }

  async evict(journal: string, stub: Uint8Array): Promise<void> {
    this.#checkOpen()
    await this.#write(0, async () => {
      await this.#disk.store.evict(journal, stub)
      this.#disk.sync()
    })
  }

  async dropStub(journal: string): Promise<void> {
    this.#checkOpen()
    await this.#write(0, async () => {
      await this.#disk.store.dropStub(journal)
      this.#disk.sync()
    })
  }

  heads(): Promise<readonly (LogKey & { readonly sequence: number })[]> {
    return this.#through((store) => store.heads())
  }

  read(journal: string, onProgress?: OnProgress): AsyncIterable<readonly StoredBatch[]> {
    this.#checkOpen()
    return this.#disk.store.read(journal, onProgress)
  }

  stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#through((store) => store.stubs())
  }

  getItem(name: string): Promise<Uint8Array | null> {
    return this.#through((store) => store.getItem(name))
  }

  items(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#through((store) => store.items(prefix))
  }

  quarantined(): Promise<readonly QuarantinedEntry[]> {
    return this.#through((store) => store.quarantined())
  }

  compact(onProgress?: OnProgress): Promise<CompactionReport> {
    return this.#through((store) => store.compact(onProgress))
  }

  /** Waits for what is being written. The disk stays: the next process gets it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    this.#isShut = true
  }

  /**
   * Writes come in the order of their calls; the times that they take pass side by side. A process that dies meanwhile
   * has not written.
   */
  #write(slowMs: number, write: () => Promise<void>): Promise<void> {
    const before = this.#writing
    const written = this.#wait(slowMs, before).then(write)
    this.#writing = written.catch(() => undefined)
    return written
  }

  async #wait(slowMs: number, before: Promise<void>): Promise<void> {
    if (slowMs > 0) await new Promise<void>((resolve) => this.#clock.setTimer(slowMs, resolve))
    await before
    if (this.#isShut) throw storeClosed()
  }

  #through<T>(call: (store: Store) => Promise<T>): Promise<T> {
    return this.#isClosed || this.#isShut ? Promise.reject(storeClosed()) : call(this.#disk.store)
  }

  #checkOpen(): void {
    if (this.#isClosed || this.#isShut) throw storeClosed()
  }
}
