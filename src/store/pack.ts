/**
 * A pack: a full segment of a log, 256 entries, in one value. All lengths come first, then all bytes. Opening a store
 * costs a call for each key, so packs open a hundred times as fast as the same entries one by one.
 */
import { PACK_ENTRIES } from './constants.js'

const LENGTH_BYTES = 4
const HEADER_BYTES = PACK_ENTRIES * LENGTH_BYTES

/** Bytes of the pack of these entries. */
export function packedSize(entries: readonly Uint8Array[]): number {
  return entries.reduce((size, entry) => size + entry.length, HEADER_BYTES)
}

export function encodePack(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length !== PACK_ENTRIES) throw new RangeError(`A pack has ${PACK_ENTRIES} entries.`)
  const bytes = new Uint8Array(packedSize(entries))
  const view = new DataView(bytes.buffer)
  let at = HEADER_BYTES
  entries.forEach((entry, i) => {
    view.setUint32(i * LENGTH_BYTES, entry.length)
    bytes.set(entry, at)
    at += entry.length
  })
  return bytes
}

/** The entries of a pack, without copying them, or `null` if the bytes are no pack. */
export function decodePack(bytes: Uint8Array): readonly Uint8Array[] | null {
  if (bytes.length < HEADER_BYTES) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries: Uint8Array[] = []
  let at = HEADER_BYTES
  for (let i = 0; i < PACK_ENTRIES; i++) {
    const end = at + view.getUint32(i * LENGTH_BYTES)
    if (end > bytes.length) return null
    entries.push(bytes.subarray(at, end))
    at = end
  }
  return at === bytes.length ? entries : null
}
