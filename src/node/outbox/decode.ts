/** Reads what the outbox wrote down. */
import { decodeCbor } from '../../../protocol/cbor.js'

/** The members of the list that was encoded; none if it is damaged. One bad item must not keep a node from starting. */
export function decodeList(bytes: Uint8Array, maxDepth: number): readonly unknown[] {
  try {
    const value = decodeCbor(bytes, maxDepth)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
