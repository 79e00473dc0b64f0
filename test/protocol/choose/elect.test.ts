import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DeviceId,
  type Election,
  elect,
  groupId,
  rendezvousHash,
  stampOf,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, GROUP, START } from '../story.js'
import { anyCandidates, candidate, equals } from './candidates.js'
import { ELECT_CASES } from './cases.js'

function hold(name: string): Election {
  const found = ELECT_CASES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no case “${name}”.`)
  return elect(found.group, found.candidates)
}

test('the cases are plain data: JSON brings them back as they were', () => {
  expect(JSON.parse(JSON.stringify(ELECT_CASES))).toEqual(ELECT_CASES)
})

describe('the order', () => {
  test.each<[string, DeviceId[]]>([
    ['class comes first', [dee, cid, ben, ana]],
    ['of one class, mains goes before battery', [cid, ben]],
    ['then the longer uptime, in hours, up to a day', [cid, dee, ben, ana]],
    ['only live members and admins stand for election', [ana]],
  ])('%s', (name, order) => {
    expect(hold(name)).toMatchObject({ order, coordinator: order[0] })
  })

  test('then stability, in tenths: a hundredth more does not turn the order round', () => {
    const { order, ranks } = hold('then stability, in tenths')
    expect(order[2]).toBe(ben)
    expect(ranks.get(cid)).toBe(ranks.get(dee))
  })

  test('equal devices go by their hash with the group: the largest first', () => {
    const { order } = hold('equal devices go by their hash with the group')
    const hashes = order.map((device) => Buffer.from(rendezvousHash(GROUP, device)).toString('hex'))
    expect(hashes).toEqual(hashes.toSorted().toReversed())
    expect(order).toHaveLength(5)
  })

  test('in another group equal devices may stand in another order', () => {
    const orders = Array.from({ length: 8 }, (_, i) =>
      elect(groupId(ana, stampOf(START + i)), equals(5)).order.join(),
    )
    expect(new Set(orders).size).toBeGreaterThan(1)
  })

  test('without a live device there is no coordinator', () => {
    const { order, coordinator, ranks } = elect(GROUP, [candidate({ device: ben, beacon: null })])
    expect({ order, coordinator, ranks: ranks.size }).toEqual({ order: [], coordinator: null, ranks: 0 })
  })

  test('a draining device still leads: the election is about who is there, not about who is free', () => {
    const server = candidate({ device: ben, class: 'server', beacon: { draining: true } })
    expect(elect(GROUP, [server, candidate({ device: cid })]).coordinator).toBe(ben)
  })
})

describe('ranks', () => {
  test('a device alone has rank 1', () => {
    expect(elect(GROUP, [candidate({ device: ben })]).ranks.get(ben)).toBe(1)
  })

  test('unequal devices spread evenly from 1 to 0', () => {
    const { ranks } = hold('class comes first')
    expect([dee, cid, ben, ana].map((device) => ranks.get(device))).toEqual([1, 2 / 3, 1 / 3, 0])
  })

  test('equal devices share the rank of the first of them', () => {
    const pair = [candidate({ device: ben }), candidate({ device: cid })]
    const { ranks } = elect(GROUP, [
      candidate({ device: ana, class: 'server' }),
      ...pair,
      candidate({ device: dee, class: 'phone' }),
    ])
    expect([ana, ben, cid, dee].map((device) => ranks.get(device))).toEqual([1, 2 / 3, 2 / 3, 0])
    expect([...elect(GROUP, pair).ranks.values()]).toEqual([1, 1])
  })
})

describe('any election', () => {
  test('comes out the same in whatever order the devices are listed', () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const { order, coordinator, ranks } = elect(GROUP, candidates.toReversed())
        const same = elect(GROUP, candidates)
        expect({ order, coordinator }).toEqual({ order: same.order, coordinator: same.coordinator })
        expect([...ranks]).toEqual([...same.ranks])
      }),
      { numRuns: 1000 },
    )
  })

  test('keeps the order of the others when a device leaves', () => {
    fc.assert(
      fc.property(anyCandidates, fc.nat(), (candidates, nth) => {
        fc.pre(candidates.length > 0)
        const gone = candidates[nth % candidates.length]?.device
        const { order } = elect(GROUP, candidates)
        const left = elect(
          GROUP,
          candidates.filter(({ device }) => device !== gone),
        )
        expect(left.order).toEqual(order.filter((device) => device !== gone))
        if (order[0] !== gone) expect(left.coordinator).toBe(order[0] ?? null)
      }),
      { numRuns: 1000 },
    )
  })

  test('ranks fall along the order, from 1, within 0 and 1', () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const { order, ranks } = elect(GROUP, candidates)
        const along = order.map((device) => ranks.get(device) ?? Number.NaN)
        if (order.length > 0) expect(along[0]).toBe(1)
        expect(along).toEqual(along.toSorted((a, b) => b - a))
        expect(along.every((rank) => rank >= 0 && rank <= 1)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
