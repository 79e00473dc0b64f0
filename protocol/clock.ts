/**
 * The hybrid logical clock.
 *
 * A *stamp* is one safe integer: milliseconds since 1970 times 1024, plus a counter. Stamps therefore compare with
 * `<`, fit a database column, and serve as fences. The counter carries into the milliseconds when a device writes more
 * than 1024 records in one; equal stamps of different authors are ordered by author id.
 *
 * @example
 * ```ts
 * let last = 0
 * last = tick(last, nowMs)                  // before every own record
 * last = receive(last, record.stamp, nowMs) // for every record taken in
 * ```
 */
import { decodeStampText, encodeStampText } from './base32.js'
import { ClockError } from './errors.js'
import { MAX_DRIFT_MS, MAX_STAMP_MS } from './limits.js'

/** A point in hybrid logical time: `ms * 1024 + counter`. Zero stands before all time. */
export type Stamp = number

/** Counter values within one millisecond. */
export const STAMPS_PER_MS = 1024

const MAX_STAMP = (MAX_STAMP_MS + 1) * STAMPS_PER_MS - 1

export function isStamp(value: unknown): value is Stamp {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_STAMP
}

/** The stamp of a millisecond and a counter. Throws `STAMP_INVALID` if either is out of its range. */
export function stampOf(ms: number, counter = 0): Stamp {
  const stamp = ms * STAMPS_PER_MS + counter
  if (!isStamp(stamp) || !Number.isSafeInteger(ms) || counter < 0 || counter >= STAMPS_PER_MS) {
    throw new ClockError('STAMP_INVALID', `No stamp has ms ${ms} and counter ${counter}.`, { ms, counter })
  }
  return stamp
}

/** The wall-clock milliseconds of a stamp. */
export function msOf(stamp: Stamp): number {
  return Math.floor(stamp / STAMPS_PER_MS)
}

/** The counter of a stamp. */
export function counterOf(stamp: Stamp): number {
  return stamp % STAMPS_PER_MS
}

/** The next stamp of this device: later than `last`, and not before `nowMs` even if the wall clock went back. A fraction of a millisecond is cut off. */
export function tick(last: Stamp, nowMs: number): Stamp {
  const stamp = Math.max(last + 1, Math.floor(nowMs) * STAMPS_PER_MS)
  if (!isStamp(stamp))
    throw new ClockError('STAMP_INVALID', `No stamp follows ${last} at ${nowMs} ms.`, { last, nowMs })
  return stamp
}

/**
 * The clock after a remote stamp was seen, so that the next `tick` is later than it.
 *
 * Throws `STAMP_AHEAD` for a stamp over `maxDriftMs` ahead of local time; `details.retryAtMs` says when it will pass.
 */
export function receive(last: Stamp, remote: Stamp, nowMs: number, maxDriftMs: number = MAX_DRIFT_MS): Stamp {
  checkDrift(remote, nowMs, maxDriftMs)
  return Math.max(last, remote)
}

/** Throws `STAMP_AHEAD` if a stamp is over `maxDriftMs` ahead of `nowMs`. */
export function checkDrift(stamp: Stamp, nowMs: number, maxDriftMs: number = MAX_DRIFT_MS): void {
  if (!isStamp(stamp)) throw new ClockError('STAMP_INVALID', `${String(stamp)} is no stamp.`)
  if (!Number.isFinite(nowMs)) throw new ClockError('STAMP_INVALID', `${nowMs} is no time.`)
  const aheadMs = msOf(stamp) - nowMs
  if (aheadMs > maxDriftMs) {
    throw new ClockError(
      'STAMP_AHEAD',
      `A stamp is ${aheadMs} ms ahead of this device’s time, over the ${maxDriftMs} ms allowed. ` +
        'Nothing was applied; keep the record and offer it again later.',
      { aheadMs, maxDriftMs, retryAtMs: msOf(stamp) - maxDriftMs },
    )
  }
}

/** What the total order is about: records, and anything else with a stamp and an author. */
export interface Timed {
  readonly stamp: Stamp
  readonly author: string
}

/** The total order of records: stamp, then author. Negative if `a` is earlier. */
export function compareTimes(a: Timed, b: Timed): number {
  if (a.stamp !== b.stamp) return a.stamp - b.stamp
  return a.author < b.author ? -1 : a.author > b.author ? 1 : 0
}

/** Eleven characters that sort as the stamps do. */
export function encodeStamp(stamp: Stamp): string {
  if (!isStamp(stamp)) throw new ClockError('STAMP_INVALID', `${String(stamp)} is no stamp.`)
  return encodeStampText(stamp)
}

/** The stamp that `encodeStamp` wrote. Throws `STAMP_INVALID` for any other text. */
export function decodeStamp(text: string): Stamp {
  const stamp = decodeStampText(text)
  if (stamp === undefined || !isStamp(stamp)) throw new ClockError('STAMP_INVALID', `“${text}” is no stamp.`)
  return stamp
}
