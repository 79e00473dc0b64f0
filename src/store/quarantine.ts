/**
 * Quarantine: what was found bad, key and value as they were, under a key of its own. It makes room for the good entry
 * that a peer will send, and loses nothing that a person could still want.
 *
 *     code(1) length of the key(2) key value
 */
import { describeKey } from './keys.js'
import { FINDING_CODES, type FindingCode, type QuarantinedEntry } from './store.js'

const CODES = Object.keys(FINDING_CODES) as readonly FindingCode[]
const HEADER_BYTES = 3
const MAX_KEY_BYTES = 0xffff

export function encodeQuarantined(code: FindingCode, key: Uint8Array, value: Uint8Array): Uint8Array {
  // A foreign key may have any length. Only its beginning is kept then: none of ours is a hundredth as long.
  const keptKey = key.subarray(0, MAX_KEY_BYTES)
  const bytes = new Uint8Array(HEADER_BYTES + keptKey.length + value.length)
  bytes[0] = CODES.indexOf(code)
  new DataView(bytes.buffer).setUint16(1, keptKey.length)
  bytes.set(keptKey, HEADER_BYTES)
  bytes.set(value, HEADER_BYTES + keptKey.length)
  return bytes
}

export function decodeQuarantined(bytes: Uint8Array): QuarantinedEntry | null {
  const code = CODES[bytes[0] ?? CODES.length]
  if (code === undefined || bytes.length < HEADER_BYTES) return null
  const keyEnd = HEADER_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint16(1)
  if (keyEnd > bytes.length) return null
  return { code, key: describeKey(bytes.slice(HEADER_BYTES, keyEnd)), value: bytes.slice(keyEnd) }
}
