/** What happens in each round: by chance, and the same for the same seed. */

/** What a child does besides committing. */
export const CHORES = ['none', 'compact', 'evict', 'unload', 'close'] as const
export type Chore = (typeof CHORES)[number]

export interface Plan {
  readonly device: number
  readonly round: number
  readonly seed: number
  /** Loops that commit at once. */
  readonly submitters: number
  /** Milliseconds from the first acknowledgement to the kill. */
  readonly killAfterMs: number
  readonly chore: Chore
  /** Milliseconds from the first acknowledgement to the chore: before the kill, so that the kill can hit it. */
  readonly choreAfterMs: number
  /** Days by which the child's clock is ahead of the first round's: a new day is a new journal. */
  readonly day: number
  /** Whether the parent, after its checks, commits enough for the next child to have something to compact. */
  readonly fillsSegment: boolean
  /** Whether the parent, after its checks, closes the journals in order, or leaves them as a crash would. */
  readonly closesInOrder: boolean
}

/** Rounds on one store: enough for old logs and old days to gather, few enough for each check to stay short. */
export const ROUNDS_A_DEVICE = 10
const ROUNDS_A_DAY = 2
const MOST_SUBMITTERS = 16
const [SOONEST_KILL_MS, LATEST_KILL_MS] = [10, 400] as const
const LONGEST_CHORE_MS = 300

/** The rounds of one device's store. */
export function planDevice(seed: number, device: number, rounds: number): readonly Plan[] {
  const chance = mulberry32(seed * 1_000_003 + device)
  const chores = Array.from({ length: rounds }, () => CHORES[Math.floor(chance() * CHORES.length)] as Chore)
  return chores.map((chore, round) => {
    const killAfterMs = Math.round(SOONEST_KILL_MS + chance() * (LATEST_KILL_MS - SOONEST_KILL_MS))
    return {
      device,
      round,
      seed: Math.floor(chance() * 2 ** 32),
      submitters: 1 + Math.floor(chance() * MOST_SUBMITTERS),
      killAfterMs,
      chore,
      // Mostly shortly before the kill: that is when being killed hurts.
      choreAfterMs: Math.max(0, Math.round(killAfterMs - chance() ** 2 * LONGEST_CHORE_MS)),
      day: Math.floor(round / ROUNDS_A_DAY),
      fillsSegment: chores[round + 1] === 'compact',
      closesInOrder: chance() < 0.5,
    }
  })
}

/** A small generator of numbers from 0 up to, not including, 1. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
