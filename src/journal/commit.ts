/**
 * Group commit: whatever waits when the previous commit ends goes together.
 *
 * Collect → encode → sign → store durably → apply → publish → resolve. A device never sends or acts on what it could
 * forget: if the store fails, the callers are told, the log has not moved, and nobody has seen anything.
 */

import { standing } from '../../protocol/fold/group.js'
import {
  type AnyRecord,
  type Batch,
  BatchError,
  type Draft,
  extendLog,
  isRunRecord,
  joinSigned,
  type Kind,
  RecordNamer,
  type RecordOf,
  type RunId,
  type Stamp,
  signingInput,
  tick,
  writeRecord,
} from '../../protocol/index.js'
import type { Clock, Signer } from '../platform/seams.js'
import { runAppCode } from './app-code.js'
import { MAX_COMMIT_RECORDS, MAX_PENDING_RECORDS, MAX_WAITING_COMMITS } from './constants.js'
import { JournalError } from './errors.js'
import { frozenCopy } from './frozen-copy.js'
import { type Journal, stretchesOf } from './journal.js'
import type { CheckedBatch, Library } from './library.js'
import type { Log } from './log.js'
import { writeMessage } from './message.js'

/** Writes one record of a commit: stamps it and gives it its id. */
export type Write = <K extends Kind>(draft: Draft<K>) => RecordOf<K>

/** A call that waits for room. */
interface Waiting {
  readonly enter: () => void
  readonly reject: (error: unknown) => void
}

interface Pending {
  readonly records: readonly AnyRecord[]
  readonly resolve: (records: readonly AnyRecord[]) => void
  readonly reject: (error: unknown) => void
}

/** One journal's part of a commit. */
interface Part extends CheckedBatch {
  readonly journal: Journal
  readonly log: Log
}

export class Committer {
  readonly #library: Library
  readonly #signer: Signer
  readonly #clock: Clock
  readonly #publish: (message: Uint8Array) => void
  readonly #namer: RecordNamer
  readonly #pending: Pending[] = []
  #pendingRecords = 0
  readonly #waiting: Waiting[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #running: Promise<void> | null = null
  #closed = false

  constructor(library: Library, signer: Signer, clock: Clock, publish: (message: Uint8Array) => void) {
    this.#library = library
    this.#signer = signer
    this.#clock = clock
    this.#publish = publish
    this.#namer = new RecordNamer(library.writer)
  }

