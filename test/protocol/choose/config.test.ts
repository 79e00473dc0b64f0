import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  type ChooseConfig,
  ConfigError,
  choose,
  chooseConfig,
  DEFAULT_CHOOSE_CONFIG,
  deviceOfKey,
  MAX_CANDIDATES,
  MAX_DURATION_MS,
  MAX_PRIORITY,
  MAX_SLOTS,
} from '../../../protocol/index.js'
import { ben } from '../story.js'
import { thrown } from '../thrown.js'
import { candidate, choice } from './candidates.js'

function refusal(call: () => unknown): ConfigError {
  const error = thrown(ConfigError, call)
  expect(error.code).toBe('CONFIG_INVALID')
  return error
}

const weights = DEFAULT_CHOOSE_CONFIG.weights
const NONSENSE = [Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined]

describe('a configuration', () => {
  test('left out is the default, and what is left out of a part is too', () => {
    expect(chooseConfig()).toEqual(DEFAULT_CHOOSE_CONFIG)
    expect(chooseConfig({ staggerMs: 7 })).toEqual({ ...DEFAULT_CHOOSE_CONFIG, staggerMs: 7 })
  })

  test.each(['load', 'quality', 'rank', 'capability'] as const)('a weight of %s is 0 to 1000', (name) => {
    for (const value of [0, 1000, 0.5]) {
      expect(chooseConfig({ weights: { ...weights, [name]: value } }).weights[name]).toBe(value)
    }
    for (const value of [-0.001, 1000.001, ...NONSENSE]) {
      const error = refusal(() => chooseConfig({ weights: { ...weights, [name]: value } as never }))
      expect(error.message).toContain(`weights.${name}`)
      expect(error.message).toContain('Nothing was chosen.')
    }
  })

  test('weights that are all zero are refused: nothing would decide', () => {
    const none = { load: 0, quality: 0, rank: 0, capability: 0 }
    expect(refusal(() => chooseConfig({ weights: none })).message).toContain('are all zero')
  })

  test('a weight that is missing or unknown is refused', () => {
    refusal(() => chooseConfig({ weights: { load: 1 } as never }))
    refusal(() => chooseConfig({ weights: { ...weights, luck: 1 } as never }))
  })

  test.each<[keyof ChooseConfig, number, number]>([
    ['beaconStaleMs', 1, MAX_DURATION_MS],
    ['exclusionMs', 0, MAX_DURATION_MS],
    ['staggerMs', 0, MAX_DURATION_MS],
    ['reservedFromPriority', -MAX_PRIORITY, MAX_PRIORITY],
  ])('%s is %d to %d', (name, least, most) => {
    for (const value of [least, most]) expect(chooseConfig({ [name]: value })[name]).toBe(value)
    for (const value of [least - 1, most + 1, ...NONSENSE]) {
      expect(refusal(() => chooseConfig({ [name]: value } as never)).message).toContain(name)
    }
  })

  test('a priority is whole', () => {
    refusal(() => chooseConfig({ reservedFromPriority: 0.5 }))
  })

  test('an unknown setting is refused, as it is a misspelt one', () => {
    refusal(() => chooseConfig({ stagger: 1 } as never))
  })

  test('a bad one stops a choice before anything is chosen', () => {
    refusal(() => choose(choice([candidate({ device: ben })]), { exclusionMs: -1 }))
  })
})

describe('candidates', () => {
  const refuse = (change: Record<string, unknown>): ConfigError =>
    refusal(() => choose(choice([{ ...candidate({ device: ben }), ...change } as Candidate])))
  const refuseBeacon = (change: Record<string, unknown>): ConfigError =>
    refuse({ beacon: { ...candidate({ device: ben }).beacon, ...change } })

  test.each([
    ['device', ['', 'ben', 7]],
    ['role', ['owner', undefined]],
    ['revoked', ['no', undefined]],
    ['clearances', ['trusted_only', [1]]],
    ['class', ['toaster', undefined]],
    ['capabilities', ['gpu', undefined]],
    ['projects', ['atlas', undefined]],
    ['slots', [-1, 0.5, MAX_SLOTS + 1, ...NONSENSE]],
    ['reserved', [-1, 0.5, MAX_SLOTS + 1, ...NONSENSE]],
    ['beacon', [undefined, {}]],
    ['pending', [-1, 0.5, ...NONSENSE]],
    ['quality', [-0.01, 1.01, ...NONSENSE]],
    ['circuitOpen', [null, undefined]],
    ['mood', ['good']],
  ])('one with a bad %s is refused', (name, values) => {
    for (const value of values) refuse({ [name]: value })
  })

  test.each([
    ['ageMs', [-1, ...NONSENSE]],
    ['active', [-1, 0.5, MAX_SLOTS + 1, ...NONSENSE]],
    ['load', [-0.01, 1.01, ...NONSENSE]],
    ['draining', [null]],
    ['onMains', [null]],
    ['battery', [-0.01, 1.01, Number.NaN, undefined]],
    ['uptimeMs', [-1, ...NONSENSE]],
    ['stability', [-0.01, 1.01, ...NONSENSE]],
    ['mood', ['good']],
  ])('one whose beacon has a bad %s is refused', (name, values) => {
    for (const value of values) refuseBeacon({ [name]: value })
  })

  test('the refusal says which candidate and which field', () => {
    const bad = { ...candidate({ device: ben }), quality: 2 }
    const error = refusal(() => choose(choice([candidate({ device: deviceOfKey(new Uint8Array(32)) }), bad])))
    expect(error.message).toContain('1.quality')
  })

  test('a device that is listed twice is refused and named', () => {
    const error = refusal(() =>
      choose(choice([candidate({ device: ben }), candidate({ device: ben, quality: 0 })])),
    )
    expect(error.details).toEqual({ device: ben })
  })

  test(`${MAX_CANDIDATES} are chosen from, one more is refused`, () => {
    const many = Array.from({ length: MAX_CANDIDATES + 1 }, (_, i) => {
      const key = new Uint8Array(32)
      new DataView(key.buffer).setUint32(0, i)
      return candidate({ device: deviceOfKey(key) })
    })
    expect(choose(choice(many.slice(1))).candidates).toHaveLength(MAX_CANDIDATES)
    refusal(() => choose(choice(many)))
  })
})
