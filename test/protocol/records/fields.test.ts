import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ASSIGN_REASONS,
  DEVICE_CLASSES,
  FIELD_SCHEMAS,
  type FieldType,
  fieldFault,
  MAX_APPROVERS,
  MAX_DURATION_MS,
  MAX_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_PAYLOAD_BYTES,
  MAX_PRIORITY,
  MAX_REFERENCES,
  MAX_RETRIES,
  MAX_ROUND,
  MAX_SLOTS,
  MAX_STAMP_MS,
  MAX_TEXT_LENGTH,
  RECONCILE_POLICIES,
  RELEASE_REASONS,
  ROLES,
} from '../../../protocol/index.js'
import { fieldValues } from '../arbitraries.js'
import { ana, device, GROUP } from '../story.js'

const FIELD_TYPES = Object.keys(FIELD_SCHEMAS) as FieldType[]
const accepts = (type: FieldType, value: unknown): boolean => fieldFault(type, value) === undefined

const shown = (value: unknown): string =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY }).slice(0, 60)

const many = <T>(count: number, value: T): T[] => new Array(count).fill(value)
const range = (min: number, max: number): { good: number[]; bad: unknown[] } => ({
  good: [min, max],
  bad: [
    min - 1,
    max + 1,
    min + 0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    String(min),
    BigInt(min),
    true,
    [],
  ],
})
const words = (list: readonly string[]): { good: readonly string[]; bad: unknown[] } => ({
  good: list,
  bad: ['', 'other', list[0]?.toUpperCase(), ` ${list[0]}`, 0, [list[0]], 'constructor', '__proto__'],
})
const device64 = Array.from({ length: MAX_APPROVERS + 1 }, (_, i) => device(`device ${i}`))
const ids = {
  good: [GROUP, '0'.repeat(26)],
  bad: ['', 'a', `${GROUP}0`, GROUP.toUpperCase(), 0, [GROUP], new Uint8Array(16)],
}
const duration = range(1, MAX_DURATION_MS)
const names = {
  good: [
    'a',
    'a b',
    'video.transcode',
    '日本語',
    '🜁',
    'Ana’s',
    'é',
    '\u{1faef}',
    'n'.repeat(MAX_NAME_LENGTH),
  ],
  bad: [
    '',
    ' ',
    ' a',
    'a ',
    '\u00a0a',
    'a\u3000',
    'a\n',
    'a\u0000b',
    'a\u007fb',
    'a\u200bb',
    'a\u202eb',
    'a\ufeff',
    'a\u00adb',
    '\ue000',
    '\ud800',
    'a\ud800b',
    'n'.repeat(MAX_NAME_LENGTH + 1),
    1,
    ['a'],
  ],
}

