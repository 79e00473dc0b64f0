import {
  ClockError,
  checkDrift,
  compareTimes,
  counterOf,
  encodeStamp,
  MAX_DRIFT_MS,
  MAX_STAMP_MS,
  msOf,
  STAMPS_PER_MS,
  type Stamp,
  stampOf,
  tick,
} from '../../protocol/index.js'
import { ana, ben, START } from '../../test/protocol/story.js'

const LAST = STAMPS_PER_MS - 1

/** Stamps and their texts, ticks, comparisons, and what is too far ahead. */
export function clockVectors(): Record<string, unknown> {
  const stamps = [
    0,
    1,
    LAST,
    STAMPS_PER_MS,
    stampOf(START),
    stampOf(START, LAST),
    stampOf(MAX_STAMP_MS, LAST),
  ]
  return {
    about: 'Stamps: ms * 1024 + counter. SPEC.md, section 2.',
    encode: stamps.map((stamp) => ({
      stamp,
      ms: msOf(stamp),
      counter: counterOf(stamp),
      text: encodeStamp(stamp),
    })),
    tick: [
      ticked('the wall clock moved on', stampOf(START), START + 1),
      ticked('the same millisecond', stampOf(START, 5), START),
      ticked('the wall clock went back', stampOf(START), START - 5000),
      ticked('the counter carries', stampOf(START, LAST), START),
    ],
    compare: [
      compared('by stamp', stampOf(START), ben, stampOf(START, 1), ana),
      compared('by author where stamps are equal', stampOf(START), ana, stampOf(START), ben),
      compared('equal', stampOf(START), ana, stampOf(START), ana),
    ],
    drift: [
      drifted('a record from the past', START - 1_000_000),
      drifted('a record as far ahead as allowed', START + MAX_DRIFT_MS),
      drifted('a record from the future', START + MAX_DRIFT_MS + 1),
    ],
  }
}

function ticked(name: string, last: Stamp, nowMs: number): object {
  return { name, last, nowMs, next: tick(last, nowMs) }
}

function compared(name: string, aStamp: Stamp, aAuthor: string, bStamp: Stamp, bAuthor: string): object {
  const a = { stamp: aStamp, author: aAuthor }
  const b = { stamp: bStamp, author: bAuthor }
  return { name, a, b, order: Math.sign(compareTimes(a, b)) }
}

function drifted(name: string, ms: number): object {
  const stamp = stampOf(ms)
  try {
    checkDrift(stamp, START)
    return { name, stamp, nowMs: START, refused: null }
  } catch (error) {
    if (!(error instanceof ClockError)) throw error
    return { name, stamp, nowMs: START, refused: error.code, retryAtMs: error.details['retryAtMs'] }
  }
}
