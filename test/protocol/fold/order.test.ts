import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareRecords, orderRecords } from '../../../protocol/fold/order.js'
import { type Kind, RecordNamer, type RecordOf, stampOf, writeRecord } from '../../../protocol/index.js'
import { ana, ben, cid, FOUNDED, GROUP, START } from '../story.js'

const DEVICES = [ana, ben, cid] as const

/** A profile that a device wrote so many milliseconds into the story, in its first or second incarnation. */
function profile(who: string, ms: number, name = 'one', life = 0): RecordOf<'profiled'> {
  const namer = new RecordNamer({ device: who, incarnation: FOUNDED + life })
  const draft = { kind: 'profiled' as Kind & 'profiled', name, class: 'laptop' as const, capabilities: [] }
  return writeRecord(draft, stampOf(START + ms), namer, GROUP)
}

const anyProfile = fc
  .record({
    who: fc.constantFrom(...DEVICES),
    ms: fc.nat({ max: 3 }),
    name: fc.constantFrom('one', 'two', 'three'),
    life: fc.nat({ max: 1 }),
  })
  .map(({ who, ms, name, life }) => profile(who, ms, name, life))
const anyRecords = fc.array(anyProfile, { maxLength: 20 })

describe('the order of records', () => {
  test('goes by time, then author, then id', () => {
    const [first, second] = [ana, ben].toSorted() as [string, string]
    const lives = [profile(second, 1, 'one', 0), profile(second, 1, 'one', 1)].toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    )
    const expected = [profile(second, 0), profile(first, 1), ...lives, profile(first, 2)]
    expect(orderRecords(expected.toReversed()).ordered).toEqual(expected)
  })

  test('is total: any two records with different ids are in one order, and never both', () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (a, b) => {
        expect(Math.sign(compareRecords(a, b))).toBe(0 - Math.sign(compareRecords(b, a)))
        expect(compareRecords(a, b) === 0).toBe(a.id === b.id)
      }),
      { numRuns: 1000 },
    )
  })

  test('is transitive', () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, anyProfile, (a, b, c) => {
        if (compareRecords(a, b) <= 0 && compareRecords(b, c) <= 0)
          expect(compareRecords(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('leaves the list it was given as it was', () => {
    const given = [profile(ben, 2), profile(ana, 1), profile(ana, 1)]
    const copy = [...given]
    orderRecords(given)
    expect(given).toEqual(copy)
  })
})

describe('records that come more than once', () => {
  test('a repetition is dropped and is no duplicate', () => {
    const record = profile(ana, 1)
    expect(orderRecords([record, { ...record }, record])).toEqual({ ordered: [record], duplicates: [] })
  })

  test('a repetition whose fields stand in another order is the same record', () => {
    const record = profile(ana, 1)
    const shuffled = Object.fromEntries(Object.entries(record).toReversed()) as typeof record
    expect(orderRecords([record, shuffled]).duplicates).toEqual([])
  })

  test('of different records with one id the one with the smaller encoding stands', () => {
    // CBOR puts the shorter text first, and of equal length the one that sorts first.
    const [one, two, three] = [profile(ana, 1, 'one'), profile(ana, 1, 'two'), profile(ana, 1, 'three')]
    for (const records of [
      [one, two, three],
      [three, two, one],
      [two, three, two, one, three],
    ]) {
      expect(orderRecords(records)).toEqual({ ordered: [one], duplicates: [two, three] })
    }
  })

  test('one id in two incarnations is two ids', () => {
    const records = [profile(ana, 1, 'one', 0), profile(ana, 1, 'two', 1)]
    expect(orderRecords(records).ordered).toHaveLength(2)
  })
})

describe('any records', () => {
  test('come out in one order, whatever order they came in and however often', () => {
    fc.assert(
      fc.property(anyRecords, fc.nat({ max: 19 }), fc.nat({ max: 19 }), (records, cut, again) => {
        const turned = [...records.slice(cut), ...records.slice(0, cut), ...records.slice(again)].reverse()
        expect(orderRecords(turned)).toEqual(orderRecords(records))
      }),
      { numRuns: 1000 },
    )
  })

  test('come out sorted, each id once, none lost and none made up', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { ordered, duplicates } = orderRecords(records)
        for (const [i, record] of ordered.entries()) {
          const next = ordered[i + 1]
          if (next !== undefined) expect(compareRecords(record, next)).toBeLessThan(0)
        }
        const text = (record: unknown): string => JSON.stringify(record)
        expect([...ordered, ...duplicates].map(text).toSorted()).toEqual(
          [...new Set(records.map(text))].toSorted(),
        )
      }),
      { numRuns: 1000 },
    )
  })
})
