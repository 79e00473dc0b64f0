/** The simplest store there could be, to compare a real one with; and what reads a real one as a whole. */
import type { LogKey, Store, StoredBatch } from '../store/store.js'

/** All that can be seen of a store, as plain data. */
export interface StoreContents {
  /** For each log, by name, the entries as text. */
  readonly logs: Readonly<Record<string, readonly string[]>>
  readonly stubs: Readonly<Record<string, string>>
  readonly items: Readonly<Record<string, string>>
}

export class StoreModel {
  readonly #logs = new Map<string, { key: LogKey; entries: string[] }>()
  readonly #stubs = new Map<string, string>()
  readonly #items = new Map<string, string>()

  next(log: LogKey): number {
    return this.#logs.get(nameOf(log))?.entries.length ?? 0
  }

  append(entries: readonly StoredBatch[]): void {
    for (const { log, signed } of entries) {
      const kept = this.#logs.get(nameOf(log)) ?? { key: log, entries: [] }
      this.#logs.set(nameOf(log), kept)
      kept.entries.push(textOf(signed))
    }
  }

  evict(journal: string, stub: Uint8Array): void {
    for (const [name, { key }] of this.#logs) if (key.journal === journal) this.#logs.delete(name)
    this.#stubs.set(journal, textOf(stub))
  }

  dropStub(journal: string): void {
    this.#stubs.delete(journal)
  }

  putItem(name: string, value: Uint8Array | null): void {
    if (value === null) this.#items.delete(name)
    else this.#items.set(name, textOf(value))
  }

  contents(): StoreContents {
    const logs = Object.fromEntries([...this.#logs].map(([name, { entries }]) => [name, [...entries]]))
    return { logs, stubs: Object.fromEntries(this.#stubs), items: Object.fromEntries(this.#items) }
  }
}

/** Reads all of a store. Throws if heads and entries disagree, or entries come out of order. */
export async function contentsOf(store: Store): Promise<StoreContents> {
  const heads = await store.heads()
  const logs: Record<string, string[]> = Object.fromEntries(heads.map((head) => [nameOf(head), []]))
  for (const journal of new Set(heads.map((head) => head.journal))) {
    for await (const chunk of store.read(journal)) {
      for (const { log, sequence, signed } of chunk) {
        const entries = logs[nameOf(log)]
        if (entries?.length !== sequence || log.journal !== journal) {
          throw new Error(`${nameOf(log)} shows its entry ${sequence} after ${entries?.length} others.`)
        }
        entries.push(textOf(signed))
      }
    }
  }
  for (const head of heads) {
    const count = logs[nameOf(head)]?.length
    if (count !== head.sequence + 1)
      throw new Error(`${nameOf(head)} has ${count} entries, not ${head.sequence + 1}.`)
  }
  return { logs, stubs: textsOf(await store.stubs()), items: textsOf(await store.items('')) }
}

export function nameOf({ journal, device, incarnation }: LogKey): string {
  return `${journal}/${device}/${incarnation}`
}

function textsOf(map: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...map].map(([name, bytes]) => [name, textOf(bytes)]))
}

// Latin 1: one character a byte, quick to make and to compare.
function textOf(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return text
}
