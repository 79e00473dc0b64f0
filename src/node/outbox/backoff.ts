/** How long to wait after a failed delivery. */
import type { Random } from '../../platform/seams.js'
import { JITTER } from './constants.js'

export interface Backoff {
  readonly backoffMs: number
  readonly maxBackoffMs: number
}

/** Twice as long after each attempt, up to the cap; a little more by chance. No wait before the first attempt. */
export function backoffAfter(attempts: number, { backoffMs, maxBackoffMs }: Backoff, random: Random): number {
  if (attempts === 0) return 0
  const wait = Math.min(maxBackoffMs, backoffMs * 2 ** (attempts - 1))
  return Math.ceil(wait * (1 + JITTER * random.number()))
}
