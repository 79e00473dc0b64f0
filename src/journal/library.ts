/**
 * The journals of a device: which there are, which are in memory, who belongs to the group. It holds; `commit.ts`,
 * `receive.ts` and `sync.ts` work on it.
 */
import { decodeCbor, encodeCbor, equalBytes } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  type Batch,
  type DeviceRecord,
  extendLog,
  foldGroup,
  type GroupId,
  type GroupView,
  isDeviceRecord,
  isRunRecord,
  type LogHead,
  ProtocolError,
  type RecordOf,
  type RunId,
  type Stamp,
  splitSigned,
  type Writer,
} from '../../protocol/index.js'
import type { OnProgress } from '../platform/seams.js'
import type { LogKey, Store, StoredBatch } from '../store/store.js'
import { JournalError } from './errors.js'
import { decodeHeads, encodeHeads, type ListedHead } from './heads.js'
import { Journal } from './journal.js'
import type { EquivocationProof, Log } from './log.js'
import { dayOf, GROUP_JOURNAL, journalOfRunId } from './names.js'
import { readProofs } from './proofs.js'

/** SHA-256. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** What the journals tell the app. */
export type JournalEvent =
  | {
      readonly type: 'records'
      readonly journal: string
      readonly own: boolean
      readonly records: readonly AnyRecord[]
    }
  /** Their author forked its log: they count no longer. */
  | { readonly type: 'withdrawn'; readonly journal: string; readonly records: readonly AnyRecord[] }
  | { readonly type: 'group'; readonly group: GroupView }
  | { readonly type: 'equivocation'; readonly proof: EquivocationProof }
  | { readonly type: 'damaged'; readonly log: LogKey; readonly sequence: number; readonly message: string }

/** A checked batch, ready to be appended. */
export interface CheckedBatch {
  readonly signed: Uint8Array
  readonly batch: Batch
  readonly head: LogHead
}

const HEADS_ITEM = 'heads/'
const CLOCK_ITEM = 'clock'

export class Library {
  readonly groupId: GroupId
  readonly store: Store
  readonly writer: Writer
  readonly emit: (event: JournalEvent) => void
  readonly sha256: Sha256
  /** The latest stamp that was written or taken in. */
  last: Stamp
  group: GroupView
  readonly #journals = new Map<string, Journal>()
  readonly #loading = new Map<string, Promise<Journal>>()
  /** Heads of journals that are on disk but not in memory, and of those that were evicted. */
  readonly #resting = new Map<string, readonly ListedHead[]>()
  readonly #evicted = new Set<string>()
  /** Of each run with a key, the latest day that has a `created` of it. */
  readonly #keyedRuns = new Map<RunId, string>()
  #isUnsettled = true
  readonly #ownPast = new Map<string, number>()
  #deviceRecords: DeviceRecord[] = []

  constructor(options: Pick<Library, 'groupId' | 'store' | 'writer' | 'emit' | 'sha256' | 'last'>) {
    this.groupId = options.groupId
    this.store = options.store
    this.writer = options.writer
    this.emit = options.emit
    this.sha256 = options.sha256
    this.last = options.last
    this.group = foldGroup(this.groupId, [])
  }

  /** Takes stock of the store: loads the group's journal, and of the others those whose heads were not noted down. */
  async open(onProgress?: OnProgress): Promise<void> {
    for (const [journal, stub] of await this.store.stubs()) {
      this.#resting.set(journal, readNote(journal, stub) ?? [])
      this.#evicted.add(journal)
    }
    const clock = await this.store.getItem(CLOCK_ITEM)
    if (clock !== null) this.last = Math.max(this.last, decodeCbor(clock, 0) as number)
    const noted = await this.store.items(HEADS_ITEM)
    const kept = new Map<string, number>()
    for (const { journal, sequence } of await this.store.heads())
      kept.set(journal, (kept.get(journal) ?? 0) + sequence + 1)
    await this.load(GROUP_JOURNAL, onProgress)
    for (const [journal, batches] of kept) {
      if (journal === GROUP_JOURNAL) continue
      const note = noted.get(HEADS_ITEM + journal)
      const heads = note === undefined ? undefined : readNote(journal, note)
      if (heads !== undefined && countBatches(heads) === batches) this.#resting.set(journal, heads)
      else await this.load(journal, onProgress)
    }
    await this.settle(onProgress)
  }

