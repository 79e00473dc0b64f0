/** Where logs stand, as devices tell each other: by head, not by state vector, as equal counts may hide other contents. */
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import { type DeviceId, deviceKey, deviceOfKey, HASH_BYTES, isStamp } from '../../protocol/index.js'
import { MAX_LISTED_JOURNALS, MAX_LISTED_LOGS } from './constants.js'
import { Refusal } from './errors.js'
import { isJournalName, logName } from './names.js'

/** The last batch of one log. */
export interface ListedHead {
  readonly device: DeviceId
  readonly incarnation: number
  readonly sequence: number
  readonly hash: Uint8Array
}

export type ListedHeads = ReadonlyMap<string, readonly ListedHead[]>

/** A digest for each journal: equal if, and only if, its logs stand alike. */
export type Summary = ReadonlyMap<string, Uint8Array>

const VERSION = 1
const DIGEST_BYTES = 16

/** The heads of one journal in the order in which they are hashed and sent. */
export function sortHeads(heads: readonly ListedHead[]): readonly ListedHead[] {
  const named = heads.map((head) => ({ head, name: logName(head) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ head }) => head)
}

export function digestOf(heads: readonly ListedHead[]): Uint8Array {
  return sha256(encodeCbor(sortHeads(heads).map(toWire))).slice(0, DIGEST_BYTES)
}

export function encodeSummary(summary: Summary): Uint8Array {
  return encodeCbor([VERSION, [...summary]])
}

export function decodeSummary(bytes: Uint8Array): Summary {
  const summary = new Map<string, Uint8Array>()
  for (const item of items(bytes)) {
    const [journal, digest] = item as unknown[]
    if (!isJournalName(journal) || !(digest instanceof Uint8Array) || digest.length !== DIGEST_BYTES)
      throw malformed()
    summary.set(journal, digest)
  }
  return summary
}

export function encodeHeads(heads: ListedHeads): Uint8Array {
  return encodeCbor([VERSION, [...heads].map(([journal, logs]) => [journal, sortHeads(logs).map(toWire)])])
}

/** Throws a `Refusal` (`MALFORMED`) for bytes that are no list of heads. */
export function decodeHeads(bytes: Uint8Array): ListedHeads {
  const heads = new Map<string, readonly ListedHead[]>()
  let count = 0
  for (const item of items(bytes)) {
    const [journal, logs] = item as unknown[]
    if (!isJournalName(journal) || !Array.isArray(logs)) throw malformed()
    count += logs.length
    if (count > MAX_LISTED_LOGS) throw malformed()
    heads.set(journal, logs.map(fromWire))
  }
  return heads
}

function items(bytes: Uint8Array): readonly unknown[] {
  let value: unknown
  try {
    value = decodeCbor(bytes, 5)
  } catch {
    throw malformed()
  }
  const [version, list, ...rest] = Array.isArray(value) ? (value as unknown[]) : []
  const fits =
    version === VERSION && Array.isArray(list) && rest.length === 0 && list.length <= MAX_LISTED_JOURNALS
  if (!fits || !list.every((item) => Array.isArray(item) && item.length === 2)) throw malformed()
  return list
}

function toWire({ device, incarnation, sequence, hash }: ListedHead): readonly unknown[] {
  return [deviceKey(device), incarnation, sequence, hash]
}

function fromWire(item: unknown): ListedHead {
  const [key, incarnation, sequence, hash, ...rest] = Array.isArray(item) ? (item as unknown[]) : []
  const fits =
    key instanceof Uint8Array &&
    key.length === HASH_BYTES &&
    isStamp(incarnation) &&
    isStamp(sequence) &&
    hash instanceof Uint8Array &&
    hash.length === HASH_BYTES &&
    rest.length === 0
  if (!fits) throw malformed()
  return { device: deviceOfKey(key), incarnation, sequence, hash }
}

function malformed(): Refusal {
  return new Refusal('MALFORMED', 'The bytes are no list of heads.')
}
