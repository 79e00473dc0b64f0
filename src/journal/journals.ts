/**
 * The journals of one device in one group: commit, receive, sync.
 *
 * @example
 * ```ts
 * const journals = await openJournals({ store, signer, verifier, clock, random, group, publish, onEvent })
 * await journals.commit((write) => {
 *   const run = write({ kind: 'created', type: 'media.thumbnail' })
 *   const assigned = write({ kind: 'assigned', run: run.run, target: me, reason: 'created' })
 *   write({ kind: 'claimed', run: run.run, assignment: assigned.id })
 * })                                            // durable, and on its way to the others
 * await journals.receive(bytes, from)           // { status: 'applied' | 'known' | 'gap' | 'refused', … }
 * ```
 */
import { sha256 as noble } from '@noble/hashes/sha2.js'
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  type GroupId,
  type GroupView,
  groupId,
  type Incarnation,
  msOf,
  STAMPS_PER_MS,
  type Stamp,
  stampOf,
  type Writer,
} from '../../protocol/index.js'
import type { Clock, OnProgress, Random, Signer, Verifier } from '../platform/seams.js'
import type { Store } from '../store/store.js'
import { runAppCode } from './app-code.js'
import { Committer, type Write } from './commit.js'
import { MAX_MESSAGE_BYTES, MAX_WAITING_BYTES, MAX_WAITING_MESSAGES } from './constants.js'
import { EarlyMessages } from './early.js'
import { JournalError, Refusal, type RefusalCode } from './errors.js'
import { exportJournal, importMessages } from './export.js'
import { decodeHeads, decodeSummary, encodeHeads, encodeSummary } from './heads.js'
import type { Journal } from './journal.js'
import { type JournalEvent, Library, type Sha256 } from './library.js'
import type { EquivocationProof } from './log.js'
import { readMessage } from './message.js'
import { dayOf, GROUP_JOURNAL } from './names.js'
import { readProofs } from './proofs.js'
import { Receiver } from './receive.js'
import { differing, headsOf, lacking, listHeads, refetchable, summaryOf, wasKnown } from './sync.js'
import { type VerifyReport, verifyJournal } from './verify.js'

export interface JournalsOptions {
  readonly group: GroupId
  readonly store: Store
  readonly signer: Signer
  readonly verifier: Verifier
  readonly clock: Clock
  readonly random: Random
  /** SHA-256 by the fastest means at hand: that of the platform. @default the one in JavaScript */
  readonly sha256?: Sha256
  /** Gets every message of this device once it is durable. Must not throw. */
  readonly publish?: (message: Uint8Array) => void
  readonly onEvent?: (event: JournalEvent) => void
  readonly onProgress?: OnProgress
}

/** What became of a message. */
export type Outcome =
  | {
      readonly status: 'applied'
      readonly journal: string
      readonly batches: number
      readonly records: number
    }
  | { readonly status: 'known'; readonly journal: string }
  /** Something before it is missing: sync with whoever sent it. What could be applied was. */
  | { readonly status: 'gap'; readonly journal: string }
  /** A log of it was refused; `batches` of its other logs were applied. */
  | {
      readonly status: 'refused'
      readonly code: RefusalCode
      readonly why: string
      readonly batches: number
    }

/** Opens the journals that a store holds, in a new incarnation of the device. */
export async function openJournals(options: JournalsOptions): Promise<Journals> {
  return open(options, await newIncarnation(options))
}

/**
 * Founds a group: this device is its first admin. The group's id is `journals.group.id`.
 *
 * `remember` is told the id before anything is written: whoever keeps it never has a store whose group nobody knows.
 */
export async function foundGroup(
  options: Omit<JournalsOptions, 'group'>,
  remember?: (group: GroupId) => Promise<void>,
): Promise<Journals> {
  const incarnation = await newIncarnation(options)
  const { device } = options.signer
  const founded = incarnation + 1
  const group = groupId(device, founded)
  await remember?.(group)
  const journals = await open({ ...options, group }, incarnation)
  await journals.commit((write) => void write({ kind: 'admitted', device, role: 'admin' }), founded)
  return journals
}

const INCARNATION_ITEM = 'incarnation'

/**
 * The stamp of this start, later than that of every start before, even if the clock was set back: others tell the latest
 * by it. Its counter is by chance: a device that was restored from a backup must not meet its past self.
 */
async function newIncarnation(options: Omit<JournalsOptions, 'group'>): Promise<Incarnation> {
  const { clock, random, store, signer } = options
  const noted = await store.getItem(INCARNATION_ITEM)
  let latest = noted === null ? 0 : (decodeCbor(noted, 0) as Incarnation)
  for (const { device, incarnation } of await store.heads())
    if (device === signer.device) latest = Math.max(latest, incarnation)
  const ms = Math.max(Math.floor(clock.wallMs()), latest === 0 ? 0 : msOf(latest) + 1)
  const incarnation = stampOf(ms, Math.floor(random.number() * STAMPS_PER_MS))
  await store.putItem(INCARNATION_ITEM, encodeCbor(incarnation))
  return incarnation
}