  /** Journals in memory. */
  get loaded(): readonly Journal[] {
    return [...this.#journals.values()]
  }

  /** Every journal that holds something or did, sorted: days, then the group's. */
  get names(): readonly string[] {
    const loaded = this.loaded.filter(({ logs }) => logs.length > 0).map(({ name }) => name)
    return [...new Set([...loaded, ...this.#resting.keys()])].sort()
  }

  get(name: string): Journal | undefined {
    return this.#journals.get(name)
  }

  resting(name: string): readonly ListedHead[] | undefined {
    return this.#resting.get(name)
  }

  isEvicted(name: string): boolean {
    return this.#evicted.has(name)
  }

  /** The journal, read from the store if it is not in memory. Throws `JOURNAL_EVICTED` for one that was dropped. */
  async load(name: string, onProgress?: OnProgress): Promise<Journal> {
    if (this.#evicted.has(name)) throw evicted(name)
    const there = this.#journals.get(name)
    if (there !== undefined) return there
    const under = this.#loading.get(name)
    if (under !== undefined) return under
    const loading = this.#read(name, onProgress).finally(() => this.#loading.delete(name))
    this.#loading.set(name, loading)
    return loading
  }

  async #read(name: string, onProgress?: OnProgress): Promise<Journal> {
    const proofs = (await readProofs(this.store)).filter(({ log }) => log.journal === name)
    const journal = new Journal(this.groupId, name, proofs)
    const broken = new Set<Log>()
    for await (const chunk of this.store.read(name, onProgress)) {
      for (const stored of byLog(chunk)) this.#restore(journal, stored, broken)
    }
    this.#resting.delete(name)
    this.#journals.set(name, journal)
    return journal
  }

  /** Takes batches of one log back in. They were checked before they were stored: only the chain is checked again. */
  #restore(journal: Journal, stored: readonly StoredBatch[], broken: Set<Log>): void {
    const { device, incarnation } = (stored[0] as StoredBatch).log
    const log = journal.log(device, incarnation)
    if (broken.has(log)) return
    const checked: CheckedBatch[] = []
    let { head } = log
    for (const { signed, sequence } of stored) {
      try {
        const batch = log.codec.decode(splitSigned(signed).bytes, { trusted: true })
        head = extendLog(head, batch, this.sha256(signed))
        checked.push({ signed, batch, head })
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        broken.add(log)
        this.emit({ type: 'damaged', log: log.key, sequence, message: error.message })
        break
      }
    }
    this.apply(journal, log, checked, this.isOwn(log))
  }

  /** Appends checked batches to a log, and tells of their records. */
  apply(journal: Journal, log: Log, checked: readonly CheckedBatch[], own: boolean): void {
    const [first, last] = [checked[0], checked[checked.length - 1]]
    if (first === undefined || last === undefined) return
    if (first.batch.sequence === 0) log.firstStamp = first.head.stamp
    journal.append(
      log,
      checked.map(({ signed }) => signed),
      last.head,
    )
    this.last = Math.max(this.last, last.head.stamp)
    const counted =
      log.proof === null ? checked : checked.filter(({ batch }) => batch.sequence <= log.counted)
    const records = counted.length === 1 ? first.batch.records : counted.flatMap(({ batch }) => batch.records)
    this.#index(journal.name, records)
    this.emit({ type: 'records', journal: journal.name, own, records })
    if (journal.name === GROUP_JOURNAL) this.#foldGroup(records)
  }

  /** Takes back what a log holds from its fork on, up to where it counted before. */
  async withdraw(journal: Journal, log: Log, until: number): Promise<void> {
    const found = [...journal.records(log, log.counted + 1, until)].flat()
    if (found.length === 0) return
    const beside = await this.#recordsBeside(log)
    const isBeside = (record: AnyRecord): boolean =>
      (beside.get(record.id) ?? []).some((other) => equalBytes(encodeCbor(other), encodeCbor(record)))
    const records = found.filter((record) => !isBeside(record))
    this.emit({ type: 'withdrawn', journal: journal.name, records })
  }

  /** What the same writer wrote into other journals, by id: it may have put one record into several. */
  async #recordsBeside({ key: { journal, device, incarnation } }: Log): Promise<Map<string, AnyRecord[]>> {
    const isOfWriter = (one: Writer): boolean => one.device === device && one.incarnation === incarnation
    for (const [name, heads] of [...this.#resting])
      if (!this.#evicted.has(name) && heads.some(isOfWriter)) await this.load(name)
    const byId = new Map<string, AnyRecord[]>()
    for (const other of this.loaded) {
      if (other.name === journal) continue
      const log = other.log(device, incarnation)
      for (const records of other.records(log, 0, log.counted))
        for (const record of records) byId.set(record.id, [...(byId.get(record.id) ?? []), record])
    }
    return byId
  }

  #index(journal: string, records: readonly AnyRecord[]): void {
    for (const record of records) {
      if (record.kind === 'created' && record.key !== undefined) {
        if (journal > (this.#keyedRuns.get(record.run) ?? '')) this.#keyedRuns.set(record.run, journal)
      }
    }
  }

  #foldGroup(records: readonly AnyRecord[]): void {
    const about = records.filter(isDeviceRecord)
    if (about.length === 0) return
    this.#deviceRecords = [...this.#deviceRecords, ...about]
    this.group = foldGroup(this.groupId, this.#deviceRecords)
    this.#isUnsettled = true
    this.emit({ type: 'group', group: this.group })
  }

  /**
   * Journals at rest list what was visible when they were put to rest. Where a device has been put out since, they are
   * loaded, so that they list what others list.
   */
  async settle(onProgress?: OnProgress): Promise<void> {
    if (!this.#isUnsettled) return
    this.#isUnsettled = false
    const isOut = ({ device }: ListedHead): boolean => this.group.members.get(device)?.revokedAt !== null
    for (const [name, heads] of [...this.#resting]) {
      if (!this.#evicted.has(name) && heads.some(isOut)) await this.load(name, onProgress)
    }
  }

  /**
   * Where a record belongs: with its run, in the journal of the day on which the run was created. A key may have been used
   * on several days: then the latest, as no late or backdated `created` can move the run to a day that others dropped.
   * `fresh` has the keyed runs that the same commit creates: their ids do not tell their day.
   */
  journalOf(record: AnyRecord, fresh: Map<RunId, string>): string {
    if (!isRunRecord(record)) return GROUP_JOURNAL
    if (record.kind === 'created') return this.#journalOfNew(record, fresh)
    const name = journalOfRunId(record.run) ?? fresh.get(record.run) ?? this.#keyedRuns.get(record.run)
    if (name !== undefined && this.#evicted.has(name)) throw evicted(name)
    if (name === undefined) {
      throw new JournalError('UNKNOWN_RUN', `The run ${record.run} is not known here. Nothing was written.`, {
        run: record.run,
      })
    }
    return name
  }

  #journalOfNew({ run, stamp, key }: RecordOf<'created'>, fresh: Map<RunId, string>): string {
    const name = dayOf(stamp)
    if (key !== undefined) fresh.set(run, name)
    return name
  }

  /** Whether a log is one that this very process writes. */
  isOwn({ key }: Log): boolean {
    return key.device === this.writer.device && key.incarnation === this.writer.incarnation
  }

  /** The log that this process writes into a journal. */
  ownLog(journal: Journal): Log {
    return journal.log(this.writer.device, this.writer.incarnation)
  }

  /**
   * Whether this process wrote that batch of its log in a journal that it dropped since and is fetching again. It takes
   * such batches back from peers, and writes nothing there until it has them all: else it would fork its own log.
   */
  isOwnPast({ key }: Log, sequence: number): boolean {
    return sequence <= (this.#ownPast.get(key.journal) ?? -1)
  }

  /** Lets go of a journal that nothing was written to, as if it had never been asked for. */
  dropEmpty(name: string): void {
    const journal = this.#journals.get(name)
    if (name === GROUP_JOURNAL || journal === undefined || journal.logs.length > 0) return
    this.#journals.delete(name)
    journal.destroy()
  }

  /** Notes down where a journal stands and lets it go from memory. It can be loaded again. Nothing may be writing to it. */
  async unload(name: string, heads: readonly ListedHead[]): Promise<void> {
    const journal = this.#journals.get(name)
    if (journal === undefined || name === GROUP_JOURNAL) return
    await this.note(name, heads)
    await this.noteClock()
    this.#journals.delete(name)
    if (heads.length > 0) this.#resting.set(name, heads)
    journal.destroy()
  }

  /** Notes down the clock: journals at rest may hold later stamps than those that are loaded at the next start. */
  noteClock(): Promise<void> {
    return this.store.putItem(CLOCK_ITEM, encodeCbor(this.last))
  }

  note(name: string, heads: readonly ListedHead[]): Promise<void> {
    return this.store.putItem(HEADS_ITEM + name, encodeHeads(new Map([[name, heads]])))
  }

  /** Drops a journal from memory and disk; its heads stay, so that peers do not send it again. Nothing may be writing to it. */
  async evict(name: string, heads: readonly ListedHead[]): Promise<void> {
    if (name === GROUP_JOURNAL)
      throw new JournalError('NEVER_EVICTED', 'The group’s journal is never evicted. Nothing was dropped.')
    await this.noteClock()
    await this.store.evict(name, encodeHeads(new Map([[name, heads]])))
    await this.store.putItem(HEADS_ITEM + name, null)
    this.#journals.get(name)?.destroy()
    this.#journals.delete(name)
    this.#resting.set(name, heads)
    this.#evicted.add(name)
    for (const [run, journal] of this.#keyedRuns) if (journal === name) this.#keyedRuns.delete(run)
  }

  /** Forgets that a journal was evicted: it will be fetched from the start. */
  async revive(name: string): Promise<void> {
    if (!this.#evicted.delete(name)) return
    const { device, incarnation } = this.writer
    const own = this.#resting
      .get(name)
      ?.find((head) => head.device === device && head.incarnation === incarnation)
    if (own !== undefined) this.#ownPast.set(name, own.sequence)
    this.#resting.delete(name)
    await this.store.dropStub(name)
  }
}

/** The heads that were noted down; undefined if they cannot be read. */
function readNote(journal: string, note: Uint8Array): readonly ListedHead[] | undefined {
  try {
    return decodeHeads(note).get(journal)
  } catch {
    return undefined
  }
}

function evicted(name: string): JournalError {
  return new JournalError(
    'JOURNAL_EVICTED',
    `The journal ${name} was dropped here. Nothing was written; a sync fetches it again if a peer has more.`,
    { journal: name },
  )
}

function countBatches(heads: readonly ListedHead[]): number {
  return heads.reduce((sum, { sequence }) => sum + sequence + 1, 0)
}

function byLog(chunk: readonly StoredBatch[]): readonly (readonly StoredBatch[])[] {
  const groups: StoredBatch[][] = []
  for (const stored of chunk) {
    const group = groups[groups.length - 1]
    const same =
      group?.[0]?.log.device === stored.log.device && group[0].log.incarnation === stored.log.incarnation
    if (same) group?.push(stored)
    else groups.push([stored])
  }
  return groups
}
