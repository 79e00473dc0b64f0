/** The hash chain: what binds a batch to its log and its predecessor, and what is signed. */
import { sha256 } from '@noble/hashes/sha2.js'
import { encodeCbor, equalBytes } from '../cbor.js'
import { isStamp, type Stamp } from '../clock.js'
import { BatchError, IdError } from '../errors.js'
import { deviceKey, type GroupId, idToBytes, type Writer } from '../ids.js'
import type { Batch } from './batch.js'

export const HASH_BYTES = 32
export const SIGNATURE_BYTES = 64

/** One log: what one incarnation of a device writes into one journal of a group. */
export interface LogName {
  readonly group: GroupId
  /** `YYYY-MM-DD`, or `group` for the journal of devices. */
  readonly journal: string
  readonly writer: Writer
}

/** Where a log stands: its last batch. */
export interface LogHead {
  /** Sequence of the last batch; -1 for an empty log. */
  readonly sequence: number
  /** Hash of the last signed batch; the log's id for an empty log. */
  readonly hash: Uint8Array
  /** Stamp of the last record; 0 for an empty log. */
  readonly stamp: Stamp
}

/** 32 bytes that no other log shares. */
export function logId({ group, journal, writer }: LogName): Uint8Array {
  if (!isStamp(writer.incarnation)) throw new IdError('ID_INVALID', 'An incarnation is the stamp of a start.')
  return sha256(
    encodeCbor(['dibs/log/1', idToBytes(group), journal, deviceKey(writer.device), writer.incarnation]),
  )
}

/** The head of a log before its first batch. */
export function emptyHead(log: Uint8Array): LogHead {
  return { sequence: -1, hash: log, stamp: 0 }
}

/** The hash of a batch's bytes: what is signed. */
export function batchHash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

/** The bytes that the writer signs for the batch with this hash. As each batch names the one before, it vouches for all. */
export function signingInput(log: Uint8Array, hash: Uint8Array): Uint8Array {
  return encodeCbor(['dibs/batch/1', log, hash])
}

/** A signed batch, as it is stored and sent: the signature, then the batch. */
export function joinSigned(signature: Uint8Array, bytes: Uint8Array): Uint8Array {
  const signed = new Uint8Array(SIGNATURE_BYTES + bytes.length)
  signed.set(signature)
  signed.set(bytes, SIGNATURE_BYTES)
  return signed
}

/** The parts of a signed batch. Throws `BATCH_SHAPE` if it is too short to be one. */
export function splitSigned(signed: Uint8Array): {
  readonly signature: Uint8Array
  readonly bytes: Uint8Array
} {
  if (signed.length <= SIGNATURE_BYTES)
    throw new BatchError('BATCH_SHAPE', 'The bytes are no signed batch. Nothing was applied.')
  return { signature: signed.subarray(0, SIGNATURE_BYTES), bytes: signed.subarray(SIGNATURE_BYTES) }
}

/**
 * The hash of a signed batch: the `previous` of the batch after it. It covers the signature, or whoever passes a log on
 * could change the signatures in the middle unnoticed.
 */
export function signedHash(signed: Uint8Array): Uint8Array {
  return sha256(signed)
}

/**
 * The head after a batch was added.
 *
 * Throws `BATCH_SEQUENCE` for a gap or a repetition, `BATCH_CHAIN` for another predecessor, `BATCH_BACKDATED` if the
 * batch begins no later than the log ended.
 */
export function extendLog(head: LogHead, batch: Batch, hash: Uint8Array): LogHead {
  const expected = head.sequence + 1
  if (batch.sequence !== expected) {
    throw new BatchError(
      'BATCH_SEQUENCE',
      `The log goes on with batch ${expected}, not ${batch.sequence}. Nothing was applied.`,
      {
        expected,
        sequence: batch.sequence,
      },
    )
  }
  if (!equalBytes(batch.previous, head.hash)) {
    throw new BatchError(
      'BATCH_CHAIN',
      `Batch ${expected} follows another batch than the one here. Nothing was applied.`,
      {
        sequence: expected,
      },
    )
  }
  const first = batch.records[0]
  const last = batch.records[batch.records.length - 1]
  if (first === undefined || last === undefined || first.stamp <= head.stamp) {
    throw new BatchError(
      'BATCH_BACKDATED',
      `Batch ${expected} begins no later than its log ended. Nothing was applied.`,
      {
        sequence: expected,
      },
    )
  }
  return { sequence: expected, hash, stamp: last.stamp }
}
