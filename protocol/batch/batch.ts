/**
 * Batches: the records that one writer commits together, as canonical CBOR.
 *
 *     [version, sequence, previous, base stamp, [record, …]]
 *
 * A batch does not name its log: group, journal, device and incarnation make the *log id*, which is the `previous` of
 * the first batch and goes into every signature. So no batch can be passed off as another log's.
 */

import { DepthError, decodeCbor, encodeCbor, equalBytes } from '../cbor.js'
import { checkDrift, isStamp, type Stamp } from '../clock.js'
import { BatchError, RecordError } from '../errors.js'
import { type GroupId, RecordNamer, type Writer } from '../ids.js'
import { MAX_BATCH_BYTES, MAX_BATCH_DEPTH, MAX_BATCH_RECORDS } from '../limits.js'
import { type AnyRecord, createdRunId } from '../records/record.js'
import { HASH_BYTES } from './chain.js'
import { RecordReader, RecordWriter } from './wire.js'

export const BATCH_VERSION = 1

/** What one writer committed together. */
export interface Batch {
  /** Position in the log, from 0. */
  readonly sequence: number
  /** Hash of the signed batch before; for the first, the log's id. */
  readonly previous: Uint8Array
  readonly records: readonly AnyRecord[]
}

/** Whose log the bytes stand in. The bytes do not say: the place where they were found does. */
export interface LogContext {
  readonly group: GroupId
  readonly writer: Writer
}

/** A batch decoder and encoder for one log. */
export class BatchCodec {
  readonly group: GroupId
  readonly namer: RecordNamer

  constructor({ group, writer }: LogContext) {
    this.group = group
    this.namer = new RecordNamer(writer)
  }

  /** The one encoding of a batch. Throws `RECORD_INVALID`, `RUN_ID_MISMATCH`, `BATCH_SHAPE` or `BATCH_TOO_LARGE`. */
  encode(batch: Batch): Uint8Array {
    const { records, sequence, previous } = batch
    if (records.length > MAX_BATCH_RECORDS) {
      throw new BatchError(
        'BATCH_TOO_LARGE',
        `A batch has at most ${MAX_BATCH_RECORDS} records, not ${records.length}. Nothing was written.`,
        { records: records.length },
      )
    }
    if (records.length === 0 || !isSequence(sequence) || previous.length !== HASH_BYTES) {
      throw new BatchError(
        'BATCH_SHAPE',
        'A batch has records, a sequence from 0 and the 32 bytes of a hash. Nothing was written.',
      )
    }
    this.#checkOwn(records)
    const bytes = writeBatch(batch)
    if (bytes.length > MAX_BATCH_BYTES) {
      throw new BatchError(
        'BATCH_TOO_LARGE',
        `A batch of ${bytes.length} bytes is over ${MAX_BATCH_BYTES}. Nothing was written.`,
        {
          bytes: bytes.length,
        },
      )
    }
    return bytes
  }

