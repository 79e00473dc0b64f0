import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type AnyRecord,
  type AssignReason,
  ClockError,
  type DeviceKind,
  type DeviceRecord,
  type Draft,
  type Fields,
  fieldsOf,
  isDeviceRecord,
  isRunRecord,
  KINDS,
  type Kind,
  keyedRunId,
  type Payload,
  RecordError,
  RecordNamer,
  type RecordOf,
  type RetryPolicy,
  type RunFailure,
  type RunRecord,
  recordFault,
  recordSchema,
  type UnknownRecord,
  writeRecord,
} from '../../../protocol/index.js'
import { drafts, KIND_NAMES, LAST_STAMP } from '../arbitraries.js'
import { ana, FOUNDED, GROUP } from '../story.js'
import { thrown } from '../thrown.js'
import { SAMPLES } from './samples.js'

const namer = new RecordNamer({ device: ana, incarnation: FOUNDED })
const write = <K extends Kind>(draft: Draft<K>): RecordOf<K> => writeRecord(draft, FOUNDED + 1, namer, GROUP)
/** What a caller without types could pass. */
const writeAny = (draft: object): RecordOf<Kind> => write(draft as Draft)
const refusal = (draft: object): string => {
  const error = thrown(RecordError, () => writeAny(draft))
  expect(error.code).toBe('RECORD_INVALID')
  expect(error.message).toMatch(/^A “.*” record was not written\./)
  return String(error.details['fault'])
}

describe.each(KIND_NAMES)('a record of kind %s', (kind) => {
  const sample: object = SAMPLES[kind]
  const without = (name: string): object =>
    Object.fromEntries(Object.entries(sample).filter(([key]) => key !== name))
  const fields = fieldsOf(kind).filter((field) => !field.derived)

  test('is written with all its fields, and says who wrote it and when', () => {
    expect(writeAny(sample)).toEqual({
      ...sample,
      ...(kind === 'created' && { run: expect.any(String) }),
      id: namer.next(FOUNDED + 1),
      stamp: FOUNDED + 1,
      author: ana,
      incarnation: FOUNDED,
    })
  })

  test.each(fields.filter((field) => !field.optional).map((field) => field.name))(
    'is refused without %s',
    (name) => {
      expect(refusal(without(name))).toMatch(new RegExp(`^${name}: `))
      expect(refusal({ ...sample, [name]: undefined })).toMatch(new RegExp(`^${name}: `))
      expect(refusal({ ...sample, [name]: null })).toMatch(new RegExp(`^${name}: `))
    },
  )

  test.each(fields.filter((field) => field.optional).map((field) => field.name))(
    'leaves out %s if it is null or undefined',
    (name) => {
      const bare = writeAny(without(name))
      expect(bare).not.toHaveProperty(name)
      for (const empty of [null, undefined]) {
        const record = writeAny({ ...sample, [name]: empty })
        expect(record).toStrictEqual(bare)
        expect(record).not.toHaveProperty(name)
      }
    },
  )

  test.each(fields.map((field) => field.name))('is refused with a %s of the wrong type', (name) => {
    expect(refusal({ ...sample, [name]: () => 1 })).toMatch(new RegExp(`^${name}: `))
    expect(refusal({ ...sample, [name]: Number.NaN })).toMatch(new RegExp(`^${name}: `))
  })

  test.each(['colour', 'id', 'stamp', 'author', 'constructor', 'toString'])(
    'is refused with an unknown field %s',
    (name) => {
      expect(refusal({ ...sample, [name]: 'x' })).toContain(name)
    },
  )

  test('is refused with a field __proto__, which takes no effect', () => {
    const draft = JSON.parse('{"__proto__": {"note": "x"}}')
    expect(
      refusal(Object.defineProperties({ ...sample }, Object.getOwnPropertyDescriptors(draft))),
    ).toContain('__proto__')
  })

  test('does not take a required field from a prototype', () => {
    const required = fields.find((field) => !field.optional)?.name as string
    const draft = Object.assign(Object.create(sample), without(required))
    expect(refusal(draft)).toMatch(new RegExp(`^${required}: `))
  })

  test('has a schema of its own, which takes no other kind', () => {
    const other = KIND_NAMES[(KIND_NAMES.indexOf(kind) + 1) % KIND_NAMES.length] as Kind
    const whole = { ...sample, ...(kind === 'created' && { run: GROUP }) }
    expect(recordSchema(kind).safeParse(whole).error).toBeUndefined()
    expect(recordSchema(other).safeParse(whole).success).toBe(false)
    expect(recordFault(whole as { kind: Kind })).toBeUndefined()
  })

  test('is about a run or about a device, as the table says', () => {
    const record = writeAny(sample) as AnyRecord
    expect(isRunRecord(record)).toBe(KINDS[kind].about === 'run')
    expect(isDeviceRecord(record)).toBe(KINDS[kind].about === 'device')
  })
})

