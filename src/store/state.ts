/**
 * The state record: written anew in every write, under the one key that all versions share. It says what the store
 * should hold, so that a loss shows: LevelDB drops damaged parts of its log and opens as if nothing had been there.
 *
 *     format(4) writes(8) keys(8) digest(8)
 */
import { Digest } from './digest.js'

export interface StoreState {
  readonly format: number
  /** Writes since the store was made. */
  readonly writes: number
  /** Keys, but for the state record's own. */
  readonly keys: number
  /** Digest of all values, but for the state record's own. */
  readonly digest: Digest
}

const STATE_BYTES = 28

export function encodeState({ format, writes, keys, digest }: StoreState): Uint8Array {
  const bytes = new Uint8Array(STATE_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, format)
  view.setBigUint64(4, BigInt(writes))
  view.setBigUint64(12, BigInt(keys))
  view.setUint32(20, digest.high)
  view.setUint32(24, digest.low)
  return bytes
}

/** The state in these bytes, or `null` if they are none. Of a newer format only `format` means anything. */
export function decodeState(bytes: Uint8Array): StoreState | null {
  if (bytes.length < STATE_BYTES) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    format: view.getUint32(0),
    writes: Number(view.getBigUint64(4)),
    keys: Number(view.getBigUint64(12)),
    digest: new Digest(view.getUint32(20), view.getUint32(24)),
  }
}
