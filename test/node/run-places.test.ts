import { describe, expect, it } from 'vitest'
import { type AnyRecord, encodeStamp, keyedRunId, type RunId, stampOf } from '../../protocol/index.js'
import { RunPlaces } from '../../src/node/run-places.js'

const GROUP = '0'.repeat(26)
const keyed = (key: string): RunId => keyedRunId({ group: GROUP, project: '', type: 'work', key })
const about = (run: RunId): AnyRecord => ({ kind: 'resumed', run }) as unknown as AnyRecord

describe('where runs stand', () => {
  it('is told by the id of a run without a key', () => {
    const run = `${encodeStamp(stampOf(Date.UTC(2026, 4, 3)))}${'0'.repeat(15)}`
    expect(new RunPlaces().of(run)).toEqual(['2026-05-03'])
  })

  it('is every journal with a record of a run with a key', () => {
    const places = new RunPlaces()
    for (const day of ['2026-01-01', '2026-01-05', '2026-01-01']) places.note(day, [about(keyed('a'))])
    expect(places.of(keyed('a'))).toEqual(['2026-01-01', '2026-01-05'])
  })

  it('spreads from a journal that is kept to all that hold parts of its runs, over any number of runs', () => {
    const places = new RunPlaces()
    for (const [day, ...keys] of [
      ['2026-01-01', 'c'],
      ['2026-01-02', 'b', 'c'],
      ['2026-01-03', 'a', 'b'],
      ['2026-01-04', 'a'],
      ['2026-01-05', 'd'],
    ] as const)
      places.note(day, keys.map(keyed).map(about))
    const kept = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']
    expect([...places.spread(['2026-01-04'])].sort()).toEqual(kept)
    expect([...places.spread(['2026-01-05'])]).toEqual(['2026-01-05'])
  })

  it('no longer names journals that were dropped', () => {
    const places = new RunPlaces()
    places.note('2026-01-01', [about(keyed('a')), about(keyed('b'))])
    places.note('2026-01-02', [about(keyed('a'))])
    places.drop(new Set(['2026-01-01']))
    expect(places.of(keyed('a'))).toEqual(['2026-01-02'])
    expect(places.of(keyed('b'))).toEqual([])
  })
})
