/** A group of devices with real keys, real Yjs and a clock that stands still until it is moved. */
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import * as Y from 'yjs'
import {
  type AnyRecord,
  type DeviceId,
  type DeviceRecord,
  foldGroup,
  foldRun,
  isDeviceRecord,
  isRunRecord,
  type Role,
  type RunId,
  type RunRecord,
  splitSigned,
} from '../../protocol/index.js'
import {
  foundGroup,
  GROUP_JOURNAL,
  type Journal,
  type JournalEvent,
  type Journals,
  type JournalsOptions,
  type Outcome,
  openJournals,
} from '../../src/journal/index.js'
import type { Clock, Random } from '../../src/platform/seams.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'

/** 2026-01-01T12:00:00Z: noon of the first day of these tests. */
export const START: number = Date.UTC(2026, 0, 1, 12)
export const TODAY = '2026-01-01'
export const DAY_MS = 86_400_000

export const verifier: ReturnType<typeof createVerifier> = createVerifier()

/** Stands still until it is moved; then the timers that are due fire. */
export class VirtualClock implements Clock {
  nowMs: number = START
  readonly #timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()

  wallMs(): number {
    return this.nowMs
  }

  monotonicMs(): number {
    return this.nowMs
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  get timers(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    this.nowMs += ms
    for (const timer of [...this.#timers]) {
      if (timer.atMs > this.nowMs || !this.#timers.delete(timer)) continue
      timer.callback()
    }
  }
}

/** Chance that is the same at every run of the tests. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The identity of a name, always the same. */
export async function signerOf(name: string): Promise<Ed25519Signer> {
  const seed = new Uint8Array(32)
  for (let i = 0; i < seed.length; i++) seed[i] = name.charCodeAt(i % name.length) + i
  return Ed25519Signer.fromRaw((await generateKeyPairFromSeed('Ed25519', seed)).raw)
}

let chances = 0

export class Device {
  readonly name: string
  readonly signer: Ed25519Signer
  readonly clock: VirtualClock = new VirtualClock()
  readonly published: Uint8Array[] = []
  readonly events: JournalEvent[] = []
  store: Store = new MemoryStore()
  #journals: Journals | undefined
  readonly #delivered = new Map<Device, number>()

  constructor(name: string, signer: Ed25519Signer) {
    this.name = name
    this.signer = signer
  }

  get id(): DeviceId {
    return this.signer.device
  }

  get journals(): Journals {
    if (this.#journals === undefined) throw new Error(`${this.name} is not open.`)
    return this.#journals
  }

  get #options(): Omit<JournalsOptions, 'group'> {
    const number = seeded(++chances)
    const random: Random = { bytes: (count) => new Uint8Array(count), number }
    return {
      store: this.store,
      signer: this.signer,
      verifier,
      clock: this.clock,
      random,
      publish: (message) => this.published.push(message),
      onEvent: (event) => this.events.push(event),
    }
  }

  async found(more: Partial<JournalsOptions> = {}): Promise<this> {
    this.#journals = await foundGroup({ ...this.#options, ...more })
    return this
  }

  async open(group: string): Promise<this> {
    this.#journals = await openJournals({ ...this.#options, group })
    return this
  }

  /** A new process on the same store, or on another copy of it. */
  async reopen(store: Store = this.store): Promise<this> {
    const group = this.journals.group.id
    await this.journals.close()
    this.store = store
    this.clock.advance(1000)
    return this.open(group)
  }

  /** A new process without a goodbye: what was only in memory is lost. */
  async crash(): Promise<this> {
    this.clock.advance(1000)
    return this.open(this.journals.group.id)
  }

  /** Messages that were published since the last call for the same receiver. */
  newFor(to: Device): readonly Uint8Array[] {
    const messages = this.published.slice(this.#delivered.get(to) ?? 0)
    this.#delivered.set(to, this.published.length)
    return messages
  }

  receive(message: Uint8Array): Promise<Outcome> {
    return this.journals.receive(message, 'test')
  }

  /** Creates a run and takes it: the records of one commit. */
  take(extra: { readonly input?: string; readonly key?: string } = {}): Promise<readonly AnyRecord[]> {
    return this.journals.commit((write) => {
      const { run, id } = write({ kind: 'created', type: 'test.job', ...extra })
      const basis = extra.key === undefined ? {} : { created: id }
      const assigned = write({ kind: 'assigned', run, target: this.id, reason: 'created', ...basis })
      write({ kind: 'claimed', run, assignment: assigned.id })
    })
  }

  /** All that its journals hold, read from the docs. */
  async records(): Promise<readonly AnyRecord[]> {
    const found: AnyRecord[] = []
    for (const name of this.journals.names) {
      const journal = await this.journals.load(name).catch(() => undefined)
      if (journal !== undefined) found.push(...recordsOf(journal))
    }
    return found
  }

  eventsOf<T extends JournalEvent['type']>(type: T): readonly Extract<JournalEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type)
  }
}

export function recordsOf(journal: Journal): readonly AnyRecord[] {
  return journal.logs.flatMap((log) =>
    journal
      .elements(log, 0, log.counted + 1)
      .flatMap((signed) => log.codec.decode(splitSigned(signed).bytes).records),
  )
}

/** A founder and further members, all of whom know the whole group. */
export async function groupOf(...names: readonly string[]): Promise<readonly Device[]> {
  const devices = await Promise.all(names.map(async (name) => new Device(name, await signerOf(name))))
  const [founder, ...others] = devices as [Device, ...Device[]]
  await founder.found()
  for (const other of others) await admit(founder, other)
  for (const other of others) await deliver(founder, other)
  return devices
}

/** Opens a device that the admin admits. It has not heard of it yet. */
export async function admit(admin: Device, device: Device, role: Role = 'member'): Promise<void> {
  await admin.journals.commit((write) => void write({ kind: 'admitted', device: device.id, role }))
  await device.open(admin.journals.group.id)
}

/** A device that belongs to no group: it opens this one all the same. */
export async function strangerTo(device: Device, name = 'eve'): Promise<Device> {
  return new Device(name, await signerOf(name)).open(device.journals.group.id)
}

/** Brings all that one has published to another, in order. */
export async function deliver(from: Device, to: Device): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const message of from.newFor(to)) outcomes.push(await to.receive(message))
  return outcomes
}