  /**
   * Resolves once the records that `fill` writes are durable. If `fill` throws, nothing is written.
   *
   * `first` is the stamp of the first record, where it was settled before: a group's id follows from its founding.
   */
  commit(fill: (write: Write) => void, first?: Stamp): Promise<readonly AnyRecord[]> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        try {
          const records = this.#fill(fill, first)
          if (records.length === 0) {
            resolve(records)
            return
          }
          this.#pendingRecords += records.length
          this.#pending.push({ records, resolve, reject })
          this.#running ??= this.#run()
        } catch (error) {
          reject(error)
        }
      }
      if (this.#closed) reject(closed())
      // Who waits goes first: commits of one caller stay in order.
      else if (this.#waiting.length === 0 && this.#hasRoom) enter()
      else if (this.#waiting.length < MAX_WAITING_COMMITS) this.#waiting.push({ enter, reject })
      else reject(queueFull())
    })
  }

  get #hasRoom(): boolean {
    return this.#pendingRecords < MAX_PENDING_RECORDS
  }

  #fill(fill: (write: Write) => void, first: Stamp | undefined): readonly AnyRecord[] {
    const records: AnyRecord[] = []
    fill((draft) => {
      const stamp = records.length === 0 && first !== undefined ? this.#settled(first) : this.#tick()
      // A copy, and one that nobody can change: what is signed must be what was checked here.
      const record = Object.freeze(writeRecord(draft, stamp, this.#namer, this.#library.groupId, frozenCopy))
      records.push(record as unknown as AnyRecord)
      return record
    })
    if (records.length > 0 && first === undefined) this.#checkMember(records)
    return records
  }

  /** Others take nothing from a device that is no member, and what they refused once they miss in its log for good. */
  #checkMember(records: readonly AnyRecord[]): void {
    const { group, writer } = this.#library
    const refused = standing(group.members, writer.device, records[0]?.stamp ?? 0)
    if (refused !== 'NOT_A_MEMBER' && refused !== 'REVOKED') return
    throw new JournalError(
      'NOT_A_MEMBER',
      `This device is ${refused === 'REVOKED' ? 'no longer' : 'not yet known as'} a member of the group. Nothing was written.`,
    )
  }

  #settled(stamp: Stamp): Stamp {
    this.#library.last = Math.max(this.#library.last, stamp)
    return stamp
  }

  #tick(): Stamp {
    this.#library.last = tick(this.#library.last, this.#clock.wallMs())
    return this.#library.last
  }

  /** No new commits; resolves when what waits is durable or was refused. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    await this.#running
    await this.#turn
  }

  /** Runs something while no commit is under way. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #run(): Promise<void> {
    // Let the callers of this turn gather first.
    await Promise.resolve()
    while (this.#pending.length > 0) await this.alone(() => this.#commitSome(this.#take(MAX_COMMIT_RECORDS)))
    this.#running = null
  }

  #take(room: number): readonly Pending[] {
    let count = 0
    let records = 0
    for (const pending of this.#pending) {
      if (count > 0 && records + pending.records.length > room) break
      records += pending.records.length
      count++
    }
    return this.#pending.splice(0, count)
  }

  async #commitSome(taken: readonly Pending[]): Promise<void> {
    try {
      const parts = await this.#prepare(taken)
      await this.#library.store.append(
        parts.map(({ log, batch, signed }) => ({ log: log.key, sequence: batch.sequence, signed })),
        { durable: true },
      )
      for (const { journal, log, ...checked } of parts) this.#library.apply(journal, log, [checked], true)
      await this.#library.settle()
      this.#done(taken)
      for (const { journal, log, signed, batch } of parts) {
        const stretches = stretchesOf(log, batch.sequence, [signed])
        runAppCode(() => this.#publish(writeMessage({ journal: journal.name, stretches })))
      }
      for (const { records, resolve } of taken) resolve(records)
    } catch (error) {
      await this.#failed(taken, error)
    }
  }

  /** Too large together, or one of them at fault: each half by itself. Else whoever is left is told. */
  async #failed(taken: readonly Pending[], error: unknown): Promise<void> {
    const tooLarge = error instanceof BatchError && error.code === 'BATCH_TOO_LARGE'
    if ((tooLarge || error instanceof JournalError) && taken.length > 1) {
      const middle = Math.floor(taken.length / 2)
      await this.#commitSome(taken.slice(0, middle))
      await this.#commitSome(taken.slice(middle))
      return
    }
    this.#done(taken)
    for (const { reject } of taken) reject(error)
  }

  #done(taken: readonly Pending[]): void {
    for (const { records } of taken) this.#pendingRecords -= records.length
    while (this.#hasRoom && this.#waiting.length > 0) this.#waiting.shift()?.enter()
  }

  async #prepare(taken: readonly Pending[]): Promise<readonly Part[]> {
    const parts: Part[] = []
    for (const [name, records] of this.#byJournal(taken))
      parts.push(await this.#sign(await this.#library.load(name), records))
    return parts
  }

  #byJournal(taken: readonly Pending[]): ReadonlyMap<string, readonly AnyRecord[]> {
    const journals = new Map<string, AnyRecord[]>()
    const fresh = new Map<RunId, string>()
    // Records of one run mostly come together: where the one before went is known.
    let lastRun: RunId | null = null
    let last: AnyRecord[] = []
    for (const { records } of taken) {
      for (const record of records) {
        const run = isRunRecord(record) ? record.run : null
        if (run === null || run !== lastRun || record.kind === 'created') {
          const name = this.#library.journalOf(record, fresh)
          last = journals.get(name) ?? []
          journals.set(name, last)
        }
        lastRun = run
        last.push(record)
      }
    }
    return journals
  }

  async #sign(journal: Journal, records: readonly AnyRecord[]): Promise<Part> {
    const log = this.#library.ownLog(journal)
    if (this.#library.isOwnPast(log, log.head.sequence + 1)) {
      throw new JournalError(
        'JOURNAL_EVICTED',
        `The journal ${journal.name} was dropped and is being fetched again. Nothing was written; try again later.`,
        { journal: journal.name },
      )
    }
    if (log.proof !== null) {
      throw new JournalError(
        'LOG_FORKED',
        `Another process signed batches of this one’s log in ${journal.name}: others take no more of it. Nothing was ` +
          'written. End that process, and start this one again.',
        { journal: journal.name },
      )
    }
    const batch: Batch = { sequence: log.head.sequence + 1, previous: log.head.hash, records }
    const bytes = log.codec.encode(batch)
    const { sha256 } = this.#library
    const signature = await this.#signer.sign(signingInput(log.id, sha256(bytes)))
    const signed = joinSigned(signature, bytes)
    return { journal, log, signed, batch, head: extendLog(log.head, batch, sha256(signed)) }
  }
}

function closed(): JournalError {
  return new JournalError('JOURNALS_CLOSED', 'The journals were closed. Nothing was written.')
}

function queueFull(): JournalError {
  return new JournalError(
    'QUEUE_FULL',
    'Too many calls wait to be committed. Nothing was written; try again later.',
  )
}