describe('writing', () => {
  test('takes any valid draft', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const said = Object.entries(draft).filter(([, value]) => value !== null)
        expect(write(draft)).toMatchObject({ ...Object.fromEntries(said), author: ana })
      }),
      { numRuns: 1000 },
    )
  })

  test('does not change the draft', () => {
    const draft = Object.freeze({ ...SAMPLES.created })
    write(draft)
    expect(draft).toEqual(SAMPLES.created)
  })

  test.each(['', 'unknown', 'Created', '__proto__', 'constructor', 'toString', undefined])(
    'the kind %s is refused',
    (kind) => {
      expect(refusal({ kind, run: GROUP })).toBe('kind: is none that exists')
    },
  )

  test('a run without a key has the id of its record; with a key, the id that follows from the key', () => {
    const plain = write({ kind: 'created', type: 'a' })
    expect(plain.run).toBe(plain.id)
    const keyed = write({ kind: 'created', type: 'a', key: 'k' })
    expect(keyed.run).toBe(keyedRunId({ group: GROUP, project: '', type: 'a', key: 'k' }))
    const inProject = write({ kind: 'created', type: 'a', key: 'k', project: 'p' })
    expect(inProject.run).toBe(keyedRunId({ group: GROUP, project: 'p', type: 'a', key: 'k' }))
  })

  test('a bad type or key is a bad record, and never a bad hash', () => {
    expect(refusal({ kind: 'created', type: '', key: 'k' })).toMatch(/^type: /)
    expect(refusal({ kind: 'created', type: 'a', key: '' })).toMatch(/^key: /)
    expect(refusal({ kind: 'created', type: 'a', key: '\ud800' })).toMatch(/^key: /)
  })

  test.each([Number.NaN, -1, 0.5, LAST_STAMP + 1])(
    'a record is not written at %s, which is no stamp',
    (stamp) => {
      const error = thrown(ClockError, () =>
        writeRecord({ kind: 'resumed', run: GROUP }, stamp, namer, GROUP),
      )
      expect(error.code).toBe('STAMP_INVALID')
    },
  )

  test('cyclic input is refused as a record, not by the stack', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    expect(refusal({ kind: 'created', type: 'a', input: cyclic })).toBe('input: nests deeper than 32 levels')
  })
})

describe('a record of a kind from the future', () => {
  test('is about nothing that is known here', () => {
    const record: UnknownRecord = {
      id: namer.next(FOUNDED),
      stamp: FOUNDED,
      author: ana,
      incarnation: FOUNDED,
      kind: 'unknown',
      code: 99,
      values: [],
    }
    expect(isRunRecord(record)).toBe(false)
    expect(isDeviceRecord(record)).toBe(false)
  })
})

describe('types follow from the table', () => {
  test('of fields', () => {
    expectTypeOf<Fields<'claimed'>>().toEqualTypeOf<{ readonly run: string; readonly assignment: string }>()
    expectTypeOf<Fields<'resumed'>>().toEqualTypeOf<{ readonly run: string }>()
    expectTypeOf<Fields<'failed'>>().toEqualTypeOf<{
      readonly run: string
      readonly error: RunFailure
      readonly assignment?: string
      readonly final?: true
      readonly round?: number
    }>()
    expectTypeOf<Fields<'created'>['retry']>().toEqualTypeOf<RetryPolicy | undefined>()
    expectTypeOf<Fields<'created'>['input']>().toEqualTypeOf<Payload | undefined>()
    expectTypeOf<Fields<'assigned'>['reason']>().toEqualTypeOf<AssignReason>()
  })

  test('of drafts: a derived field is not to be given', () => {
    expectTypeOf<Draft<'created'>>().not.toHaveProperty('run')
    expectTypeOf<Draft<'claimed'>>().toHaveProperty('run')
    expectTypeOf<Draft<'created'>['kind']>().toEqualTypeOf<'created'>()
    expectTypeOf<Draft['kind']>().toEqualTypeOf<Kind>()
  })

  test('of records: the kind tells which fields there are', () => {
    expectTypeOf<RecordOf<'created'>['run']>().toEqualTypeOf<string>()
    expectTypeOf<RecordOf<'claimed'>['stamp']>().toEqualTypeOf<number>()
    expectTypeOf<DeviceKind>().toEqualTypeOf<'profiled' | 'admitted' | 'revoked'>()
    expectTypeOf<RunRecord['run']>().toEqualTypeOf<string>()
    expectTypeOf<DeviceRecord>().not.toHaveProperty('run')
    expectTypeOf<Extract<AnyRecord, { kind: 'unknown' }>>().toEqualTypeOf<UnknownRecord>()
    const record = write({ kind: 'claimed', run: GROUP, assignment: GROUP })
    expectTypeOf(record).toEqualTypeOf<RecordOf<'claimed'>>()
  })
})
