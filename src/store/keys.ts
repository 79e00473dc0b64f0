/**
 * Keys, in the order in which a scan meets them:
 *
 *     0                                                         the state record
 *     1 journal 0 device(32) incarnation(8) sequence(4) 0|1     a pack (0), which begins at the sequence, or an entry (1)
 *     2 journal                                                 a stub
 *     3 name                                                    an item
 *     4 writes(8) number(4)                                     a quarantined key and value
 *
 * Each entry's key says all about whose it is: no other key needs to survive for it to be read.
 */
import { type DeviceId, deviceKey, deviceOfKey, isDeviceId, isStamp } from '../../protocol/index.js'
import { MAX_ITEM_NAME_BYTES, MAX_JOURNAL_LENGTH, MAX_SEQUENCE, PACK_ENTRIES } from './constants.js'
import type { LogKey } from './store.js'

export const KIND = { state: 0, entry: 1, stub: 2, item: 3, quarantine: 4 } as const

export const STATE_KEY: Uint8Array = Uint8Array.of(KIND.state)

const PACK = 0
const SINGLE = 1
const DEVICE_BYTES = 32
const LOG_TAIL_BYTES = DEVICE_BYTES + 8
const ENTRY_TAIL_BYTES = 5
const QUARANTINE_KEY_BYTES = 13
const JOURNAL_SHAPE = /^[\x21-\x7e]+$/

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** What begins every key of a log's entries. Throws `TypeError` if the log has no key. */
export function logPrefix({ journal, device, incarnation }: LogKey): Uint8Array {
  checkJournal(journal)
  if (!isDeviceId(device)) throw new TypeError('A log belongs to a device: an Ed25519 PeerId.')
  if (!isStamp(incarnation)) throw new TypeError('An incarnation is the stamp of a start.')
  const key = new Uint8Array(1 + journal.length + 1 + LOG_TAIL_BYTES)
  key[0] = KIND.entry
  encoder.encodeInto(journal, key.subarray(1))
  key.set(deviceKey(device), key.length - LOG_TAIL_BYTES)
  new DataView(key.buffer).setBigUint64(key.length - 8, BigInt(incarnation))
  return key
}

/** The log whose entries' keys begin so, or `null` if no log's do. */
export function logOfPrefix(prefix: Uint8Array): LogKey | null {
  const deviceAt = prefix.length - LOG_TAIL_BYTES
  if (deviceAt < 3 || prefix[0] !== KIND.entry || prefix[deviceAt - 1] !== 0) return null
  const journal = String.fromCharCode(...prefix.subarray(1, deviceAt - 1))
  const incarnation = Number(viewOf(prefix).getBigUint64(prefix.length - 8))
  if (!isJournal(journal) || !isStamp(incarnation)) return null
  const device: DeviceId = deviceOfKey(prefix.slice(deviceAt, deviceAt + DEVICE_BYTES))
  return { journal, device, incarnation }
}

export function entryKey(prefix: Uint8Array, sequence: number): Uint8Array {
  return positionKey(prefix, sequence, SINGLE)
}

/** The key of the pack that begins at this sequence. It stands right before the entry of that sequence. */
export function packKey(prefix: Uint8Array, first: number): Uint8Array {
  return positionKey(prefix, first, PACK)
}

function positionKey(prefix: Uint8Array, sequence: number, form: number): Uint8Array {
  const key = new Uint8Array(prefix.length + ENTRY_TAIL_BYTES)
  key.set(prefix)
  writeUint32(key, prefix.length, sequence)
  key[prefix.length + 4] = form
  return key
}

/** Where in its log a key stands. */
export interface Position {
  readonly sequence: number
  readonly packed: boolean
}

/** What the end of an entry's or a pack's key says, or `null` if neither ends so. */
export function positionOf(key: Uint8Array): Position | null {
  const at = key.length - ENTRY_TAIL_BYTES
  const sequence = readUint32(key, at)
  const form = key[at + 4]
  if (form === SINGLE) return { sequence, packed: false }
  return form === PACK && sequence % PACK_ENTRIES === 0 ? { sequence, packed: true } : null
}

