/**
 * Ids: devices, records, runs and groups.
 *
 * - A device is its libp2p PeerId: an Ed25519 public key in base 58 (`12D3KooW…`).
 * - A record id is its stamp and a tag of its writer (device and incarnation): it sorts by time, needs no randomness,
 *   and tells how late the record is without having it.
 * - A run without an idempotency key has the id of its `created` record. With a key its id is a hash of
 *   (group, project, type, key), so that two devices which never met make the same run.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { base58btc } from 'multiformats/bases/base58'
import {
  decodeId,
  encodeId,
  encodeOrigin,
  ID_BYTES,
  ID_LENGTH,
  IdWriter,
  isIdOfStamp,
  isIdText,
  TIME_LENGTH,
} from './base32.js'
import { encodeCbor } from './cbor.js'
import { decodeStamp, isStamp, type Stamp } from './clock.js'
import { IdError } from './errors.js'
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH } from './limits.js'
import { isWellFormed } from './records/payload.js'

/** A libp2p PeerId of an Ed25519 key, as text. */
export type DeviceId = string
/** 26 characters: the stamp and the writer of a record. */
export type RecordId = string
/** 26 characters: the id of the run's `created` record, or a hash if the run has an idempotency key. */
export type RunId = string
/** 26 characters: a hash of the founder and the time of founding. */
export type GroupId = string
/** One start of a device's process: the stamp of that start. Never used twice. */
export type Incarnation = number

/** One log's author: a device in one incarnation. */
export interface Writer {
  readonly device: DeviceId
  readonly incarnation: Incarnation
}

// A PeerId of an Ed25519 key: identity multihash (0x00, 36 bytes) of a protobuf key (type 1, 32 bytes of data).
const PEER_ID_PREFIX = Uint8Array.of(0x00, 0x24, 0x08, 0x01, 0x12, 0x20)
const KEY_BYTES = 32
const DEVICE_ID_SHAPE = /^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/

// Hashed ids set bit 53 of the time part, which no stamp reaches: they never collide with an id made from a stamp.
const HASHED_BIT = 0x20
// Texts sort as the bits do: the least of them with that bit begins so.
const FIRST_HASHED = '8'

// Base 58 costs microseconds and a group has few devices: remember the latest. Emptied when full, so it stays small.
const CACHE_SIZE = 4096
const keyByDevice = new Map<DeviceId, Uint8Array>()
const deviceByKey = new Map<string, DeviceId>()

/** The 32-byte public key of a device. Throws `DEVICE_ID_INVALID` if the text is no Ed25519 PeerId. */
export function deviceKey(device: DeviceId): Uint8Array {
  const known = keyByDevice.get(device)
  if (known !== undefined) return known.slice()
  const key = decodeDevice(device)
  if (key === undefined) {
    throw new IdError(
      'DEVICE_ID_INVALID',
      'A device id is an Ed25519 PeerId: 52 characters that begin with 12D3KooW.',
    )
  }
  if (keyByDevice.size >= CACHE_SIZE) keyByDevice.clear()
  keyByDevice.set(device, key)
  return key.slice()
}

/** The device whose public key this is. */
export function deviceOfKey(key: Uint8Array): DeviceId {
  if (key.length !== KEY_BYTES)
    throw new IdError('DEVICE_ID_INVALID', `A device’s key has ${KEY_BYTES} bytes.`)
  const name = String.fromCharCode.apply(null, key as unknown as number[])
  const known = deviceByKey.get(name)
  if (known !== undefined) return known
  const bytes = new Uint8Array(PEER_ID_PREFIX.length + KEY_BYTES)
  bytes.set(PEER_ID_PREFIX)
  bytes.set(key, PEER_ID_PREFIX.length)
  const device = base58btc.baseEncode(bytes)
  if (deviceByKey.size >= CACHE_SIZE) deviceByKey.clear()
  deviceByKey.set(name, device)
  return device
}

export function isDeviceId(value: unknown): value is DeviceId {
  if (typeof value !== 'string') return false
  return keyByDevice.has(value) || decodeDevice(value) !== undefined
}

function decodeDevice(device: string): Uint8Array | undefined {
  if (typeof device !== 'string' || !DEVICE_ID_SHAPE.test(device)) return undefined
  const bytes = base58btc.baseDecode(device)
  const isKey =
    bytes.length === PEER_ID_PREFIX.length + KEY_BYTES && PEER_ID_PREFIX.every((byte, i) => bytes[i] === byte)
  return isKey ? bytes.slice(PEER_ID_PREFIX.length) : undefined
}

