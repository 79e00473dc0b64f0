/**
 * A device's disk. What was written durably stays, whatever happens; the rest may be lost at a crash, but only from the
 * end. It can be slow, it can be full, and it can have a bad sector.
 */
import type { DeviceId } from '../../protocol/index.js'
import { StoreError } from '../../src/store/errors.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import type { LogKey, StoredBatch } from '../../src/store/store.js'
import type { SeededRandom } from '../../src/testing/seeded.js'

/** What hears of every batch that has become part of a disk. */
export type OnStored = (batch: StoredBatch, isDurable: boolean) => void

export class Disk {
  readonly #random: SeededRandom
  readonly #onStored: OnStored
  #store = new MemoryStore()
  /** Written, and not yet safe: in the order of writing. */
  #unsynced: StoredBatch[] = []
  /** How far each log is safe. */
  readonly #safe = new Map<string, number>()
  /** Signatures of the entries that the device wrote itself and that are safe, in short. */
  readonly #signatures = new Set<string>()
  readonly #owner: DeviceId
  #isDamaged = false
  isFull = false
  /** Milliseconds that a durable write takes. */
  slowMs = 0
  bytes = 0
  /** Entries that crashes took. */
  lost = 0

  constructor(owner: DeviceId, random: SeededRandom, onStored: OnStored) {
    this.#owner = owner
    this.#random = random
    this.#onStored = onStored
  }

  get store(): MemoryStore {
    return this.#store
  }

  /** Whether an entry would survive a crash now. */
  isSafe(log: LogKey, sequence: number): boolean {
    return (this.#safe.get(nameOf(log)) ?? -1) >= sequence
  }

  /** Whether this very batch, written by the device itself, would survive a crash now. */
  isOwnSafe(signed: Uint8Array): boolean {
    return this.#signatures.has(markOf(signed))
  }

  /** The next crash also tears a hole into what others wrote: a bad sector. It can be fetched again. */
  damage(): void {
    this.#isDamaged = true
  }

  checkRoom(): void {
    if (this.isFull)
      throw new StoreError('STORE_FULL', 'The simulated disk is full. Nothing of this write was kept.')
  }

  async append(entries: readonly StoredBatch[], isDurable: boolean): Promise<void> {
    this.checkRoom()
    await this.#store.append(entries, { durable: isDurable })
    for (const entry of entries) this.bytes += entry.signed.length
    this.#unsynced.push(...entries)
    if (isDurable) this.sync()
    for (const entry of entries) this.#onStored(entry, isDurable)
  }

  /** Tells of all that stands on it, once more. */
  async replay(): Promise<void> {
    for (const entry of await this.#all()) this.#onStored(entry, true)
  }

  /** Begins with what another disk holds: the device was there when that was written. */
  async copyFrom(other: Disk): Promise<void> {
    await this.append(await other.#all(), true)
  }

  async #all(): Promise<readonly StoredBatch[]> {
    const entries: StoredBatch[] = []
    const journals = new Set((await this.#store.heads()).map(({ journal }) => journal))
    for (const journal of journals)
      for await (const chunk of this.#store.read(journal)) entries.push(...chunk)
    return entries
  }

  /** All that was written is safe. */
  sync(): void {
    for (const { log, sequence, signed } of this.#unsynced) {
      this.#safe.set(nameOf(log), sequence)
      if (log.device === this.#owner) this.#signatures.add(markOf(signed))
    }
    this.#unsynced = []
  }

  /** The power fails: of what was not safe, some part from the end is gone. Must be called while nobody writes. */
  async crash(): Promise<void> {
    const kept = this.#random.below(this.#unsynced.length + 1)
    const cut = new Map<string, number>()
    for (const { log, sequence } of this.#unsynced.slice(kept)) {
      const name = nameOf(log)
      if (!cut.has(name)) cut.set(name, sequence)
      this.lost++
    }
    this.#unsynced = this.#unsynced.slice(0, kept)
    this.sync()
    if (this.#isDamaged) await this.#tear(cut)
    this.#isDamaged = false
    for (const [name, sequence] of cut)
      if ((this.#safe.get(name) ?? -1) >= sequence) this.#safe.set(name, sequence - 1)
    if (cut.size > 0) this.#store = await without(this.#store, cut)
  }

  /** Some log of another device ends somewhere in its middle. */
  async #tear(cut: Map<string, number>): Promise<void> {
    const others = (await this.#store.heads()).filter(({ device }) => device !== this.#owner)
    if (others.length === 0) return
    const { sequence, ...log } = this.#random.pick(others)
    const from = this.#random.below(sequence + 1)
    cut.set(nameOf(log), Math.min(from, cut.get(nameOf(log)) ?? from))
    this.lost += sequence + 1 - from
  }
}

async function without(from: MemoryStore, cut: ReadonlyMap<string, number>): Promise<MemoryStore> {
  const to = new MemoryStore()
  const journals = new Set((await from.heads()).map(({ journal }) => journal))
  for (const journal of journals) {
    for await (const chunk of from.read(journal)) {
      const kept = chunk.filter(
        ({ log, sequence }) => sequence < (cut.get(nameOf(log)) ?? Number.POSITIVE_INFINITY),
      )
      await to.append(kept, { durable: true })
    }
  }
  for (const [name, value] of await from.items('')) await to.putItem(name, value)
  for (const [journal, stub] of await from.stubs()) await to.evict(journal, stub)
  return to
}

/** The first bytes of a signature: no two batches share them. */
function markOf(signed: Uint8Array): string {
  return signed.subarray(0, 12).join()
}

function nameOf({ journal, device, incarnation }: LogKey): string {
  return `${journal}/${device}/${incarnation}`
}
