import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  FIELD_SCHEMAS,
  type FieldType,
  MAX_APPROVERS,
  MAX_DURATION_MS,
  MAX_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_PRIORITY,
  MAX_REFERENCES,
  MAX_RETRIES,
  MAX_ROUND,
  MAX_SLOTS,
  MAX_STAMP_MS,
  MAX_TEXT_LENGTH,
} from '../../../protocol/index.js'
import { isPlainly } from '../../../protocol/records/quick.js'
import { fieldValues } from '../arbitraries.js'

const TYPES = Object.keys(FIELD_SCHEMAS) as FieldType[]

const limits = [
  MAX_PRIORITY,
  MAX_ROUND,
  MAX_SLOTS,
  MAX_STAMP_MS,
  MAX_DURATION_MS,
  MAX_RETRIES,
  1,
  2 ** 53 - 1,
]
/** Numbers at and around every limit there is. */
const edgeNumbers = fc
  .tuple(fc.constantFrom(...limits), fc.constantFrom(-1, 0, 1, 0.5), fc.constantFrom(1, -1))
  .map(([limit, off, sign]) => sign * (limit + off))

const lengths = [MAX_NAME_LENGTH, MAX_KEY_LENGTH, MAX_TEXT_LENGTH, 1, 2]
const letters = ['a', ' ', '~', '\u007f', '\u0000', '\u00ad', 'é', '\ufeff', '\ud800', '\udc00', '🜁']
/** Texts at and around every limit, with an awkward letter first, last or between. */
const edgeTexts = fc
  .tuple(
    fc.constantFrom(...lengths),
    fc.constantFrom(-1, 0, 1),
    fc.constantFrom(...letters),
    fc.constantFrom(0, 0.5, 1),
  )
  .map(([limit, off, letter, at]) => {
    const rest = 'x'.repeat(Math.max(0, limit + off - letter.length))
    const cut = Math.round(rest.length * at)
    return rest.slice(0, cut) + letter + rest.slice(cut)
  })

const counts = [MAX_NAMES, MAX_REFERENCES, MAX_APPROVERS, MAX_RETRIES, 0]
const anyValue = fc.oneof(
  ...TYPES.map((type) => fieldValues[type] as fc.Arbitrary<unknown>),
  edgeNumbers,
  edgeTexts,
  fc.anything(),
  fc.constantFrom(null, undefined, true, false, Number.NaN, Number.POSITIVE_INFINITY, -0, '', [], {}),
)
/** Lists of one value at and around every limit. */
const edgeLists = fc
  .tuple(fc.constantFrom(...counts), fc.constantFrom(-1, 0, 1), anyValue)
  .map(([limit, off, value]) => new Array<unknown>(Math.max(0, limit + off)).fill(value))

const keys = ['max', 'backoffMs', 'intervalMs', 'timeoutMs', 'code', 'message', 'details', 'more']
/** Objects with the keys of policies and failures, and some that they do not have. */
const likeObjects = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), fc.oneof(anyValue, edgeLists)), {
    selector: ([key]) => key,
  })
  .map((entries) => Object.fromEntries(entries))
/** Objects that are right but for one key, which is changed, added or taken away. */
const brokenObjects = fc
  .tuple(
    fc.oneof(fieldValues.retry, fieldValues.heartbeat, fieldValues.failure),
    fc.constantFrom(...keys),
    fc.oneof(anyValue, edgeLists),
    fc.boolean(),
  )
  .map(([object, key, value, without]) => {
    const { [key]: _, ...rest } = object as unknown as Record<string, unknown>
    return without ? rest : { ...rest, [key]: value }
  })

describe('a value that is plainly of a type', () => {
  test.each(TYPES)('passes the schema of %s, whatever it is', (type) => {
    const schema: z.ZodType = FIELD_SCHEMAS[type]
    fc.assert(
      fc.property(fc.oneof(anyValue, edgeLists, likeObjects, brokenObjects), (value) => {
        if (isPlainly(type, value)) expect(schema.safeParse(value).success).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  test.each(TYPES)('is any that is usual for %s: only odd names are left to the schema', (type) => {
    const hasNames = type === 'name' || type === 'names' || type === 'failure'
    fc.assert(
      fc.property(fieldValues[type] as fc.Arbitrary<unknown>, (value) => {
        if (!hasNames) expect(isPlainly(type, value)).toBe(true)
      }),
      { numRuns: 500 },
    )
    const usual = { name: 'media.thumbnail', names: ['gpu'], failure: { code: 'ENOSPC', message: 'Büro' } }
    if (hasNames) expect(isPlainly(type, usual[type])).toBe(true)
  })

  test('is not one that only looks so: with a prototype, or a key that is not its own', () => {
    const good = { intervalMs: 1, timeoutMs: 2 }
    expect(isPlainly('heartbeat', good)).toBe(true)
    expect(isPlainly('heartbeat', Object.create(good))).toBe(false)
    expect(isPlainly('heartbeat', { ...good, timeoutMs: 1 })).toBe(false)
    expect(isPlainly('heartbeat', { ...good, more: undefined })).toBe(false)
    expect(isPlainly('failure', { code: 'E', message: '', details: undefined })).toBe(false)
  })
})
