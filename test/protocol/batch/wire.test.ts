import { describe, expect, test } from 'vitest'
import { RecordWriter } from '../../../protocol/batch/wire.js'
import {
  type AnyRecord,
  BatchError,
  type Draft,
  deviceKey,
  fieldsOf,
  idToBytes,
  KINDS,
  type Kind,
} from '../../../protocol/index.js'
import { KIND_NAMES } from '../arbitraries.js'
import { SAMPLES } from '../records/samples.js'
import { ana, ben, GROUP } from '../story.js'
import { thrown } from '../thrown.js'
import { BASE, codec, LOG, record, refusal, wireBatch } from './log.js'

const ID = new Uint8Array(16)
const written = (...records: readonly AnyRecord[]): unknown[][] => {
  const writer = new RecordWriter(BASE)
  return records.map((one) => writer.write(one))
}
const read = (...wire: readonly unknown[][]): readonly AnyRecord[] => codec.decode(wireBatch(...wire)).records

describe('on the wire', () => {
  test('a record is its code, the time since the one before, and its fields in the order of the table', () => {
    const { run, ...rest } = SAMPLES.approved
    expect(written(record(SAMPLES.approved))).toEqual([
      [14, 0, idToBytes(run), rest.by, rest.reason, rest.expiresAt],
    ])
  })

  test('stamps are told by what they add to the one before', () => {
    const records = [0, 1, 1025, 5000].map((after) => record({ kind: 'resumed', run: GROUP }, after))
    expect(written(...records).map(([, delta]) => delta)).toEqual([0, 1, 1024, 3975])
  })

  test('a missing field before one that is there is null; after the last one there is nothing', () => {
    expect(written(record({ kind: 'created', type: 'a', priority: 5 }))).toEqual([[1, 0, 'a', null, 5]])
    expect(written(record({ kind: 'created', type: 'a' }))).toEqual([[1, 0, 'a']])
  })

  test('words are their position in a list', () => {
    expect(written(record({ kind: 'assigned', run: GROUP, target: ben, reason: 'timeout' }))).toEqual([
      [2, 0, idToBytes(GROUP), deviceKey(ben), 4],
    ])
    expect(
      written(record({ kind: 'released', run: GROUP, assignment: GROUP, reason: 'paused' }))[0]?.at(-1),
    ).toBe(2)
    expect(written(record({ kind: 'admitted', device: ben, role: 'observer' }))[0]?.at(-1)).toBe(2)
    expect(written(record({ kind: 'profiled', name: 'a', class: 'phone', capabilities: [] }))[0]?.[3]).toBe(4)
    expect(written(record({ kind: 'created', type: 'a', reconcile: 'latest' }))[0]?.at(-1)).toBe(1)
  })

  test('the author is 0, another device its key', () => {
    expect(written(record({ kind: 'admitted', device: ana, role: 'admin' }))).toEqual([[18, 0, 0, 0]])
    expect(written(record({ kind: 'admitted', device: ben, role: 'admin' }))).toEqual([
      [18, 0, deviceKey(ben), 0],
    ])
  })

  test('a run or record that came before in the batch is its index, any other its bytes', () => {
    const created = record({ kind: 'created', type: 'a', key: 'k' })
    const assigned = record(
      { kind: 'assigned', run: created.run, target: ana, reason: 'created', created: created.id },
      1,
    )
    const claimed = record({ kind: 'claimed', run: created.run, assignment: assigned.id }, 2)
    const held = record(
      { kind: 'held', run: created.run, assignment: assigned.id, gapMs: 0, voids: [claimed.id, GROUP] },
      3,
    )
    expect(written(created, assigned, claimed, held).slice(1)).toEqual([
      [2, 1, 0, 0, 0, null, 0],
      [3, 1, 0, 1],
      [8, 1, 0, 1, 0, [2, idToBytes(GROUP)]],
    ])
  })

  test('a run is the index of the first record that named it, even if that did not create it', () => {
    const one = record({ kind: 'resumed', run: GROUP })
    const two = record({ kind: 'paused', run: GROUP }, 1)
    const three = record({ kind: 'resumed', run: GROUP }, 2)
    expect(written(one, two, three).map((values) => values[2])).toEqual([idToBytes(GROUP), 0, 0])
  })

  test('the run of a created record is not there: it is worked out', () => {
    const [plain, keyed] = read([1, 0, 'a'], [1, 1, 'a', null, null, 'p', 'k'])
    expect(plain).toMatchObject({ run: codec.namer.next(BASE) })
    expect(keyed).toMatchObject({ run: record({ kind: 'created', type: 'a', project: 'p', key: 'k' }).run })
  })
})