/** Names the records of one log: `next(stamp)` is the id of the record that the writer stamped so. */
export class RecordNamer {
  readonly writer: Writer
  readonly #origin: string
  readonly #ids: IdWriter

  constructor(writer: Writer) {
    this.writer = writer
    this.#origin = encodeOrigin(writerTag(writer))
    this.#ids = new IdWriter(this.#origin)
  }

  next(stamp: Stamp): RecordId {
    return this.#ids.write(stamp)
  }

  /** Whether an id is the one that `next` gives for this stamp. */
  isOwn(id: RecordId, stamp: Stamp): boolean {
    return id.length === ID_LENGTH && isIdOfStamp(id, stamp) && id.endsWith(this.#origin)
  }
}

/** The nine bytes by which record ids tell writers apart. */
export function writerTag(writer: Writer): Uint8Array {
  if (!isStamp(writer.incarnation)) throw new IdError('ID_INVALID', 'An incarnation is the stamp of a start.')
  return sha256(encodeCbor(['dibs/writer/1', deviceKey(writer.device), writer.incarnation])).slice(0, 9)
}

/** The id of one record. To name many of one writer, keep a `RecordNamer`. */
export function recordId(writer: Writer, stamp: Stamp): RecordId {
  return new RecordNamer(writer).next(stamp)
}

/** When the record with this id was written. Throws `STAMP_INVALID` for the id of a keyed run. */
export function stampOfId(id: RecordId): Stamp {
  return decodeStamp(id.slice(0, TIME_LENGTH))
}

export function isId(value: unknown): value is RecordId | RunId | GroupId {
  return typeof value === 'string' && isIdText(value)
}

/** Whether a run id was made from an idempotency key. */
export function isHashedId(id: RunId | GroupId): boolean {
  if (!isId(id)) throw invalidId()
  return id >= FIRST_HASHED
}

/** The id's 16 bytes, as batches carry it. */
export function idToBytes(id: string): Uint8Array {
  const bytes = decodeId(id)
  if (bytes === undefined) throw invalidId()
  return bytes
}

function invalidId(): IdError {
  return new IdError('ID_INVALID', 'An id has 26 characters of 0-9 and a-z without i, l, o, u.')
}

/** The id in 16 bytes. */
export function idOfBytes(bytes: Uint8Array): string {
  if (bytes.length !== ID_BYTES || (bytes[0] as number) >= 2 * HASHED_BIT) {
    throw new IdError('ID_INVALID', 'An id has 16 bytes, the first under 64.')
  }
  return encodeId(bytes)
}

/** What makes a keyed run the same run on every device. */
export interface RunKey {
  readonly group: GroupId
  readonly project: string
  readonly type: string
  readonly key: string
}

/** The id of the run with this idempotency key. A run without a project has the project `''`. */
export function keyedRunId({ group, project, type, key }: RunKey): RunId {
  const fits =
    within(project, 0, MAX_NAME_LENGTH) && within(type, 1, MAX_NAME_LENGTH) && within(key, 1, MAX_KEY_LENGTH)
  if (!fits) {
    throw new IdError(
      'KEY_INVALID',
      `An idempotency key has 1 to ${MAX_KEY_LENGTH} characters, its type 1 to ${MAX_NAME_LENGTH}, its project up to ` +
        `${MAX_NAME_LENGTH}, and none of them half of a surrogate pair.`,
    )
  }
  return hashedId(['dibs/run/1', idToBytes(group), project, type, key])
}

/** The id of the group that this device founded at this time: whoever has the id can tell the true founding record. */
export function groupId(founder: DeviceId, stamp: Stamp): GroupId {
  if (!isStamp(stamp)) throw new IdError('ID_INVALID', 'A group is founded at a stamp.')
  return hashedId(['dibs/group/1', deviceKey(founder), stamp])
}

function hashedId(parts: readonly unknown[]): string {
  const bytes = sha256(encodeCbor(parts)).slice(0, ID_BYTES)
  bytes[0] = HASHED_BIT | ((bytes[0] as number) & (HASHED_BIT - 1))
  return encodeId(bytes)
}

// Half of a surrogate pair has no bytes of its own: two texts that differ only there would make the same run.
function within(text: string, min: number, max: number): boolean {
  return text.length >= min && text.length <= max && isWellFormed(text)
}
