/** Chance from the system's secure source. */
import type { Random } from './seams.js'

// getRandomValues refuses more at once.
const MOST_BYTES_AT_ONCE = 65_536

export const systemRandom: Random = { bytes, number }

function bytes(count: number): Uint8Array {
  const result = new Uint8Array(count)
  for (let at = 0; at < count; at += MOST_BYTES_AT_ONCE) {
    crypto.getRandomValues(result.subarray(at, at + MOST_BYTES_AT_ONCE))
  }
  return result
}

// 53 bits: as many as a double tells apart between 0 and 1.
function number(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number]
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53
}
