/** CBOR as dibs uses it: one encoding for each value, and a decoder that nothing can surprise. */
import { encodedLength } from 'cborg/length'
import { ENCODE } from './cbor-writer.js'

export { DepthError } from './cbor-careful.js'
export { decodeCbor } from './cbor-reader.js'
export { encodeCbor } from './cbor-writer.js'

/** How many bytes `encodeCbor` would write. */
export function cborLength(value: unknown): number {
  return encodedLength(value, ENCODE)
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Negative if `a` sorts first: by content, then the shorter. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  }
  return a.length - b.length
}
