import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Draft, RunView } from '../../protocol/index.js'
import type { Tracked } from '../../src/engine/state.js'
import { fitsQuery, WaitingIndex } from '../../src/engine/waiting-index.js'
import { ana, ben, Story } from '../protocol/story.js'

const STEP_MS = 60_000

function waiting(extra: Partial<Draft<'created'>> = {}, ageMs = 0, priority = 0): Tracked {
  const story = new Story().wait(-ageMs + 3_600_000)
  story.created(ana, { priority, ...extra })
  return { run: story.view.run, view: story.view, wait: null } as Tracked
}

function drain(index: WaitingIndex): Tracked[] {
  const order: Tracked[] = []
  for (let next = index.next(() => true); next !== null; next = index.next(() => true)) {
    order.push(next)
    index.remove(next)
  }
  return order
}

describe('the line', () => {
  it('goes by priority, then by age', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const [low, old, fresh, high] = [waiting({}, 0, -10), waiting({}, 5), waiting({}, 0), waiting({}, 0, 10)]
    for (const one of [low, old, fresh, high]) index.add(one, ana)
    expect(drain(index)).toEqual([high, old, fresh, low])
  })

  it('lets a low one pass newer high ones after 20 steps of waiting', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const [low, high] = [waiting({}, 20 * STEP_MS + 1, -10), waiting({}, 0, 10)]
    for (const one of [low, high]) index.add(one, ana)
    expect(drain(index)).toEqual([low, high])
  })

  it('is in order over all its buckets, whatever is added and taken out', () => {
    const pool = Array.from({ length: 24 }, (_, i) =>
      waiting({ type: `t${i % 3}`, requires: i % 2 === 0 ? ['gpu'] : [] }, (i * 7919) % 100_000, (i % 5) - 2),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 23 }), fc.boolean(), fc.boolean()), { maxLength: 60 }),
        (moves) => {
          const index = new WaitingIndex(STEP_MS, 10)
          for (const one of pool) one.wait = null
          for (const [i, isIn, isParked] of moves) {
            if (isIn) index.add(pool[i] as Tracked, ana, isParked)
            else index.remove(pool[i] as Tracked)
          }
          const left = pool.filter(({ wait }) => wait !== null)
          expect(index.size).toBe(left.length)
          const weight = ({ view }: Tracked): number => view.priority - view.createdAt / STEP_MS
          const order = drain(index)
          expect(new Set(order)).toEqual(new Set(left))
          for (const [i, one] of order.slice(1).entries())
            expect(weight(one)).toBeLessThanOrEqual(weight(order[i] as Tracked))
          expect(index.size).toBe(0)
        },
      ),
    )
  })

  it('looks at the head of each bucket, however long the line is', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    for (let i = 0; i < 200; i++) index.add(waiting({}, i), ana)
    let looks = 0
    index.next(() => ++looks > 0)
    expect(looks).toBe(1)
  })
})

describe('a run in the line', () => {
  it('stands in one bucket at a time, and moves when its priority changes', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const [one, other] = [waiting({}, 10), waiting({}, 5)]
    index.add(one, ana)
    index.add(other, ana)
    other.view = { ...other.view, priority: 3 } as RunView
    index.add(other, ana)
    expect(index.size).toBe(2)
    expect(index.next(() => true)).toBe(other)
    expect(index.counts).toEqual({ high: 0, normal: 2, low: 0 })
  })

  it('keeps back no other while it is parked, and nobody but who pulls sees it', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const [parked, open] = [waiting({}, 10), waiting({}, 5)]
    index.add(parked, ana, true)
    index.add(open, ana)
    expect(index.next((bucket) => !bucket.isParked)).toBe(open)
    expect(index.next(() => true)).toBe(parked)
  })

  it('does not hide one that may use reserved slots', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const [old, high] = [waiting({}, 30 * STEP_MS), waiting({}, 0, 10)]
    index.add(old, ana)
    index.add(high, ana)
    expect(index.next(({ sample }) => sample.priority >= 10)).toBe(high)
  })

  it('waits for whoever is responsible, apart from those of others', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const mine = waiting()
    index.add(mine, ana)
    index.add(waiting({}, 50), ben)
    expect(index.next(({ responsible }) => responsible === ana)).toBe(mine)
  })
})

describe('whoever pulls', () => {
  it('gets what fits its project, type and capabilities', () => {
    const index = new WaitingIndex(STEP_MS, 10)
    const run = waiting({ project: 'album', requires: ['gpu'] })
    index.add(run, ana)
    const fits = (query: object): boolean =>
      index.next((bucket) => fitsQuery(bucket, { leaseMs: 1, ...query })) === run
    expect(fits({})).toBe(true)
    expect(fits({ project: 'album', type: 'test.job', capabilities: ['gpu', 'disk'] })).toBe(true)
    expect(fits({ project: 'other' })).toBe(false)
    expect(fits({ type: 'other' })).toBe(false)
    expect(fits({ capabilities: ['disk'] })).toBe(false)
  })
})