async function open(options: JournalsOptions, incarnation: Incarnation): Promise<Journals> {
  const { signer, store, group, onEvent, onProgress } = options
  const library = new Library({
    groupId: group,
    store,
    writer: { device: signer.device, incarnation },
    emit: (event) => runAppCode(() => onEvent?.(event)),
    sha256: plainHashes(options.sha256),
    // Not the start: a clock that was wrong then may have been corrected before the first record.
    last: 0,
  })
  await library.open(onProgress)
  return new Journals(library, options)
}

export class Journals {
  readonly #library: Library
  readonly #options: JournalsOptions
  readonly #committer: Committer
  readonly #receiver: Receiver
  readonly #early: EarlyMessages
  #queue: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #waitingBytes = 0
  #closing: Promise<void> | null = null

  /** Use `openJournals`. */
  constructor(library: Library, options: JournalsOptions) {
    const { signer, clock, verifier, publish } = options
    this.#library = library
    this.#options = options
    this.#committer = new Committer(library, signer, clock, publish ?? (() => undefined))
    this.#receiver = new Receiver(library, verifier, clock)
    this.#early = new EarlyMessages(clock, (message) => void this.receive(message, 'early'))
  }

  get group(): GroupView {
    return this.#library.group
  }

  get incarnation(): number {
    return this.#library.writer.incarnation
  }