/** Values at the edges of every type of field, on either side. */
const EDGES: {
  readonly [T in FieldType]: { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }
} = {
  run: ids,
  record: ids,
  records: {
    good: [[], [GROUP], many(MAX_REFERENCES, GROUP)],
    bad: [many(MAX_REFERENCES + 1, GROUP), GROUP, ['a'], [GROUP, null], { 0: GROUP, length: 1 }],
  },
  device: { good: [ana], bad: ['', 'ana', `${ana}1`, GROUP, 0, [ana]] },
  name: names,
  names: {
    good: [[], ['a'], many(MAX_NAMES, 'a')],
    bad: [many(MAX_NAMES + 1, 'a'), 'a', [''], [' a'], [1], [null], ['n'.repeat(MAX_NAME_LENGTH + 1)]],
  },
  key: {
    good: ['a', ' ', '\u0000', '\ufeff', 'k'.repeat(MAX_KEY_LENGTH)],
    bad: ['', 'k'.repeat(MAX_KEY_LENGTH + 1), '\ud800', 1, ['k']],
  },
  text: {
    good: ['', ' two\nlines ', 't'.repeat(MAX_TEXT_LENGTH)],
    bad: ['t'.repeat(MAX_TEXT_LENGTH + 1), 'a\udc00', 1, ['t'], null],
  },
  flag: { good: [true], bad: [false, 1, 'true', null] },
  payload: {
    good: [null, 0, '', [], {}, new Uint8Array(MAX_PAYLOAD_BYTES - 3)],
    bad: [undefined, Number.NaN, new Date(0), new Uint8Array(MAX_PAYLOAD_BYTES - 2)],
  },
  priority: range(-MAX_PRIORITY, MAX_PRIORITY),
  version: {
    good: [0, 1, Number.MAX_SAFE_INTEGER],
    bad: [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, '1', 1n],
  },
  round: range(0, MAX_ROUND),
  slots: range(0, MAX_SLOTS),
  share: {
    good: [0, 1, 0.5, Number.MIN_VALUE],
    bad: [-0.001, 1.001, Number.NaN, Number.POSITIVE_INFINITY, '0.5', true],
  },
  moment: range(0, MAX_STAMP_MS),
  duration,
  span: range(0, MAX_DURATION_MS),
  approval: {
    good: ['members', 'admins', [ana], device64.slice(0, MAX_APPROVERS)],
    bad: [[], device64, 'observers', ana, ['members'], [ana, 'ana'], 0, {}],
  },
  retry: {
    good: [
      { max: 0, backoffMs: [] },
      { max: MAX_RETRIES, backoffMs: many(MAX_RETRIES, MAX_DURATION_MS) },
      { max: 1, backoffMs: [0] },
    ],
    bad: [
      { max: -1, backoffMs: [] },
      { max: MAX_RETRIES + 1, backoffMs: [] },
      { max: 1.5, backoffMs: [] },
      { max: 1, backoffMs: many(MAX_RETRIES + 1, 1) },
      { max: 1, backoffMs: [MAX_DURATION_MS + 1] },
      { max: 1, backoffMs: [-1] },
      { max: 1, backoffMs: 1000 },
      { max: 1 },
      { backoffMs: [] },
      { max: 1, backoffMs: [], jitter: 1 },
      JSON.parse('{"max": 1, "backoffMs": [], "__proto__": {}}'),
      [],
      3,
    ],
  },
  heartbeat: {
    good: [
      { intervalMs: 1, timeoutMs: 2 },
      { intervalMs: 1, timeoutMs: MAX_DURATION_MS },
    ],
    bad: [
      { intervalMs: 2, timeoutMs: 2 },
      { intervalMs: 3, timeoutMs: 2 },
      { intervalMs: 0, timeoutMs: 2 },
      { intervalMs: 1, timeoutMs: MAX_DURATION_MS + 1 },
      { intervalMs: 1.5, timeoutMs: 2 },
      { intervalMs: 1 },
      { timeoutMs: 2 },
      { intervalMs: 1, timeoutMs: 2, jitterMs: 1 },
      JSON.parse('{"intervalMs": 1, "timeoutMs": 2, "__proto__": {}}'),
    ],
  },
  reconcile: words(RECONCILE_POLICIES),
  assignReason: words(ASSIGN_REASONS),
  releaseReason: words(RELEASE_REASONS),
  failure: {
    good: [
      { code: 'E', message: '' },
      { code: 'n'.repeat(MAX_NAME_LENGTH), message: 't'.repeat(MAX_TEXT_LENGTH), details: null },
      { code: 'E', message: 'm', details: { a: [1] } },
    ],
    bad: [
      { code: '', message: '' },
      { code: 'n'.repeat(MAX_NAME_LENGTH + 1), message: '' },
      { code: 'E', message: 't'.repeat(MAX_TEXT_LENGTH + 1) },
      { code: 'E', message: 'm', details: undefined },
      { code: 'E', message: 'm', details: () => 1 },
      { code: 'E' },
      { message: 'm' },
      { code: 'E', message: 'm', stack: '' },
      JSON.parse('{"code": "E", "message": "m", "__proto__": {}}'),
      new Error('m'),
      'E',
    ],
  },
  deviceClass: words(DEVICE_CLASSES),
  role: words(ROLES),
}

describe.each(FIELD_TYPES)('a field of type %s', (type) => {
  test('takes what is valid, up to every limit', () => {
    for (const value of EDGES[type].good) expect(fieldFault(type, value)).toBeUndefined()
  })

  test.each(EDGES[type].bad.map((value) => [shown(value), value]))('refuses %s', (_, value) => {
    expect(accepts(type, value)).toBe(false)
  })

  test('refuses null and undefined, except where null is a payload', () => {
    expect(accepts(type, null)).toBe(type === 'payload')
    expect(accepts(type, undefined)).toBe(false)
  })

  test('takes whatever the arbitrary of it makes', () => {
    fc.assert(
      fc.property(fieldValues[type] as fc.Arbitrary<unknown>, (value) => {
        expect(accepts(type, value)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('gives back the value as it is: a schema checks, it does not change', () => {
    fc.assert(
      fc.property(fieldValues[type] as fc.Arbitrary<unknown>, (value) => {
        expect(FIELD_SCHEMAS[type].parse(value)).toEqual(value)
      }),
      { numRuns: 50 },
    )
  })
})

test('what a name is does not change with the version of Unicode: code points without a meaning yet are allowed', () => {
  // Unassigned in Unicode 17: in the planes 2, 3 and 14, and one in a block of scripts.
  for (const code of [0x2fffd, 0x3fffd, 0xe1000, 0x10fff]) {
    expect(accepts('name', String.fromCodePoint(code)), code.toString(16)).toBe(true)
  }
})