export function prefixLength(key: Uint8Array): number {
  return key.length - ENTRY_TAIL_BYTES
}

export interface KeyRange {
  readonly gte?: Uint8Array
  readonly lt?: Uint8Array
}

/** All entries and packs of a journal. */
export function journalRange(journal: string): KeyRange {
  checkJournal(journal)
  const name = encoder.encode(journal)
  return { gte: Uint8Array.of(KIND.entry, ...name, 0), lt: Uint8Array.of(KIND.entry, ...name, 1) }
}

/** The entries and packs of a log from the segment of `from` on, up to, not including, the sequence `until`. */
export function logRange(prefix: Uint8Array, from: number, until: number): KeyRange {
  return {
    gte: packKey(prefix, from - (from % PACK_ENTRIES)),
    lt: until > MAX_SEQUENCE ? successor(prefix) : packKey(prefix, until),
  }
}

function successor(prefix: Uint8Array): Uint8Array {
  const next = new Uint8Array(prefix.length + ENTRY_TAIL_BYTES + 1).fill(0xff)
  next.set(prefix)
  return next
}

export const QUARANTINE_RANGE: KeyRange = {
  gte: Uint8Array.of(KIND.quarantine),
  lt: Uint8Array.of(KIND.quarantine + 1),
}

export function stubKey(journal: string): Uint8Array {
  checkJournal(journal)
  return Uint8Array.of(KIND.stub, ...encoder.encode(journal))
}

export function itemKey(name: string): Uint8Array {
  const bytes = encoder.encode(name)
  if (bytes.length === 0 || bytes.length > MAX_ITEM_NAME_BYTES || decoder.decode(bytes) !== name) {
    throw new TypeError(`An item's name has 1 to ${MAX_ITEM_NAME_BYTES} bytes of well-formed text.`)
  }
  return Uint8Array.of(KIND.item, ...bytes)
}

export function quarantineKey(writes: number, number: number): Uint8Array {
  const key = new Uint8Array(QUARANTINE_KEY_BYTES)
  key[0] = KIND.quarantine
  viewOf(key).setBigUint64(1, BigInt(writes))
  writeUint32(key, 9, number)
  return key
}

export function isQuarantineKey(key: Uint8Array): boolean {
  return key[0] === KIND.quarantine && key.length === QUARANTINE_KEY_BYTES
}

/** The name in a stub's or an item's key, or `null` if there is none. */
export function nameOf(key: Uint8Array): string | null {
  if (key.length < 2) return null
  try {
    const name = decoder.decode(key.subarray(1))
    const isName = key[0] === KIND.stub ? isJournal(name) : key.length <= 1 + MAX_ITEM_NAME_BYTES
    return isName ? name : null
  } catch {
    return null
  }
}

/** A key for people to read. */
export function describeKey(key: Uint8Array): string {
  const position = key[0] === KIND.entry && key.length > ENTRY_TAIL_BYTES ? positionOf(key) : null
  const log = position === null ? null : logOfPrefix(key.slice(0, prefixLength(key)))
  if (log === null || position === null) return `0x${Array.from(key, hex).join('')}`
  const { journal, device, incarnation } = log
  return `${journal}/${device}/${incarnation}/${position.sequence}${position.packed ? ' (pack)' : ''}`
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function isJournal(journal: string): boolean {
  return journal.length <= MAX_JOURNAL_LENGTH && JOURNAL_SHAPE.test(journal)
}

function checkJournal(journal: string): void {
  if (!isJournal(journal)) {
    throw new TypeError(`A journal's name has 1 to ${MAX_JOURNAL_LENGTH} visible ASCII characters.`)
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

// Without a DataView: a scan does this for every key.
function readUint32(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [
    number,
    number,
    number,
    number,
  ]
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}
