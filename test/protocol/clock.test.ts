import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ClockError,
  checkDrift,
  compareTimes,
  counterOf,
  decodeStamp,
  encodeStamp,
  isStamp,
  MAX_DRIFT_MS,
  MAX_STAMP_MS,
  msOf,
  receive,
  STAMPS_PER_MS,
  stampOf,
  type Timed,
  tick,
} from '../../protocol/index.js'
import { devices, LAST_STAMP, stamps } from './arbitraries.js'
import { START } from './story.js'
import { thrown } from './thrown.js'

const CASES = { numRuns: 2000 }
/** A clock that can still tick, and a wall clock of some millisecond. */
const clocks = stamps.map((stamp) => Math.min(stamp, LAST_STAMP - 1))
const walls = fc.oneof(fc.integer({ min: 0, max: MAX_STAMP_MS }), fc.integer({ min: 0, max: 8 }))

describe('tick', () => {
  test('goes strictly forward and never stands before the wall clock', () => {
    fc.assert(
      fc.property(clocks, walls, (last, nowMs) => {
        const next = tick(last, nowMs)
        expect(isStamp(next)).toBe(true)
        expect(next).toBeGreaterThan(last)
        expect(msOf(next)).toBeGreaterThanOrEqual(nowMs)
      }),
      CASES,
    )
  })

  test('takes the least stamp that does both', () => {
    fc.assert(
      fc.property(clocks, walls, (last, nowMs) => {
        const before = tick(last, nowMs) - 1
        expect(before <= last || msOf(before) < nowMs).toBe(true)
      }),
      CASES,
    )
  })

  test('goes on when the wall clock goes back, and through any walk of it', () => {
    fc.assert(
      fc.property(fc.array(walls, { minLength: 2, maxLength: 20 }), (walk) => {
        let last = 0
        let latestMs = 0
        for (const nowMs of walk) {
          const next = tick(last, Math.min(nowMs, MAX_STAMP_MS - 1))
          latestMs = Math.max(latestMs, Math.min(nowMs, MAX_STAMP_MS - 1))
          expect(next).toBeGreaterThan(last)
          expect(msOf(next)).toBe(latestMs)
          last = next
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the counter carries into the milliseconds after 1024 records in one', () => {
    let last = 0
    for (let i = 0; i < STAMPS_PER_MS; i++) last = tick(last, START)
    expect([msOf(last), counterOf(last)]).toEqual([START, STAMPS_PER_MS - 1])
    last = tick(last, START)
    expect([msOf(last), counterOf(last)]).toEqual([START + 1, 0])
    last = tick(last, START)
    expect(last).toBe(stampOf(START + 1, 1))
  })
})

describe('receive', () => {
  test('the next tick is later than the remote stamp, whatever the clocks say', () => {
    fc.assert(
      fc.property(clocks, clocks, walls, (last, remote, nowMs) => {
        const seen = receive(last, remote, nowMs, MAX_STAMP_MS)
        expect(seen).toBeGreaterThanOrEqual(last)
        expect(tick(seen, nowMs)).toBeGreaterThan(remote)
      }),
      CASES,
    )
  })

  test('a clock that took in nothing newer stays where it was', () => {
    expect(receive(stampOf(START, 5), stampOf(START, 4), START)).toBe(stampOf(START, 5))
  })

  test('a stamp is refused if and only if it is over the drift bound, and passes at the time the refusal names', () => {
    fc.assert(
      fc.property(stamps, walls, fc.integer({ min: 0, max: 120_000 }), (remote, nowMs, boundMs) => {
        const aheadMs = msOf(remote) - nowMs
        if (aheadMs <= boundMs) {
          expect(receive(0, remote, nowMs, boundMs)).toBe(remote)
          return
        }
        const error = thrown(ClockError, () => receive(0, remote, nowMs, boundMs))
        expect(error.code).toBe('STAMP_AHEAD')
        const retryAtMs = error.details['retryAtMs'] as number
        expect(receive(0, remote, retryAtMs, boundMs)).toBe(remote)
        expect(() => receive(0, remote, retryAtMs - 1, boundMs)).toThrow(ClockError)
      }),
      CASES,
    )
  })

  test('exactly at the bound of 60 s a stamp is taken in, with any counter; one millisecond more is refused', () => {
    const atBound = stampOf(START + MAX_DRIFT_MS, STAMPS_PER_MS - 1)
    expect(receive(0, atBound, START)).toBe(atBound)
    const error = thrown(ClockError, () => receive(0, atBound + 1, START))
    expect(error).toMatchObject({
      code: 'STAMP_AHEAD',
      details: { aheadMs: 60_001, maxDriftMs: 60_000, retryAtMs: START + 1 },
    })
  })

  test.each([Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, LAST_STAMP + 1])(
    '%s is no stamp to take in',
    (remote) => {
      expect(thrown(ClockError, () => receive(0, remote, START)).code).toBe('STAMP_INVALID')
      expect(thrown(ClockError, () => checkDrift(remote, START)).code).toBe('STAMP_INVALID')
    },
  )
})

describe('the total order', () => {
  // Few authors and few stamps, so that equal ones meet.
  const authors = fc.constantFrom(...fc.sample(devices, { numRuns: 3, seed: 1 }))
  const times: fc.Arbitrary<Timed> = fc.record({
    stamp: fc.oneof(stamps, fc.integer({ min: 0, max: 3 })),
    author: authors,
  })
  const sign = (n: number): number => (n < 0 ? -1 : n > 0 ? 1 : 0)

  test('is total and antisymmetric: equal only for the same stamp and author', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(sign(compareTimes(a, b)) + sign(compareTimes(b, a))).toBe(0)
        expect(compareTimes(a, b) === 0).toBe(a.stamp === b.stamp && a.author === b.author)
      }),
      CASES,
    )
  })

  test('is transitive', () => {
    fc.assert(
      fc.property(times, times, times, (a, b, c) => {
        const [first, second, third] = [a, b, c].sort(compareTimes) as [Timed, Timed, Timed]
        expect(compareTimes(first, second)).toBeLessThanOrEqual(0)
        expect(compareTimes(second, third)).toBeLessThanOrEqual(0)
        expect(compareTimes(first, third)).toBeLessThanOrEqual(0)
      }),
      CASES,
    )
  })

  test('is the order of the encoded stamps as text, and then of the authors', () => {
    const text = ({ stamp, author }: Timed): string => encodeStamp(stamp) + author
    fc.assert(
      fc.property(times, times, (a, b) => {
        expect(sign(compareTimes(a, b))).toBe(text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0)
      }),
      CASES,
    )
  })
})

