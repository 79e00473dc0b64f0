import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, type DeviceId, elect, reassignLine, type Turn } from '../../../protocol/index.js'
import { ana, ben, cid, dee, GROUP } from '../story.js'
import { anyCandidates, candidate } from './candidates.js'
import { LINE_CASES } from './cases.js'

function line(name: string): readonly Turn[] {
  const found = LINE_CASES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no case “${name}”.`)
  return reassignLine(found.input)
}

test('the cases are plain data: JSON brings them back as they were', () => {
  expect(JSON.parse(JSON.stringify(LINE_CASES))).toEqual(LINE_CASES)
})

describe('who reassigns', () => {
  test.each<[string, DeviceId[]]>([
    ['a live assigner goes first, whatever its rank', [cid, ana, ben, dee]],
    ['an assigner not heard of lately is not in line', [ana, ben, dee]],
    ['an assigner that nobody knows is not in line', [ana, ben, cid, dee]],
    ['the silent owner is excepted', [cid, ben, dee]],
    ['an owner that assigned to itself is excepted all the same', [ana, ben, dee]],
    ['an assigner that was revoked is not in line', [ana, ben, dee]],
    ['nobody is there', []],
  ])('%s', (name, devices) => {
    expect(line(name).map(({ device }) => device)).toEqual(devices)
  })

  test('the first acts at once, each further one a stagger later', () => {
    const delays = line('a live assigner goes first, whatever its rank').map(({ delayMs }) => delayMs)
    expect(delays).toEqual([0, 2000, 4000, 6000])
  })

  test('the stagger is a setting', () => {
    const input = LINE_CASES[0]?.input
    if (input === undefined) throw new Error('There are no cases.')
    expect(reassignLine(input, { staggerMs: 500 }).map(({ delayMs }) => delayMs)).toEqual([
      0, 500, 1000, 1500,
    ])
  })

  test('a device that is listed twice is refused', () => {
    const twice = [candidate({ device: ben }), candidate({ device: ben })]
    expect(() => reassignLine({ group: GROUP, candidates: twice, assigner: ben })).toThrow(ConfigError)
  })

  test('any line has every live device but the excepted once, no two with one delay', () => {
    fc.assert(
      fc.property(anyCandidates, fc.nat(), fc.nat(), (candidates, a, b) => {
        fc.pre(candidates.length > 0)
        const assigner = candidates[a % candidates.length]?.device as DeviceId
        const owner = candidates[b % candidates.length]?.device as DeviceId
        const turns = reassignLine({ group: GROUP, candidates, assigner, except: [owner] })
        const live = elect(GROUP, candidates).order.filter((device) => device !== owner)
        expect(turns.map(({ device }) => device).toSorted()).toEqual(live.toSorted())
        expect(turns.map(({ delayMs }) => delayMs)).toEqual(live.map((_, k) => k * 2000))
        if (live.includes(assigner)) expect(turns[0]?.device).toBe(assigner)
      }),
      { numRuns: 1000 },
    )
  })
})
