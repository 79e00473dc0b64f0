/** Ana's log, and batches of it made by hand, byte by byte. */
import { encodeCbor } from '../../../protocol/cbor.js'
import {
  BATCH_VERSION,
  BatchCodec,
  BatchError,
  type Draft,
  type ErrorCode,
  type Kind,
  logId,
  type RecordOf,
  type Stamp,
  writeRecord,
} from '../../../protocol/index.js'
import { ana, FOUNDED, GROUP } from '../story.js'
import { thrown } from '../thrown.js'

export const WRITER = { device: ana, incarnation: FOUNDED }
export const LOG: Uint8Array = logId({ group: GROUP, journal: '2026-01-01', writer: WRITER })
export const BASE: Stamp = FOUNDED + 1
export const codec: BatchCodec = new BatchCodec({ group: GROUP, writer: WRITER })

/** The record that Ana writes so many stamps after the first. */
export function record<K extends Kind>(draft: Draft<K>, after = 0): RecordOf<K> {
  return writeRecord(draft, BASE + after, codec.namer, GROUP)
}

export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

/** An array of items that are encoded already. Up to 23 of them. */
export function list(...items: readonly Uint8Array[]): Uint8Array {
  return join(Uint8Array.of(0x80 + items.length), ...items)
}

interface Parts {
  readonly version: Uint8Array
  readonly sequence: Uint8Array
  readonly previous: Uint8Array
  readonly base: Uint8Array
}

/** A batch of records that are encoded already; each part of its head can be another. */
export function batchOf(records: readonly Uint8Array[], parts: Partial<Parts> = {}): Uint8Array {
  const head: Parts = {
    version: encodeCbor(BATCH_VERSION),
    sequence: encodeCbor(0),
    previous: encodeCbor(LOG),
    base: encodeCbor(BASE),
    ...parts,
  }
  return list(head.version, head.sequence, head.previous, head.base, list(...records))
}

/** A batch of records given as the values they have on the wire. */
export function wireBatch(...records: readonly (readonly unknown[])[]): Uint8Array {
  return batchOf(records.map((values) => encodeCbor(values)))
}

/** The code with which bytes are refused. Fails if they are not, or otherwise than with a BatchError. */
export function refusal(bytes: Uint8Array): ErrorCode {
  return thrown(BatchError, () => codec.decode(bytes)).code
}