export interface Exchange {
  readonly summaryBytes: number
  readonly headBytes: number
  readonly messages: readonly Uint8Array[]
  readonly messageBytes: number
  readonly outcomes: readonly Outcome[]
}

/** One sync that `a` begins: the real exchange, both ways. `lose` says which messages never arrive. */
export async function sync(
  a: Device,
  b: Device,
  lose: (index: number) => boolean = () => false,
): Promise<Exchange> {
  const messages: Uint8Array[] = []
  const outcomes: Outcome[] = []
  const send = async (from: Device, to: Device, heads: Uint8Array): Promise<void> => {
    for await (const message of from.journals.lacking(heads)) {
      messages.push(message)
      if (!lose(messages.length - 1)) outcomes.push(await to.receive(message))
    }
  }
  const summary = a.journals.summary()
  const theirs = b.journals.headsAgainst(summary)
  let headBytes = theirs?.length ?? 0
  if (theirs !== null) {
    const ours = await a.journals.headsToCatchUp(theirs)
    headBytes += ours?.length ?? 0
    await send(a, b, theirs)
    if (ours !== null) await send(b, a, ours)
  }
  const messageBytes = messages.reduce((sum, { length }) => sum + length, 0)
  return { summaryBytes: summary.length, headBytes, messages, messageBytes, outcomes }
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Where its logs stand, as it tells others. */
export function headsText({ journals }: Device): string {
  return hex(journals.summary())
}

/** The views of the group and of every run, from all records that the journals hold. */
export async function viewsOf(device: Device): Promise<string> {
  const records = await device.records()
  const about: DeviceRecord[] = records.filter(isDeviceRecord)
  const group = foldGroup(device.journals.group.id, about)
  const runs = new Map<RunId, RunRecord[]>()
  for (const record of records.filter(isRunRecord))
    runs.set(record.run, [...(runs.get(record.run) ?? []), record])
  const views = [...runs.keys()].sort().map((run) => foldRun(runs.get(run) as RunRecord[], group))
  return JSON.stringify([group, views], (_, value) =>
    value instanceof Map ? [...value].sort() : value instanceof Uint8Array ? { hex: hex(value) } : value,
  )
}

/** What Yjs itself holds of the journals that are in memory. */
function docsOf({ journals }: Device): readonly unknown[] {
  return journals.loaded
    .filter(({ name, logs }) => name === GROUP_JOURNAL || logs.length > 0)
    .map(({ name, doc }) => {
      const { clients, pendingStructs, pendingDs } = doc.store
      const structs = [...clients].map(([client, items]) => [
        client,
        items.length,
        Y.getState(doc.store, client),
      ])
      const deletions = Y.createDeleteSetFromStructStore(doc.store).clients.size
      return { name, structs: structs.sort(), pendingStructs, pendingDs, deletions }
    })
}

/** All of a device that an attack could change: two of them are equal or something got through. */
export async function snapshot(device: Device): Promise<unknown> {
  const { journals } = device
  return {
    heads: hex(journals.heads(journals.names)),
    names: journals.names,
    loaded: journals.loaded.map(({ name }) => name).sort(),
    stored: (await device.store.heads()).map((head) => ({ ...head })),
    views: await viewsOf(device),
    docs: docsOf(device),
    proofs: (await journals.proofs()).length,
  }
}

/** A store as it stands now: what a backup has. */
export async function copyOf(store: Store): Promise<Store> {
  const copy = new MemoryStore()
  for (const journal of new Set((await store.heads()).map((head) => head.journal)))
    for await (const chunk of store.read(journal)) await copy.append(chunk, { durable: true })
  for (const [name, value] of await store.items('')) await copy.putItem(name, value)
  for (const [journal, stub] of await store.stubs()) await copy.evict(journal, stub)
  return copy
}
