/** A store behind a gate: once it is shut, a process that is no more can write nothing. */
import type { OnProgress } from '../platform/seams.js'
import { storeClosed } from '../store/errors.js'
import type {
  CompactionReport,
  Finding,
  LogKey,
  QuarantinedEntry,
  Store,
  StoredBatch,
} from '../store/store.js'

export class GatedStore implements Store {
  readonly #store: Store
  #isShut = false

  constructor(store: Store) {
    this.#store = store
  }

  shut(): void {
    this.#isShut = true
  }

  get findings(): readonly Finding[] {
    return this.#store.findings
  }

  heads(): Promise<readonly (LogKey & { readonly sequence: number })[]> {
    return this.#through((store) => store.heads())
  }

  append(entries: readonly StoredBatch[], options: { readonly durable: boolean }): Promise<void> {
    return this.#through((store) => store.append(entries, options))
  }

  read(journal: string, onProgress?: OnProgress): AsyncIterable<readonly StoredBatch[]> {
    if (this.#isShut) throw storeClosed()
    return this.#store.read(journal, onProgress)
  }

  evict(journal: string, stub: Uint8Array): Promise<void> {
    return this.#through((store) => store.evict(journal, stub))
  }

  stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#through((store) => store.stubs())
  }

  dropStub(journal: string): Promise<void> {
    return this.#through((store) => store.dropStub(journal))
  }

  putItem(name: string, value: Uint8Array | null): Promise<void> {
    return this.#through((store) => store.putItem(name, value))
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

  /** The store behind stays open: the next process gets it. */
  async close(): Promise<void> {
    this.#isShut = true
  }

  #through<T>(call: (store: Store) => Promise<T>): Promise<T> {
    return this.#isShut ? Promise.reject(storeClosed()) : call(this.#store)
  }
}
