/** Chance from a seed: the same seed, the same numbers. For tests, never for keys. */
import type { Random } from '../platform/seams.js'

export interface SeededRandom extends Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
  pick<T>(from: readonly T[]): T
}

// mulberry32: 32 bits of state, good enough to choose what a test does.
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(number() * end)
  return {
    number,
    below,
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  }
}
