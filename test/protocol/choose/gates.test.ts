import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  choose,
  type DeviceId,
  GATE_CODES,
  type GateCode,
  type GateFailure,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, eve, obi } from '../story.js'
import { anyInput, candidate, choice, NOW } from './candidates.js'
import { CHOOSE_CASES } from './cases.js'

function gatesOf(name: string, who: DeviceId): readonly GateFailure[] {
  const found = CHOOSE_CASES.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no case “${name}”.`)
  const verdict = choose(found.input, found.config).candidates.find(({ device }) => device === who)
  if (verdict === undefined) throw new Error(`${who} is no candidate of “${name}”.`)
  return verdict.gates
}

const codesOf = (name: string, who: DeviceId): readonly GateCode[] =>
  gatesOf(name, who).map(({ code }) => code)

test('every gate is failed by some case', () => {
  const seen = CHOOSE_CASES.flatMap(({ input, config }) =>
    choose(input, config).candidates.flatMap(({ gates }) => gates.map(({ code }) => code)),
  )
  expect([...new Set(seen)].sort()).toEqual(Object.keys(GATE_CODES).sort())
})

test('all gates that fail are reported, in one order', () => {
  expect(codesOf('everything is wrong with one device', ben)).toEqual(
    Object.keys(GATE_CODES).filter((code) => code !== 'NOT_A_MEMBER'),
  )
})

test('what is wrong with a device adds up: two faults fail both their gates', () => {
  const faults: readonly [GateCode, (one: Candidate) => Candidate][] = [
    ['REVOKED', (one) => ({ ...one, revoked: true })],
    ['OBSERVER', (one) => ({ ...one, role: 'observer' })],
    [
      'DRAINING',
      (one) => (one.beacon === null ? one : { ...one, beacon: { ...one.beacon, draining: true } }),
    ],
    ['NO_SLOT', (one) => ({ ...one, slots: 0 })],
    ['CIRCUIT_OPEN', (one) => ({ ...one, circuitOpen: true })],
  ]
  fc.assert(
    fc.property(anyInput, fc.subarray([...faults]), (input, some) => {
      const [first, ...others] = input.candidates
      fc.pre(first !== undefined && first.beacon !== null && first.role !== null)
      const codes = (one: Candidate): readonly GateCode[] =>
        choose({ ...input, candidates: [one, ...others] })
          .candidates.find(({ device }) => device === one.device)
          ?.gates.map(({ code }) => code) ?? []
      const broken = some.reduce((one, [, fault]) => fault(one), first as Candidate)
      const expected = [...codes(first as Candidate), ...some.map(([code]) => code)]
      expect(new Set(codes(broken))).toEqual(new Set(expected))
    }),
    { numRuns: 1000 },
  )
})

describe('membership', () => {
  const name = 'membership: a stranger, a revoked device, an observer and a member'
  test.each([
    ['a stranger gets no work', eve, ['NOT_A_MEMBER']],
    ['a revoked device gets no work', cid, ['REVOKED']],
    ['an observer gets no work', obi, ['OBSERVER']],
    ['a member gets work, however bad its link', dee, []],
  ] as const)('%s', (_, who, codes) => {
    expect(codesOf(name, who)).toEqual(codes)
  })

  test('an admin may own work as a member does', () => {
    expect(choose(choice([candidate({ device: ana, role: 'admin' })])).winner).toBe(ana)
  })

  test('a revoked device without a role is revoked, not a stranger', () => {
    const [verdict] = choose(choice([candidate({ device: cid, role: null, revoked: true })])).candidates
    expect(verdict?.gates.map(({ code }) => code)).toEqual(['REVOKED'])
  })
})

describe('projects and capabilities', () => {
  test('a device that names projects works for those only; one that names none works for all', () => {
    const name = 'projects: another, none said, this one'
    expect(codesOf(name, ben)).toEqual(['WRONG_PROJECT'])
    expect(codesOf(name, cid)).toEqual([])
    expect(codesOf(name, dee)).toEqual([])
  })

  test('a run without a project may go to a device of any project, even of none', () => {
    expect(choose(choice([candidate({ device: ben, projects: [] })])).winner).toBe(ben)
  })

  test('a device must have every capability that the run requires, and is told which it lacks', () => {
    const name = 'capabilities: one of two required'
    expect(gatesOf(name, ben)).toEqual([{ code: 'LACKS_CAPABILITY', sentence: 'It lacks “disk”.' }])
    expect(codesOf(name, cid)).toEqual([])
  })

  test('a device that says what it handles gets no run of another type; one that does not say gets any', () => {
    const name = 'handlers: for another type, for none, not said, for this type'
    const gate = { code: 'NO_HANDLER', sentence: 'It has no handler for “test.job”.' }
    expect(gatesOf(name, ana)).toEqual([gate])
    expect(gatesOf(name, ben)).toEqual([gate])
    expect(codesOf(name, cid)).toEqual([])
    expect(codesOf(name, dee)).toEqual([])
  })
})

describe('privacy and approval', () => {
  test('a local_only run stays with its creator, even if another would score better', () => {
    const name = 'privacy: local_only stays with its creator'
    expect(codesOf(name, ana)).toEqual([])
    expect(codesOf(name, ben)).toEqual(['PRIVACY'])
  })

  test('a labelled run goes to devices with that clearance', () => {
    const name = 'privacy: a label needs a clearance'
    expect(codesOf(name, ben)).toEqual([])
    expect(gatesOf(name, cid)).toEqual([
      { code: 'PRIVACY', sentence: 'It has no clearance for “trusted_only”.' },
    ])
  })

  test('every label must be cleared, and a clearance called local_only opens nothing', () => {
    const clearances = ['trusted_only', 'local_only']
    const input = choice([candidate({ device: ben, clearances })], {
      privacy: ['trusted_only', 'local_only'],
    })
    expect(choose(input).candidates[0]?.gates.map(({ code }) => code)).toEqual(['PRIVACY'])
  })

  test('a run that waits for an approval goes nowhere', () => {
    expect(codesOf('approval: missing', ben)).toEqual(['APPROVAL_MISSING'])
  })
})

describe('beacons', () => {
  const name = 'beacons: stale, never heard, just fresh enough'
  test('a device not heard of for longer than the limit gets no work', () => {
    expect(gatesOf(name, ben)).toEqual([
      { code: 'BEACON_STALE', sentence: 'It was last heard of 91 s ago; 90 s is the limit.' },
    ])
  })

  test('a device that was never heard of gets no work', () => {
    expect(gatesOf(name, cid)).toEqual([{ code: 'BEACON_STALE', sentence: 'It was never heard of.' }])
  })

  test('a device heard of just at the limit gets work', () => {
    expect(codesOf(name, dee)).toEqual([])
  })

  test('the limit is a setting', () => {
    const input = choice([candidate({ device: ben, beacon: { ageMs: 91_000 } })])
    expect(choose(input, { beaconStaleMs: 91_000 }).winner).toBe(ben)
  })

  test('a draining device gets no work', () => {
    expect(codesOf('draining: no new work', ben)).toEqual(['DRAINING'])
  })
})

describe('slots', () => {
  test('what a device was given and has not claimed fills its slots', () => {
    expect(gatesOf('slots: full with what it was given and has not claimed', ben)).toEqual([
      { code: 'NO_SLOT', sentence: '3 of its 3 slots are taken.' },
    ])
  })

  test('a run of normal priority does not get a slot that is kept for high priority', () => {
    expect(gatesOf('slots: reserved ones are not for a run of normal priority', ben)).toEqual([
      { code: 'NO_SLOT', sentence: '1 of its 1 slots are taken (2 more are kept for high priority).' },
    ])
  })

  test('a run of high priority does', () => {
    expect(codesOf('slots: reserved ones are for a run of high priority', ben)).toEqual([])
  })

  test('from which priority on is a setting', () => {
    expect(codesOf('slots: the priority for reserved ones is a setting', ben)).toEqual([])
  })

  test('a device that keeps more slots than it has takes high priority only', () => {
    const keeper = candidate({ device: ben, slots: 2, reserved: 5 })
    expect(choose(choice([keeper])).winner).toBeNull()
    expect(choose(choice([keeper], { priority: 10 })).winner).toBe(ben)
  })
})

describe('circuit and battery', () => {
  test('a device that failed the type too often of late gets none of it, and the sentence names the type', () => {
    expect(gatesOf('circuit: open', ben)).toEqual([
      { code: 'CIRCUIT_OPEN', sentence: 'It failed “test.job” too often of late.' },
    ])
  })

  const name = 'battery: low, enough, unknown, low on mains'
  test.each([
    ['a device on battery below the run’s limit gets no work', ana, ['LOW_BATTERY']],
    ['one just at the limit does', ben, []],
    ['one that does not say does', cid, []],
    ['one on mains does, however empty', dee, []],
  ] as const)('%s', (_, who, codes) => {
    expect(codesOf(name, who)).toEqual(codes)
  })
})

describe('exclusions', () => {
  test('a device that just declined is passed over for a worse one', () => {
    const name = 'exclusion: declined a moment ago'
    expect(gatesOf(name, ben)).toEqual([
      { code: 'EXCLUDED', sentence: 'It declined this run; it may be asked again in 299 s.' },
    ])
    expect(codesOf(name, cid)).toEqual([])
  })

  test('a device that declined is asked again once the exclusion has decayed', () => {
    expect(codesOf('exclusion: decayed', ben)).toEqual([])
  })

  test('an exclusion holds to its last millisecond, and not one longer', () => {
    const declined = [{ device: ben, at: NOW, why: 'declined' }] as const
    const at = (nowMs: number): DeviceId | null =>
      choose(choice([candidate({ device: ben })], { exclusions: declined }, { nowMs })).winner
    expect(at(NOW + 299_999)).toBeNull()
    expect(at(NOW + 300_000)).toBe(ben)
  })

  test('a device that declined three times is passed over three times as long', () => {
    expect(codesOf('exclusion: the third lasts three times as long', ben)).toEqual(['EXCLUDED'])
  })

  test('no exclusion lasts longer than eight times the base, so that no device is lost for good', () => {
    expect(codesOf('exclusion: none lasts longer than eight times', ben)).toEqual([])
  })

  test('a change of membership gives everyone another chance', () => {
    expect(codesOf('exclusion: cleared by a change of membership', ben)).toEqual([])
  })

  test('what was declined after the change of membership still counts', () => {
    const exclusions = [{ device: ben, at: NOW - 100, why: 'failed' }] as const
    const input = choice([candidate({ device: ben })], { exclusions }, { membershipChangedAt: NOW - 100 })
    expect(choose(input).winner).toBeNull()
  })

  test('an exclusion of zero length is none', () => {
    const exclusions = [{ device: ben, at: NOW, why: 'declined' }] as const
    const input = choice([candidate({ device: ben })], { exclusions })
    expect(choose(input, { exclusionMs: 0 }).winner).toBe(ben)
  })

  test('one device’s refusal keeps nobody else away', () => {
    const exclusions = [{ device: ben, at: NOW, why: 'declined' }] as const
    expect(choose(choice([candidate({ device: cid })], { exclusions })).winner).toBe(cid)
  })
})