describe('a reference is refused', () => {
  const refused = (...wire: readonly unknown[][]): unknown => {
    const error = thrown(BatchError, () => codec.decode(wireBatch(...wire)))
    expect(error.code).toBe('BATCH_RECORD')
    expect(error.details['index']).toBe(wire.length - 1)
    return error.details['fault']
  }

  test.each([
    ['to a record that comes later', 2],
    ['to the record itself', 1],
    ['to no record', 9],
    ['to a negative index', -1],
    ['to a half index', 0.5],
    ['to the largest index', Number.MAX_SAFE_INTEGER],
  ])('%s', (_, index) => {
    expect(refused([13, 0, ID], [3, 1, 0, index])).toBe('cites an index that is no earlier record')
    expect(refused([13, 0, ID], [8, 1, 0, 0, 5, [index]])).toBe('cites an index that is no earlier record')
    expect(refused([13, 0, ID], [13, 1, index])).toBe('names a run by an index that has none')
  })

  test('of a run to a record about a device, or of a kind from the future', () => {
    expect(refused([18, 0, 0, 0], [13, 1, 0])).toBe('names a run by an index that has none')
    expect(refused([99, 0, ID], [13, 1, 0])).toBe('names a run by an index that has none')
  })

  test('of a record to either of these passes', () => {
    expect(read([18, 0, 0, 0], [3, 1, ID, 0])[1]).toMatchObject({ assignment: codec.namer.next(BASE) })
    expect(read([99, 0, ID], [3, 1, ID, 0])[1]).toMatchObject({ assignment: codec.namer.next(BASE) })
  })

  test.each([
    ['15 bytes', new Uint8Array(15)],
    ['17 bytes', new Uint8Array(17)],
    ['bytes over the range of ids', new Uint8Array(16).fill(64)],
    ['a text', GROUP],
    ['a list', [0]],
    ['true', true],
    ['a map', {}],
  ])('if it is %s', (_, value) => {
    expect(refused([13, 0, value])).toBe('holds no id where one belongs')
    expect(refused([3, 0, ID, value])).toBe('holds no id where one belongs')
    expect(refused([8, 0, ID, ID, 5, [value]])).toBe('holds no id where one belongs')
  })

  test.each([
    ['31 bytes', new Uint8Array(31)],
    ['33 bytes', new Uint8Array(33)],
    ['an index other than 0', 1],
    ['a text', ben],
    ['false', false],
  ])('to a device if it is %s', (_, value) => {
    expect(refused([18, 0, value, 0])).toBe('holds no device where one belongs')
  })

  test('if a list of them is none', () => {
    expect(refused([8, 0, ID, ID, 5, 0])).toMatch(/^voids: /)
    expect(refused([8, 0, ID, ID, 5, {}])).toMatch(/^voids: /)
  })
})

describe('a word is refused', () => {
  test.each([
    ['past the end of its list', 7],
    ['before its start', -1],
    ['between two', 0.5],
    ['written out', 'created'],
    ['that is the name of a property', 'length'],
    ['that is the name of a method', 'constructor'],
    ['that is bytes', ID],
    ['in a list', [0]],
    ['that is a map', {}],
    ['that is a map which no text can be made of', { toString: 1 }],
    ['that is a map which nothing can be made of', { toString: null, valueOf: 1 }],
    ['that is true', true],
  ])('%s', (_, value) => {
    expect(read([2, 0, ID, 0, 0])).toHaveLength(1)
    expect(refusal(wireBatch([2, 0, ID, 0, value]))).toBe('BATCH_RECORD')
  })
})

describe('a record is refused', () => {
  test.each([
    ['a number', 1],
    ['null', null],
    ['a text', 'record'],
    ['a map', {}],
    ['an empty array', []],
    ['without a time', [13]],
    ['of a negative code', [-1, 0]],
    ['of a code that is no integer', [0.5, 0]],
    ['of a code in text', ['13', 0, ID]],
    ['of a negative time', [13, -1, ID]],
    ['of a time that is no integer', [13, 0.5, ID]],
    ['of a time in text', [13, '0', ID]],
  ])('if it is %s', (_, value) => {
    expect(refusal(wireBatch(value as unknown[]))).toBe('BATCH_RECORD')
  })

  test('if it is not later than the one before', () => {
    expect(refusal(wireBatch([13, 0, ID], [13, 0, 0]))).toBe('BATCH_RECORD')
    expect(refusal(wireBatch([13, 0, ID], [13, -1, 0]))).toBe('BATCH_RECORD')
  })

  test.each(KIND_NAMES)('if %s has more fields than its kind, even null ones', (kind) => {
    const [values] = written(record(SAMPLES[kind] as Draft) as AnyRecord) as [unknown[]]
    const places = 2 + fieldsOf(kind).filter((field) => !field.derived).length
    expect(read(values)).toHaveLength(1)
    expect(values).toHaveLength(places)
    for (const more of [1, null]) {
      const error = thrown(BatchError, () => codec.decode(wireBatch([...values, more])))
      expect(error).toMatchObject({
        code: 'BATCH_RECORD',
        details: { fault: `${kind}: has more fields than its kind` },
      })
    }
  })

  test.each(KIND_NAMES)('if %s lacks a required field', (kind) => {
    const [values] = written(record(SAMPLES[kind] as Draft) as AnyRecord) as [unknown[]]
    const fields = fieldsOf(kind).filter((field) => !field.derived)
    for (const [i, field] of fields.entries()) {
      const code = field.optional ? undefined : 'BATCH_RECORD'
      const lacking = values.map((value, at) => (at === i + 2 ? null : value))
      // Trailing nulls are cut, or the refusal would be for those.
      while (lacking.at(-1) === null) lacking.pop()
      if (code === undefined) expect(read(lacking)[0]).not.toHaveProperty(field.name)
      else expect(refusal(wireBatch(lacking)), field.name).toBe(code)
    }
  })

  test('over a limit of its schema, and the refusal says which record, which field and why', () => {
    const error = thrown(BatchError, () => codec.decode(wireBatch([13, 0, ID], [16, 1, 0, 1001])))
    expect(error.code).toBe('BATCH_RECORD')
    expect(error.details['index']).toBe(1)
    expect(error.details['fault']).toMatch(/^priority: .*1000/)
  })
})

test('codes on the wire are the codes of the table', () => {
  const all = (Object.keys(SAMPLES) as Kind[]).map(
    (kind, i) => record(SAMPLES[kind] as Draft, i) as AnyRecord,
  )
  expect(written(...all).map(([code]) => code)).toEqual(KIND_NAMES.map((kind) => KINDS[kind].code))
  expect(codec.decode(codec.encode({ sequence: 0, previous: LOG, records: all })).records).toEqual(all)
})