  /** The stamp of the latest record of a writer, in the journals in memory; 0 if there is none. */
  latestOf({ device, incarnation }: Writer): Stamp {
    let latest = 0
    for (const journal of this.#library.loaded)
      latest = Math.max(latest, journal.known(device, incarnation)?.head.stamp ?? 0)
    return latest
  }

  /** Every journal that is known here, evicted ones included. */
  get names(): readonly string[] {
    return this.#library.names
  }

  /** Journals in memory. */
  get loaded(): readonly Journal[] {
    return this.#library.loaded
  }

  /**
   * Writes records. Resolves once they are durable on this device; they are published after that.
   *
   * `first`: the stamp of the first record, only where it is settled beforehand.
   */
  commit(fill: (write: Write) => void, first?: Stamp): Promise<readonly AnyRecord[]> {
    return this.#committer.commit(fill, first)
  }

  /**
   * Takes in a message of another device: each log of it that is right in every respect. Never throws. The bytes must not
   * change before it resolves.
   */
  async receive(bytes: Uint8Array, _from: string): Promise<Outcome> {
    if (this.#closing !== null) return refused('CLOSED', 'The journals were closed.')
    if (bytes.length > MAX_MESSAGE_BYTES)
      return refused('TOO_LARGE', `A message of ${bytes.length} bytes is over ${MAX_MESSAGE_BYTES}.`)
    if (this.#waiting >= MAX_WAITING_MESSAGES || this.#waitingBytes + bytes.length > MAX_WAITING_BYTES)
      return refused('BUSY', 'Too many messages wait to be checked.')
    this.#waiting++
    this.#waitingBytes += bytes.length
    const outcome = this.#queue.then(() => this.#take(bytes))
    this.#queue = outcome.finally(() => {
      this.#waiting--
      this.#waitingBytes -= bytes.length
    })
    return outcome
  }

  async #take(bytes: Uint8Array): Promise<Outcome> {
    try {
      const message = readMessage(bytes)
      const { journal } = message
      if (this.#library.isEvicted(journal))
        return { status: wasKnown(this.#library, message) ? 'known' : 'gap', journal }
      const { batches, records, isGap, refusal } = await this.#receiver.take(message)
      if (batches === 0) await this.#forgetEmpty(journal)
      if (refusal?.code === 'STAMP_AHEAD') this.#early.keep(bytes, refusal.retryAtMs)
      if (refusal !== null) return refused(refusal.code, refusal.message, batches)
      if (isGap) return { status: 'gap', journal }
      return batches > 0 ? { status: 'applied', journal, batches, records } : { status: 'known', journal }
    } catch (error) {
      if (error instanceof Refusal) return refused(error.code, error.message)
      return refused('STORE', error instanceof Error ? error.message : String(error))
    }
  }

  /** A message that brought nothing leaves nothing: else anyone could make this device hold a journal for every day. */
  async #forgetEmpty(name: string): Promise<void> {
    if (this.#library.get(name)?.logs.length !== 0) return
    await this.#committer.alone(async () => this.#library.dropEmpty(name))
  }

  /** Runs something while no message is taken in and no commit is under way. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#committer.alone(work))
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  /** Tries messages from the future again, now. They are also tried by themselves when their time has come. */
  retryEarly(): void {
    this.#early.retryAll()
  }

  /** Step 1 of a sync: a digest of each journal. */
  summary(): Uint8Array {
    return encodeSummary(summaryOf(this.#library))
  }

  /**
   * Step 2: this device's heads of the journals that differ from the other's summary; null if all stand alike. Throws
   * `SYNC_MALFORMED`, as the next steps do, for bytes that are no such thing.
   */
  headsAgainst(summary: Uint8Array): Uint8Array | null {
    const names = differing(this.#library, fromPeer(decodeSummary, summary))
    return names.length === 0 ? null : this.heads(names)
  }

  /** This device's heads of some journals. */
  heads(names: readonly string[]): Uint8Array {
    return encodeHeads(listHeads(this.#library, names))
  }

  /** Step 3: the messages that a device with these heads lacks. */
  async *lacking(heads: Uint8Array, onProgress?: OnProgress): AsyncGenerator<Uint8Array> {
    yield* lacking(this.#library, fromPeer(decodeHeads, heads), onProgress)
  }

  /** This device's heads of the journals of which the other has more: what to send so that it can do step 3. */
  async headsToCatchUp(heads: Uint8Array): Promise<Uint8Array | null> {
    const names = await refetchable(this.#library, fromPeer(decodeHeads, heads))
    return names.length === 0 ? null : this.heads(names)
  }

  load(name: string, onProgress?: OnProgress): Promise<Journal> {
    return this.#library.load(name, onProgress)
  }

  /** Lets a journal go from memory. It stays on disk and is loaded again when needed. */
  unload(name: string): Promise<void> {
    return this.#alone(() => this.#library.unload(name, headsOf(this.#library, name)))
  }

  /** Drops a journal whose runs have all ended from memory and disk; a stub stays. Fetched again if a peer has more. */
  evict(name: string): Promise<void> {
    return this.#alone(async () => {
      if (this.#library.isEvicted(name)) return
      await this.#library.load(name)
      await this.#library.evict(name, headsOf(this.#library, name))
    })
  }

  /**
   * Evicts the journals of days before the retention whose runs have all ended, as the caller tells. Returns their names.
   *
   * `hasOpenRuns` is asked for each such journal: the journals do not know what a run's records amount to.
   */
  async evictExpired(
    retentionMs: number,
    hasOpenRuns: (journal: string) => boolean,
  ): Promise<readonly string[]> {
    const oldest = dayOf(stampOf(Math.max(0, Math.floor(this.#options.clock.wallMs() - retentionMs))))
    const isExpired = (name: string): boolean =>
      name !== GROUP_JOURNAL && name < oldest && !this.#library.isEvicted(name)
    const expired = this.names.filter((name) => isExpired(name) && !hasOpenRuns(name))
    for (const name of expired) await this.evict(name)
    return expired
  }

  verify(name: string, onProgress?: OnProgress): Promise<VerifyReport> {
    const { store, verifier, group } = this.#options
    const { sha256 } = this.#library
    return verifyJournal({ store, verifier, groupId: group, sha256 }, name, onProgress)
  }

  exportLines(name: string): AsyncGenerator<string> {
    return exportJournal(this.#library, name)
  }

  /** Takes in an export, batch by batch, as if a peer had sent it. */
  async importLines(lines: AsyncIterable<string> | Iterable<string>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    for await (const message of importMessages(this.#options.group, lines))
      outcomes.push(await this.receive(message, 'import'))
    return outcomes
  }

  /** Proofs that a device forked its log. */
  proofs(): Promise<readonly EquivocationProof[]> {
    return readProofs(this.#options.store)
  }

  /** Commits what waits, finishes what is being checked, notes down where all stands. The store stays open. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#committer.close()
    await this.#queue
    this.#early.close()
    for (const { name } of this.#library.loaded) {
      if (name !== GROUP_JOURNAL) await this.#library.note(name, headsOf(this.#library, name))
    }
    await this.#library.noteClock()
    for (const journal of this.#library.loaded) journal.destroy()
  }
}

/** Node's crypto answers with a Buffer. Hashes are kept and compared: they are bytes of their own. */
function plainHashes(sha256: Sha256 | undefined): Sha256 {
  return sha256 === undefined ? noble : (bytes) => new Uint8Array(sha256(bytes))
}

function fromPeer<T>(decode: (bytes: Uint8Array) => T, bytes: Uint8Array): T {
  try {
    return decode(bytes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new JournalError('SYNC_MALFORMED', `${error.message} End the sync with whoever sent it.`)
  }
}

function refused(code: RefusalCode, why: string, batches = 0): Outcome {
  return { status: 'refused', code, why, batches }
}
