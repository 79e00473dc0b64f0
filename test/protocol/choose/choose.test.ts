import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  type ChooseInput,
  choose,
  type Decision,
  type DeviceId,
  loadOf,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, device, eve } from '../story.js'
import { anyCandidate, anyInput, anyShare, candidate, choice, equals, runId } from './candidates.js'
import { CHOOSE_CASES } from './cases.js'

function decide(name: string): Decision {
  const found = CHOOSE_CASES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no case “${name}”.`)
  return choose(found.input, found.config)
}

function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const at = list.length === 0 ? 0 : by % list.length
  return [...list.slice(at), ...list.slice(0, at)].reverse()
}

test('every case has its own name', () => {
  const names = CHOOSE_CASES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('the cases are plain data: JSON brings them back as they were', () => {
  expect(JSON.parse(JSON.stringify(CHOOSE_CASES))).toEqual(CHOOSE_CASES)
})

describe('the score', () => {
  test.each([
    ['one idle device', ben],
    ['the less loaded of two', cid],
    ['assigned but unclaimed work is load', cid],
    ['a machine busy with other things is loaded', cid],
    ['the better connected of two', cid],
    ['the higher ranked of two', cid],
    ['the one with more of the preferred capabilities', cid],
    ['weights: an idle device with a bad link, by default', ben],
    ['weights: the same, where only the link counts', cid],
  ])('%s', (name, winner) => {
    const decision = decide(name)
    expect(decision).toMatchObject({ winner, rule: 'score' })
    const [best, next] = decision.candidates
    expect(best?.score).toBeGreaterThan(next?.score ?? -1)
  })

  test('a perfect device has all hundred points', () => {
    expect(decide('one idle device').candidates[0]).toMatchObject({
      score: 100_000,
      parts: { load: 40_000, quality: 30_000, rank: 20_000, capability: 10_000 },
    })
  })

  test('parts are whole thousandths, rounded half up', () => {
    const { candidates } = decide('weights: fractions of a point round to thousandths')
    expect(candidates.map(({ parts }) => parts)).toEqual([
      { load: 8230, quality: 4667, rank: 500, capability: 0 },
      { load: 8818, quality: 2333, rank: 500, capability: 0 },
    ])
  })

  test('the share of preferred capabilities counts, not their number', () => {
    const { candidates } = decide('the one with more of the preferred capabilities')
    expect(candidates.map(({ parts }) => parts?.capability)).toEqual([6667, 3333])
    const half = choose(
      choice([candidate({ device: ben, capabilities: ['gpu'] })], { prefers: ['gpu', 'disk'] }),
    )
    expect(half.candidates[0]?.parts?.capability).toBe(5000)
  })

  test('load is the fuller of slots and machine', () => {
    const busy = candidate({ device: ben, pending: 1, beacon: { active: 2, load: 0.25 } })
    expect(loadOf(busy)).toBe(0.3)
    expect(loadOf({ ...busy, pending: 0 })).toBe(0.25)
    expect(loadOf({ ...busy, slots: 0 })).toBe(1)
    expect(loadOf({ ...busy, slots: 2 })).toBe(1)
  })
})

describe('who goes before the score', () => {
  test.each([
    ['coordinator: asked for, though busier', ben, 'coordinator'],
    ['coordinator: asked for, but draining', cid, 'score'],
    ['coordinator: goes before the willing creator', ben, 'coordinator'],
    ['local: the creator keeps it, though busier', ana, 'local'],
    ['local: the creator is not willing', ben, 'score'],
    ['local: the creator is willing and full', ben, 'score'],
  ] as const)('%s', (name, winner, rule) => {
    expect(decide(name)).toMatchObject({ winner, rule })
  })

  test('a coordinator that cannot take the run is still named in the decision', () => {
    expect(decide('coordinator: asked for, but draining').coordinator).toBe(ben)
  })
})

describe('nobody', () => {
  test('with no devices there is no winner and no coordinator', () => {
    expect(decide('no devices at all')).toMatchObject({
      winner: null,
      rule: 'nobody',
      coordinator: null,
      candidates: [],
      sentence: 'No device can take it now (0 looked at).',
    })
  })

  test('without an approval no device wins, and each says why', () => {
    const decision = decide('approval: missing')
    expect(decision).toMatchObject({ winner: null, rule: 'nobody' })
    expect(decision.candidates.map(({ gates }) => gates.map(({ code }) => code))).toEqual([
      ['APPROVAL_MISSING'],
      ['APPROVAL_MISSING'],
    ])
  })
})

describe('what a decision tells', () => {
  test('the sentence names the winner, its points and how many could have taken it', () => {
    expect(decide('a name in the sentence').sentence).toBe(
      'Ben’s laptop has the best score, 100.0 ' +
        '(load 40.0 + connection 30.0 + rank 20.0 + capability 10.0); 2 of 2 devices can take it.',
    )
  })

  test('the sentence tells a coordinator from a creator that keeps its run', () => {
    expect(decide('coordinator: asked for, though busier').sentence).toBe(
      `${ben} is the coordinator, and the run asks for it; 2 of 2 devices can take it.`,
    )
    expect(decide('local: the creator keeps it, though busier').sentence).toBe(
      `${ana} created it and keeps it; 2 of 2 devices can take it.`,
    )
  })

  test('those that can take it come first, best first; then the others by id', () => {
    const { candidates } = choose(
      choice([
        candidate({ device: eve, role: null }),
        candidate({ device: cid, quality: 0.5 }),
        candidate({ device: dee, beacon: null }),
        candidate({ device: ben }),
      ]),
    )
    expect(candidates.map((verdict) => verdict.device)).toEqual([ben, cid, ...[dee, eve].sort()])
  })

  test('a device that cannot take it has gates and no score; one that can has a score and no gates', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        for (const { gates, score, parts } of choose(input).candidates) {
          expect(gates.length > 0).toBe(score === null)
          expect(parts === null).toBe(score === null)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('any choice', () => {
  test('does not depend on the order of devices, names or exclusions', () => {
    fc.assert(
      fc.property(anyInput, fc.nat({ max: 8 }), (input, by) => {
        const turned: ChooseInput = {
          ...input,
          candidates: rotate(input.candidates, by).map((one) => ({
            ...one,
            capabilities: rotate(one.capabilities, by),
            clearances: rotate(one.clearances, by),
          })),
          run: {
            ...input.run,
            prefers: rotate(input.run.prefers, by),
            exclusions: rotate(input.run.exclusions, by),
          },
        }
        expect(choose(turned)).toEqual(choose(input))
      }),
      { numRuns: 2000 },
    )
  })

  test('does not depend on whether a refusal or a failure of one moment is listed first', () => {
    const both = [
      { device: ben, at: 1_800_000_000_000, why: 'declined' },
      { device: ben, at: 1_800_000_000_000, why: 'failed' },
    ] as const
    const nowMs = 1_800_000_000_001
    const one = choose(choice([candidate({ device: ben })], { exclusions: both }, { nowMs }))
    const other = choose(choice([candidate({ device: ben })], { exclusions: both.toReversed() }, { nowMs }))
    expect(one).toEqual(other)
    expect(one.candidates[0]?.gates[0]?.sentence).toMatch(/^It failed this run/)
  })

  test('has a winner just when some device passes every gate, and the winner is one of those', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { winner, rule, candidates } = choose(input)
        const passing = candidates.filter(({ gates }) => gates.length === 0).map((one) => one.device)
        if (passing.length === 0) expect({ winner, rule }).toEqual({ winner: null, rule: 'nobody' })
        else expect(passing).toContain(winner)
      }),
      { numRuns: 2000 },
    )
  })

  test('has scores from nothing to the sum of the weights, and ranks from 0 to 1, the coordinator’s being 1', () => {
    const anyWeights = fc.record({
      load: fc.double({ min: 0, max: 1000, noNaN: true }),
      quality: fc.double({ min: 0, max: 1000, noNaN: true }),
      rank: fc.double({ min: 0, max: 1000, noNaN: true }),
      capability: fc.double({ min: 1, max: 1000, noNaN: true }),
    })
    fc.assert(
      fc.property(anyInput, anyWeights, (input, weights) => {
        const { candidates, coordinator } = choose(input, { weights })
        // Each of the four parts rounds by itself.
        const most = 1000 * (weights.load + weights.quality + weights.rank + weights.capability) + 2
        for (const verdict of candidates) {
          expect(verdict.rank).toBeGreaterThanOrEqual(0)
          expect(verdict.rank).toBeLessThanOrEqual(1)
          if (verdict.device === coordinator) expect(verdict.rank).toBe(1)
          if (verdict.score === null) continue
          expect(Number.isSafeInteger(verdict.score)).toBe(true)
          expect(verdict.score).toBeGreaterThanOrEqual(0)
          expect(verdict.score).toBeLessThanOrEqual(most)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('never prefers the busier of two devices that are otherwise equal', () => {
    const twin = device('a twin')
    const both = anyCandidate(device('the other')).chain((one) =>
      fc.tuple(fc.constant(one), fc.integer({ min: one.pending + 1, max: one.pending + 20 })),
    )
    fc.assert(
      fc.property(anyInput, both, (input, [idle, pending]) => {
        const busy: Candidate = { ...idle, device: twin, pending }
        fc.pre(loadOf(busy) > loadOf(idle))
        const { winner, rule } = choose({ ...input, candidates: [...input.candidates, busy, idle] })
        if (rule !== 'coordinator') expect(winner).not.toBe(twin)
      }),
      { numRuns: 2000 },
    )
  })

  test('stays with a winner that leads in connection when connection weighs more', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 900 }), (input, more) => {
        const weights = { load: 40, quality: 30, rank: 20, capability: 10 }
        const before = choose(input, { weights })
        const passing = before.candidates.filter(({ score }) => score !== null)
        const quality = (id: DeviceId | null): number =>
          passing.find((verdict) => verdict.device === id)?.parts?.quality ?? 0
        const leads = passing.every((verdict) => quality(verdict.device) <= quality(before.winner))
        fc.pre(before.rule === 'score' && leads)
        expect(choose(input, { weights: { ...weights, quality: 30 + more } }).winner).toBe(before.winner)
      }),
      { numRuns: 1000 },
    )
  })

  test('is the same without a device that is not live: only its verdict goes', () => {
    const stranger = device('not live')
    const notLive = anyCandidate(stranger).chain((one) =>
      fc.constantFrom<Candidate>(
        { ...one, role: null },
        { ...one, role: 'observer' },
        { ...one, revoked: true },
        { ...one, beacon: null },
      ),
    )
    fc.assert(
      fc.property(anyInput, notLive, (input, ghost) => {
        const { candidates, ...decision } = choose({ ...input, candidates: [...input.candidates, ghost] })
        const { candidates: without, ...same } = choose(input)
        expect({ ...decision, sentence: '' }).toEqual({ ...same, sentence: '' })
        expect(candidates.filter((verdict) => verdict.device !== stranger)).toEqual(without)
      }),
      { numRuns: 1000 },
    )
  })

  test('may fall on another when a live device joins that cannot take the run: ranks are relative', () => {
    const low = candidate({ device: ben, class: 'phone' })
    const high = candidate({ device: cid, class: 'desktop', beacon: { active: 3 } })
    const between = candidate({ device: dee, class: 'laptop', circuitOpen: true })
    const above = candidate({ device: dee, class: 'server', circuitOpen: true })
    expect(choose(choice([low, high])).winner).toBe(cid)
    expect(choose(choice([low, high, between])).winner).toBe(cid)
    expect(choose(choice([low, high, above])).winner).toBe(ben)
  })

  test('where rank weighs nothing, never changes with a device that cannot take the run', () => {
    const weights = { load: 40, quality: 30, rank: 0, capability: 10 }
    const full = anyCandidate(device('full')).map((one) => ({ ...one, slots: 0 }))
    fc.assert(
      fc.property(anyInput, full, (input, one) => {
        const scored: ChooseInput = { ...input, run: { ...input.run, coordinator: false } }
        const joined = { ...scored, candidates: [...scored.candidates, one] }
        expect(choose(joined, { weights }).winner).toBe(choose(scored, { weights }).winner)
      }),
      { numRuns: 1000 },
    )
  })

  test('does not change when a device that lost becomes worse connected', () => {
    fc.assert(
      fc.property(anyInput, anyShare, fc.nat(), (input, share, nth) => {
        const { winner } = choose(input)
        const losers = input.candidates.filter((one) => one.device !== winner)
        fc.pre(losers.length > 0)
        const loser = losers[nth % losers.length] as Candidate
        const worse = input.candidates.map((one) =>
          one === loser ? { ...one, quality: one.quality * share } : one,
        )
        expect(choose({ ...input, candidates: worse }).winner).toBe(winner)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('many runs over equal devices', () => {
  test('a burst spreads evenly, as each choice counts as load for the next', () => {
    let candidates = equals(5).map((one) => ({ ...one, slots: 100 }))
    for (let n = 0; n < 100; n++) {
      const { winner } = choose(choice(candidates, { run: runId(n) }))
      candidates = candidates.map((one) =>
        one.device === winner ? { ...one, pending: one.pending + 1 } : one,
      )
    }
    expect(candidates.map(({ pending }) => pending)).toEqual([20, 20, 20, 20, 20])
  })

  test('a burst fills every slot and no more', () => {
    let candidates = equals(5).map((one, i) => ({ ...one, slots: 3 + i }))
    let unplaced = 0
    for (let n = 0; n < 30; n++) {
      const { winner } = choose(choice(candidates, { run: runId(n) }))
      if (winner === null) unplaced++
      candidates = candidates.map((one) =>
        one.device === winner ? { ...one, pending: one.pending + 1 } : one,
      )
    }
    expect(candidates.map(({ pending }) => pending)).toEqual([3, 4, 5, 6, 7])
    expect(unplaced).toBe(5)
  })

  test('ties go round: of 10,000 runs each of five equal devices gets about a fifth', () => {
    const candidates = equals(5)
    const wins = new Map<DeviceId | null, number>()
    for (let n = 0; n < 10_000; n++) {
      const { winner } = choose(choice(candidates, { run: runId(n) }))
      wins.set(winner, (wins.get(winner) ?? 0) + 1)
    }
    expect(wins.size).toBe(5)
    for (const count of wins.values()) {
      expect(count).toBeGreaterThan(1500)
      expect(count).toBeLessThan(2500)
    }
  })

  test('when one of them leaves, only its own runs go to others', () => {
    const candidates = equals(5)
    const [gone, ...left] = candidates as [Candidate, ...Candidate[]]
    for (let n = 0; n < 500; n++) {
      const { winner } = choose(choice(candidates, { run: runId(n) }))
      const after = choose(choice(left, { run: runId(n) })).winner
      if (winner !== gone.device) expect(after).toBe(winner)
    }
  })
})