  #checkOwn(records: readonly AnyRecord[]): void {
    let last = -1
    for (const record of records) {
      if (!this.namer.isOwn(record.id, record.stamp)) {
        throw new RecordError(
          'RECORD_INVALID',
          'A record belongs to another writer’s log. Nothing was written.',
          { record: record.id },
        )
      }
      if (!isStamp(record.stamp) || record.stamp <= last) {
        throw new RecordError(
          'RECORD_INVALID',
          'Records of a batch go forward in time. Nothing was written.',
          { record: record.id },
        )
      }
      if (record.kind === 'created' && record.run !== createdRunId(record, record.id, this.group)) {
        throw new RecordError(
          'RUN_ID_MISMATCH',
          'A run id is not on the wire: every reader works it out, and would get another than this. Nothing was written.',
          { record: record.id, run: record.run },
        )
      }
      last = record.stamp
    }
  }

  /**
   * The batch in these bytes. Whatever the bytes are, it returns a batch or throws one `BatchError`.
   *
   * `trusted` leaves out the schemas and the check for canonical form, and with them that promise: only for bytes of
   * one's own store that passed both before and whose checksum holds.
   */
  decode(bytes: Uint8Array, { trusted = false }: { readonly trusted?: boolean } = {}): Batch {
    if (bytes.length > MAX_BATCH_BYTES) {
      throw new BatchError(
        'BATCH_TOO_LARGE',
        `A batch of ${bytes.length} bytes is over ${MAX_BATCH_BYTES}. Nothing was applied.`,
        {
          bytes: bytes.length,
        },
      )
    }
    const { sequence, previous, base, items } = readHeader(readCbor(bytes))
    const reader = new RecordReader(base, this.namer, this.group, !trusted)
    for (const item of items) reader.read(item)
    const batch: Batch = { sequence, previous, records: reader.records }
    if (!isStamp(batch.records[batch.records.length - 1]?.stamp))
      throw shape('its stamps leave the range of time')
    if (!trusted && !equalBytes(writeBatch(batch), bytes)) {
      throw new BatchError(
        'BATCH_NOT_CANONICAL',
        'The bytes are not the canonical encoding of this batch. Nothing was applied.',
      )
    }
    return batch
  }
}

function writeBatch({ sequence, previous, records }: Batch): Uint8Array {
  const base = records[0]?.stamp ?? 0
  const writer = new RecordWriter(base)
  return encodeCbor([BATCH_VERSION, sequence, previous, base, records.map((record) => writer.write(record))])
}

/** Throws `STAMP_AHEAD` if a batch holds a record from the future: keep the bytes and offer them again later. */
export function checkBatchDrift(batch: Batch, nowMs: number, maxDriftMs?: number): void {
  const last = batch.records[batch.records.length - 1]
  if (last !== undefined) checkDrift(last.stamp, nowMs, maxDriftMs)
}

function readCbor(bytes: Uint8Array): unknown {
  try {
    return decodeCbor(bytes, MAX_BATCH_DEPTH)
  } catch (error) {
    if (error instanceof DepthError) {
      throw new BatchError('BATCH_TOO_DEEP', `A batch ${error.message}. Nothing was applied.`)
    }
    throw new BatchError(
      'BATCH_NOT_CBOR',
      'The bytes are no CBOR of the sort that batches use. Nothing was applied.',
      {
        cause: error instanceof Error ? error.message : String(error),
      },
    )
  }
}

interface Header {
  readonly sequence: number
  readonly previous: Uint8Array
  readonly base: Stamp
  readonly items: readonly unknown[]
}

function readHeader(value: unknown): Header {
  if (!Array.isArray(value)) throw shape('it is no array')
  const [version, sequence, previous, base, items] = value as unknown[]
  if (version !== BATCH_VERSION) {
    throw new BatchError(
      'BATCH_VERSION',
      'The batch has a format version that is not known here. Nothing was applied; update dibs.',
      {
        version: typeof version === 'number' ? version : null,
      },
    )
  }
  if (value.length !== 5) throw shape('it has not five parts')
  if (!isSequence(sequence)) throw shape('its sequence is no number')
  if (!(previous instanceof Uint8Array) || previous.length !== HASH_BYTES)
    throw shape('its previous hash has not 32 bytes')
  if (!isStamp(base)) throw shape('its base is no stamp')
  if (!Array.isArray(items) || items.length === 0) throw shape('it has no records')
  if (items.length > MAX_BATCH_RECORDS) {
    throw new BatchError(
      'BATCH_TOO_LARGE',
      `A batch of ${items.length} records is over ${MAX_BATCH_RECORDS}. Nothing was applied.`,
      { records: items.length },
    )
  }
  return { sequence, previous, base, items }
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function shape(what: string): BatchError {
  return new BatchError('BATCH_SHAPE', `The bytes are no batch: ${what}. Nothing was applied.`, {
    fault: what,
  })
}