describe('stamps', () => {
  test('have a millisecond and a counter, and are made of them', () => {
    fc.assert(
      fc.property(stamps, (stamp) => {
        expect(stampOf(msOf(stamp), counterOf(stamp))).toBe(stamp)
      }),
      CASES,
    )
  })

  test('survive encoding as 11 characters', () => {
    fc.assert(
      fc.property(stamps, (stamp) => {
        expect(encodeStamp(stamp)).toMatch(/^[0-9a-hjkmnp-tv-z]{11}$/)
        expect(decodeStamp(encodeStamp(stamp))).toBe(stamp)
      }),
      CASES,
    )
    expect(decodeStamp(encodeStamp(LAST_STAMP))).toBe(LAST_STAMP)
  })

  test.each([
    [-1, 0],
    [0.5, 0],
    [MAX_STAMP_MS + 1, 0],
    [Number.NaN, 0],
    [START, -1],
    [START, STAMPS_PER_MS],
    [START, 0.5],
  ])('there is none of millisecond %s and counter %s', (ms, counter) => {
    expect(thrown(ClockError, () => stampOf(ms, counter)).code).toBe('STAMP_INVALID')
  })

  test.each([-1, 0.5, Number.NaN, LAST_STAMP + 1])('%s cannot be encoded', (value) => {
    expect(isStamp(value)).toBe(false)
    expect(thrown(ClockError, () => encodeStamp(value)).code).toBe('STAMP_INVALID')
  })

  test.each([
    ['too short', '0000000000'],
    ['too long', '000000000000'],
    ['empty', ''],
    ['of a letter outside the alphabet', '0000000000u'],
    ['in upper case', '0000000000A'],
    ['past the last stamp', '80000000000'],
    ['of a letter beyond ASCII', '0000000000é'],
  ])('a text that is %s is none', (_, text) => {
    expect(thrown(ClockError, () => decodeStamp(text)).code).toBe('STAMP_INVALID')
  })

  test('only numbers are stamps', () => {
    for (const value of ['1', null, undefined, 1n, {}]) expect(isStamp(value)).toBe(false)
  })
})
