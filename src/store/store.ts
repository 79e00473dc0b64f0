/**
 * What a store does: keeps the signed batches of every log, and little else.
 *
 * An entry is one signed batch: 64 bytes of signature, then the batch. The sequences of a log are dense, from 0. What
 * was appended with `durable` survives a crash of the machine once the promise resolves; the rest may be lost at a
 * crash, but only from the end. An append is all or nothing.
 */
import type { DeviceId, Incarnation } from '../../protocol/index.js'
import type { OnProgress } from '../platform/seams.js'

/** One log: what one incarnation of a device wrote into one journal. */
export interface LogKey {
  /** `group`, or `YYYY-MM-DD`. */
  readonly journal: string
  readonly device: DeviceId
  readonly incarnation: Incarnation
}

export interface StoredBatch {
  readonly log: LogKey
  readonly sequence: number
  readonly signed: Uint8Array
}

/** Something wrong that was found when the store was opened. Nothing was thrown away: bad entries are quarantined. */
export interface Finding {
  readonly code: FindingCode
  readonly log: LogKey | null
  /** The first sequence concerned, where there is one. */
  readonly sequence: number | null
  /** What was found, what was kept, what happens next. */
  readonly message: string
}

export const FINDING_CODES = {
  HOLE: 'Entries of a log are missing; what stands after the hole was quarantined. It will be asked of peers.',
  CHECKSUM:
    'An entry does not match its checksum; it and what stands after it were quarantined. It will be asked of peers.',
  TAIL_LOST:
    'The store had been written further than it now reaches. What is missing will be asked of peers.',
  UNREADABLE: 'A key or a value is none that dibs writes; it was quarantined.',
} as const
export type FindingCode = keyof typeof FINDING_CODES

/** An entry that was found bad: kept for people to look at, used for nothing. */
export interface QuarantinedEntry {
  readonly key: string
  readonly value: Uint8Array
  readonly code: FindingCode
}

export interface CompactionReport {
  readonly entriesPacked: number
  readonly packsWritten: number
}

export interface Store {
  /** What was wrong at open. */
  readonly findings: readonly Finding[]
  /** The last sequence of every log that is kept, without reading the entries. */
  heads(): Promise<readonly (LogKey & { readonly sequence: number })[]>
  /** Adds entries, all or none. Each must be the next of its log, or throw `ENTRY_OUT_OF_ORDER`. */
  append(entries: readonly StoredBatch[], options: { readonly durable: boolean }): Promise<void>
  /** The entries of a journal, log by log, in order of sequence, in chunks. */
  read(journal: string, onProgress?: OnProgress): AsyncIterable<readonly StoredBatch[]>
  /** Drops a journal's entries and leaves a stub in their place, in one write. */
  evict(journal: string, stub: Uint8Array): Promise<void>
  /** The stubs of evicted journals. */
  stubs(): Promise<ReadonlyMap<string, Uint8Array>>
  /** Forgets a stub: the journal is about to be fetched again. */
  dropStub(journal: string): Promise<void>
  /** Small things by name: clock, known peers, proofs. Durable. */
  putItem(name: string, value: Uint8Array | null): Promise<void>
  getItem(name: string): Promise<Uint8Array | null>
  /** Names and values of the items whose names begin so, in order. */
  items(prefix: string): Promise<ReadonlyMap<string, Uint8Array>>
  quarantined(): Promise<readonly QuarantinedEntry[]>
  /** Packs full runs of entries together: fewer keys, faster opening. Deletes exactly what it read, in one write each. */
  compact(onProgress?: OnProgress): Promise<CompactionReport>
  close(): Promise<void>
}
