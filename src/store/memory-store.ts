/** A store that forgets everything with its process: for tests, and for nodes that keep nothing. */
import type { OnProgress } from '../platform/seams.js'
import { MAX_ITEM_BYTES } from './constants.js'
import { storeClosed } from './errors.js'
import { itemKey, stubKey } from './keys.js'
import { type Log, Logs, tooLarge } from './logs.js'
import type { CompactionReport, Finding, LogKey, QuarantinedEntry, Store, StoredBatch } from './store.js'

// As many as a journal takes in between two turns of the event loop.
const CHUNK_ENTRIES = 1024

export class MemoryStore implements Store {
  readonly findings: readonly Finding[] = []
  readonly #logs = new Logs()
  readonly #entries = new Map<Log, StoredBatch[]>()
  readonly #items = new Map<string, Uint8Array>()
  readonly #stubs = new Map<string, Uint8Array>()
  #closed = false

  async heads(): Promise<readonly (LogKey & { readonly sequence: number })[]> {
    this.#checkOpen()
    return this.#logs.heads()
  }

  async append(entries: readonly StoredBatch[], _options: { readonly durable: boolean }): Promise<void> {
    this.#checkOpen()
    const advance = this.#logs.check(entries)
    entries.forEach(({ sequence, signed }, i) => {
      const log = advance.logs[i] as Log
      const kept = this.#entries.get(log) ?? []
      this.#entries.set(log, kept)
      kept.push({ log: log.key, sequence, signed: signed.slice() })
    })
    this.#logs.advance(advance)
  }

  async *read(journal: string, onProgress?: OnProgress): AsyncGenerator<readonly StoredBatch[]> {
    this.#checkOpen()
    const logs = this.#logs.of(journal).map((log) => ({ log, until: log.next }))
    const total = logs.reduce((sum, { until }) => sum + until, 0)
    let done = 0
    for (const { log, until } of logs) {
      for (let from = 0; from < until; from += CHUNK_ENTRIES) {
        this.#checkOpen()
        const chunk = this.#entries.get(log)?.slice(from, Math.min(until, from + CHUNK_ENTRIES)) ?? []
        if (chunk.length === 0) break // Evicted meanwhile.
        done += chunk.length
        onProgress?.({ what: 'read', done, total })
        yield chunk
      }
    }
  }

  async evict(journal: string, stub: Uint8Array): Promise<void> {
    this.#checkOpen()
    stubKey(journal)
    checkItem('A stub', stub)
    for (const log of this.#logs.of(journal)) {
      this.#logs.remove(log)
      this.#entries.delete(log)
    }
    this.#stubs.set(journal, stub.slice())
  }

  async stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
    this.#checkOpen()
    return pick(this.#stubs, '')
  }

  async dropStub(journal: string): Promise<void> {
    this.#checkOpen()
    stubKey(journal)
    this.#stubs.delete(journal)
  }

  async putItem(name: string, value: Uint8Array | null): Promise<void> {
    this.#checkOpen()
    itemKey(name)
    if (value === null) {
      this.#items.delete(name)
      return
    }
    checkItem('An item', value)
    this.#items.set(name, value.slice())
  }

  async getItem(name: string): Promise<Uint8Array | null> {
    this.#checkOpen()
    itemKey(name)
    return this.#items.get(name)?.slice() ?? null
  }

  async items(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    this.#checkOpen()
    return pick(this.#items, prefix)
  }

  async quarantined(): Promise<readonly QuarantinedEntry[]> {
    this.#checkOpen()
    return []
  }

  /** There is nothing to gain: entries in memory have no keys. */
  async compact(_onProgress?: OnProgress): Promise<CompactionReport> {
    this.#checkOpen()
    return { entriesPacked: 0, packsWritten: 0 }
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #checkOpen(): void {
    if (this.#closed) throw storeClosed()
  }
}

function pick(from: ReadonlyMap<string, Uint8Array>, prefix: string): ReadonlyMap<string, Uint8Array> {
  const names = [...from.keys()].filter((name) => name.startsWith(prefix)).sort()
  return new Map(names.map((name) => [name, (from.get(name) as Uint8Array).slice()]))
}

function checkItem(what: string, value: Uint8Array): void {
  if (value.length > MAX_ITEM_BYTES) throw tooLarge(what, value.length, MAX_ITEM_BYTES)
}
