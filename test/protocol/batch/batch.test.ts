import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../../protocol/cbor.js'
import {
  type AnyRecord,
  BatchCodec,
  BatchError,
  ClockError,
  checkBatchDrift,
  type Draft,
  deviceKey,
  idToBytes,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  MAX_DRIFT_MS,
  MAX_PAYLOAD_DEPTH,
  RecordError,
  stampOf,
  type UnknownRecord,
  writeRecord,
} from '../../../protocol/index.js'
import { futureDrafts, KIND_NAMES, LAST_STAMP, recordsOf } from '../arbitraries.js'
import { SAMPLES } from '../records/samples.js'
import { ben, FOUNDED, GROUP, START } from '../story.js'
import { thrown } from '../thrown.js'
import { BASE, batchOf, codec, hex, join, LOG, list, record, refusal, WRITER, wireBatch } from './log.js'

const CASES = { numRuns: 1500 }
const batches = recordsOf(codec.namer, GROUP, BASE).map((records) => ({
  sequence: 0,
  previous: LOG,
  records,
}))
const text = (value: string): Uint8Array => encodeCbor(value)
const int = (value: number): Uint8Array => encodeCbor(value)
const RUN = encodeCbor(new Uint8Array(16))

describe('a batch', () => {
  test('of any records comes back as it was written', () => {
    fc.assert(
      fc.property(batches, fc.maxSafeNat(), (batch, sequence) => {
        const bytes = codec.encode({ ...batch, sequence })
        expect(codec.decode(bytes)).toEqual({ ...batch, sequence })
      }),
      CASES,
    )
  })

  test('has one encoding: what was decoded encodes to the same bytes', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const bytes = codec.encode(batch)
        expect(codec.encode(codec.decode(bytes))).toEqual(bytes)
      }),
      CASES,
    )
  })

  test('decodes the same when it is trusted', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const bytes = codec.encode(batch)
        expect(codec.decode(bytes, { trusted: true })).toEqual(codec.decode(bytes))
      }),
      CASES,
    )
  })

  test.each(KIND_NAMES)('carries a record of kind %s with all its fields', (kind) => {
    const sample = record(SAMPLES[kind] as Draft) as AnyRecord
    const batch = { sequence: 7, previous: LOG, records: [sample] }
    expect(codec.decode(codec.encode(batch))).toEqual(batch)
  })

  test('carries kinds from the future byte for byte', () => {
    fc.assert(
      fc.property(fc.array(futureDrafts, { minLength: 1, maxLength: 5 }), (futures) => {
        const bytes = wireBatch(...futures.map(({ code, values }, i) => [code, i === 0 ? 0 : 5, ...values]))
        const batch = codec.decode(bytes)
        expect(batch.records.map(({ kind }) => kind)).toEqual(futures.map(() => 'unknown'))
        expect(batch.records).toMatchObject(futures.map(({ code, values }) => ({ code, values })))
        expect(codec.encode(batch)).toEqual(bytes)
      }),
      { numRuns: 1000 },
    )
  })

  test('belongs to its log: in another log its records have other ids and authors', () => {
    const bytes = codec.encode({
      sequence: 0,
      previous: LOG,
      records: [record({ kind: 'created', type: 'a' })],
    })
    const others = new BatchCodec({ group: GROUP, writer: { ...WRITER, device: ben } })
    const [mine] = codec.decode(bytes).records
    const [theirs] = others.decode(bytes).records
    expect(theirs?.author).toBe(ben)
    expect(theirs?.id).not.toBe(mine?.id)
  })

  test('may stand in a Buffer, and keeps nothing of it', () => {
    const batch = {
      sequence: 0,
      previous: LOG,
      records: [record({ ...SAMPLES.created, input: new Uint8Array(40) })],
    }
    const buffer = Buffer.from(codec.encode(batch))
    const decoded = codec.decode(buffer)
    buffer.fill(1)
    expect(decoded).toEqual(batch)
  })
})

describe('only the canonical encoding is taken: not', () => {
  const created = list(int(1), int(0), text('a'))
  const withInput = (input: Uint8Array): Uint8Array => batchOf([list(int(1), int(0), text('a'), input)])
  const future = (value: Uint8Array): Uint8Array => batchOf([list(int(99), int(0), value)])

  test('(the same by hand is taken)', () => {
    for (const bytes of [
      batchOf([created]),
      withInput(hex('a2 6161 01 6162 02')),
      future(hex('fb 3ff8000000000000')),
    ]) {
      expect(codec.encode(codec.decode(bytes))).toEqual(bytes)
    }
  })

  test.each([
    ['a version in two bytes', batchOf([created], { version: hex('18 01') }), 'BATCH_NOT_CBOR'],
    ['a version as a float', batchOf([created], { version: hex('f9 3c00') }), 'BATCH_NOT_CANONICAL'],
    [
      'a sequence in nine bytes',
      batchOf([created], { sequence: hex('1b 0000000000000000') }),
      'BATCH_NOT_CBOR',
    ],
    ['a sequence as a float', batchOf([created], { sequence: hex('f9 0000') }), 'BATCH_NOT_CANONICAL'],
    ['a sequence of negative zero', batchOf([created], { sequence: hex('f9 8000') }), 'BATCH_NOT_CANONICAL'],
    ['a base as a float', batchOf([created], { base: hex('f9 3c00') }), 'BATCH_NOT_CANONICAL'],
    ['a base before the first record', batchOf([list(int(1), int(1), text('a'))]), 'BATCH_NOT_CANONICAL'],
    ['a kind as a float', batchOf([list(hex('f9 3c00'), int(0), text('a'))]), 'BATCH_NOT_CANONICAL'],
    ['a kind of negative zero', batchOf([list(hex('f9 8000'), int(0))]), 'BATCH_NOT_CANONICAL'],
    ['a delta of negative zero', batchOf([list(int(1), hex('f9 8000'), text('a'))]), 'BATCH_NOT_CANONICAL'],
    ['a trailing null', withInput(hex('f6')), 'BATCH_NOT_CANONICAL'],
    ['a length of text in two bytes', batchOf([list(int(1), int(0), hex('78 01 61'))]), 'BATCH_NOT_CBOR'],
    ['an array of indefinite length', batchOf([join(hex('9f 01 00 6161 ff'))]), 'BATCH_NOT_CBOR'],
    ['a length of an array in two bytes', batchOf([hex('98 03 01 00 6161')]), 'BATCH_NOT_CBOR'],
    ['a map of indefinite length', withInput(hex('bf 6161 01 ff')), 'BATCH_NOT_CBOR'],
    ['keys in the wrong order', withInput(hex('a2 6162 02 6161 01')), 'BATCH_NOT_CANONICAL'],
    ['a longer key before a shorter', withInput(hex('a2 626161 01 6162 02')), 'BATCH_NOT_CANONICAL'],
    ['a key twice', withInput(hex('a2 6161 01 6161 01')), 'BATCH_NOT_CBOR'],
    ['an integer as a float', withInput(hex('f9 3c00')), 'BATCH_NOT_CANONICAL'],
    ['a float of two bytes', withInput(hex('f9 3e00')), 'BATCH_NOT_CANONICAL'],
    ['a float of four bytes', withInput(hex('fa 3fc00000')), 'BATCH_NOT_CANONICAL'],
    ['an integer as a double', withInput(hex('fb 3ff0000000000000')), 'BATCH_NOT_CANONICAL'],
    ['negative zero', withInput(hex('f9 8000')), 'BATCH_RECORD'],
    ['NaN', withInput(hex('f9 7e00')), 'BATCH_NOT_CBOR'],
    ['infinity', withInput(hex('f9 7c00')), 'BATCH_NOT_CBOR'],
    ['undefined', withInput(hex('f7')), 'BATCH_NOT_CBOR'],
    ['a tag', withInput(hex('c1 00')), 'BATCH_NOT_CBOR'],
    ['a bignum', withInput(hex('c2 41 01')), 'BATCH_NOT_CBOR'],
    ['an integer over the safe ones', withInput(hex('1b 0020000000000000')), 'BATCH_NOT_CBOR'],
    ['text that is no UTF-8', withInput(hex('61 ff')), 'BATCH_NOT_CANONICAL'],
    ['text that is longer UTF-8 than need be', withInput(hex('62 c1a1')), 'BATCH_NOT_CANONICAL'],
    ['text with half of a surrogate pair', withInput(hex('63 eda080')), 'BATCH_NOT_CANONICAL'],
    ['a key that is no UTF-8', withInput(hex('a1 61 ff 01')), 'BATCH_NOT_CANONICAL'],
    ['a key that is no text', withInput(hex('a1 01 01')), 'BATCH_NOT_CBOR'],
    ['an integer as a float, in a kind from the future', future(hex('f9 3c00')), 'BATCH_NOT_CANONICAL'],
    ['negative zero, in a kind from the future', future(hex('f9 8000')), 'BATCH_NOT_CANONICAL'],
    [
      'keys in the wrong order, in a kind from the future',
      future(hex('a2 6162 02 6161 01')),
      'BATCH_NOT_CANONICAL',
    ],
    ['text that is no UTF-8, in a kind from the future', future(hex('61 ff')), 'BATCH_NOT_CANONICAL'],
    ['bytes after the end', join(batchOf([created]), hex('00')), 'BATCH_NOT_CBOR'],
    ['one byte less', batchOf([created]).subarray(0, -1), 'BATCH_NOT_CBOR'],
    ['no bytes', new Uint8Array(0), 'BATCH_NOT_CBOR'],
    [
      'bytes of a run that an earlier record named',
      batchOf([list(int(13), int(0), RUN), list(int(13), int(1), RUN)]),
      'BATCH_NOT_CANONICAL',
    ],
    [
      'a later index of a run than the first',
      batchOf([list(int(13), int(0), RUN), list(int(13), int(1), int(0)), list(int(13), int(1), int(1))]),
      'BATCH_NOT_CANONICAL',
    ],
  ])('%s', (_, bytes, code) => {
    expect(refusal(bytes)).toBe(code)
  })

  test('bytes of a record, or of the author, where an index would do', () => {
    const own = codec.namer.next(BASE)
    const first = record({ kind: 'resumed', run: '0'.repeat(26) })
    const bytes = codec.encode({ sequence: 0, previous: LOG, records: [first] })
    const [decoded] = codec.decode(bytes).records
    expect(decoded?.id).toBe(own)
    const idBytes = encodeCbor(idToBytes(own))
    expect(refusal(batchOf([list(int(13), int(0), RUN), list(int(3), int(1), int(0), idBytes)]))).toBe(
      'BATCH_NOT_CANONICAL',
    )
    expect(refusal(batchOf([list(int(18), int(0), encodeCbor(deviceKey(WRITER.device)), int(0))]))).toBe(
      'BATCH_NOT_CANONICAL',
    )
  })
})

describe('bytes that are no batch are refused:', () => {
  const created = list(int(1), int(0), text('a'))
  test.each([
    ['a number', hex('01'), 'BATCH_SHAPE'],
    ['a text', text('batch'), 'BATCH_SHAPE'],
    ['a map', hex('a0'), 'BATCH_SHAPE'],
    ['null', hex('f6'), 'BATCH_SHAPE'],
    ['an empty array', hex('80'), 'BATCH_VERSION'],
    ['an array of four', list(int(1), int(0), encodeCbor(LOG), int(BASE)), 'BATCH_SHAPE'],
    [
      'an array of six',
      list(int(1), int(0), encodeCbor(LOG), int(BASE), list(created), int(0)),
      'BATCH_SHAPE',
    ],
    ['version 0', batchOf([created], { version: int(0) }), 'BATCH_VERSION'],
    ['version 2', batchOf([created], { version: int(2) }), 'BATCH_VERSION'],
    ['version 2 of another length', list(int(2), int(0)), 'BATCH_VERSION'],
    ['a version that is a text', batchOf([created], { version: text('1') }), 'BATCH_VERSION'],
    ['a negative sequence', batchOf([created], { sequence: int(-1) }), 'BATCH_SHAPE'],
    ['a sequence that is no integer', batchOf([created], { sequence: int(0.5) }), 'BATCH_SHAPE'],
    ['a sequence that is a text', batchOf([created], { sequence: text('0') }), 'BATCH_SHAPE'],
    [
      'a previous hash of 31 bytes',
      batchOf([created], { previous: encodeCbor(LOG.slice(1)) }),
      'BATCH_SHAPE',
    ],
    [
      'a previous hash of 33 bytes',
      batchOf([created], { previous: encodeCbor(join(LOG, hex('00'))) }),
      'BATCH_SHAPE',
    ],
    ['a previous hash that is a text', batchOf([created], { previous: text('a'.repeat(32)) }), 'BATCH_SHAPE'],
    ['a negative base', batchOf([created], { base: int(-1) }), 'BATCH_SHAPE'],
    ['a base that is no integer', batchOf([created], { base: int(0.5) }), 'BATCH_SHAPE'],
    ['no records', batchOf([]), 'BATCH_SHAPE'],
    ['records that are no array', list(int(1), int(0), encodeCbor(LOG), int(BASE), hex('a0')), 'BATCH_SHAPE'],
    ['a stamp past the last', batchOf([created, list(int(1), int(2 ** 53 - 1), text('a'))]), 'BATCH_SHAPE'],
    [
      'a stamp past the last, of a kind from the future',
      wireBatch([99, 0], [99, 2 ** 53 - 1]),
      'BATCH_SHAPE',
    ],
  ])('%s', (_, bytes, code) => {
    expect(refusal(bytes)).toBe(code)
  })

  test('the last stamp there is can still be used', () => {
    const bytes = batchOf([list(int(99), int(0))], { base: int(LAST_STAMP) })
    expect(codec.decode(bytes).records[0]?.stamp).toBe(LAST_STAMP)
    expect(refusal(batchOf([list(int(99), int(0)), list(int(99), int(1))], { base: int(LAST_STAMP) }))).toBe(
      'BATCH_SHAPE',
    )
  })

  test('the refusal of a version says which it was', () => {
    const error = thrown(BatchError, () => codec.decode(batchOf([created], { version: int(2) })))
    expect(error.details).toEqual({ version: 2 })
  })
})

describe('limits', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 0
    for (let i = 0; i < levels; i++) value = [value]
    return value
  }

  test('a payload nests as deep as allowed, in every place that can hold one', () => {
    const deepest = nested(MAX_PAYLOAD_DEPTH)
    const bytes = [
      wireBatch([1, 0, 'a', deepest]),
      wireBatch([10, 0, new Uint8Array(16), { code: 'E', message: '', details: deepest }]),
    ]
    for (const batch of bytes) expect(codec.encode(codec.decode(batch))).toEqual(batch)
  })

  test('a level more in a payload is a bad record, and a level more in the batch is too deep', () => {
    expect(refusal(wireBatch([1, 0, 'a', nested(MAX_PAYLOAD_DEPTH + 1)]))).toBe('BATCH_RECORD')
    expect(refusal(wireBatch([1, 0, 'a', nested(MAX_PAYLOAD_DEPTH + 2)]))).toBe('BATCH_TOO_DEEP')
    expect(refusal(wireBatch([99, 0, nested(MAX_PAYLOAD_DEPTH + 2)]))).toBe('BATCH_TOO_DEEP')
    const details = nested(MAX_PAYLOAD_DEPTH + 1)
    expect(refusal(wireBatch([10, 0, new Uint8Array(16), { code: 'E', message: '', details }]))).toBe(
      'BATCH_TOO_DEEP',
    )
  })

  test.each([
    ['arrays', 0x81, 'BATCH_TOO_DEEP'],
    ['empty arrays', 0x80, 'BATCH_NOT_CBOR'],
    ['arrays of indefinite length', 0x9f, 'BATCH_NOT_CBOR'],
    ['long arrays', 0x97, 'BATCH_TOO_DEEP'],
    ['tags', 0xc1, 'BATCH_NOT_CBOR'],
    ['maps', 0xa1, 'BATCH_TOO_DEEP'],
    ['breaks', 0xff, 'BATCH_NOT_CBOR'],
    ['zeros', 0x00, 'BATCH_NOT_CBOR'],
  ])('a megabyte of %s is refused with a code, not by the stack', (_, byte, code) => {
    expect(refusal(new Uint8Array(MAX_BATCH_BYTES).fill(byte))).toBe(code)
    expect(refusal(new Uint8Array(MAX_BATCH_BYTES + 1).fill(byte))).toBe('BATCH_TOO_LARGE')
  })

  /** Sixteen records that encode to exactly the limit and some bytes more. */
  const filled = (more: number): AnyRecord[] => {
    const make = (last: number): AnyRecord[] =>
      Array.from({ length: 17 }, (_, i) =>
        record({ kind: 'created', type: 'a', input: new Uint8Array(i === 16 ? last : 65_000) }, i),
      )
    const used = codec.encode({ sequence: 0, previous: LOG, records: make(300) }).length
    // From 256 bytes on, the head of a byte string has the same size.
    return make(300 - used + MAX_BATCH_BYTES + more)
  }

  test('a batch of exactly the byte limit is written and read; of one byte more, neither', () => {
    const records = filled(0).slice()
    const bytes = codec.encode({ sequence: 0, previous: LOG, records })
    expect(bytes).toHaveLength(MAX_BATCH_BYTES)
    expect(codec.decode(bytes).records).toHaveLength(17)
    const error = thrown(BatchError, () => codec.encode({ sequence: 0, previous: LOG, records: filled(1) }))
    expect(error).toMatchObject({ code: 'BATCH_TOO_LARGE', details: { bytes: MAX_BATCH_BYTES + 1 } })
    expect(refusal(join(bytes, hex('00')))).toBe('BATCH_TOO_LARGE')
  })

  test('a batch of exactly the record limit is written and read; of one more, neither', () => {
    const records = Array.from({ length: MAX_BATCH_RECORDS + 1 }, (_, i) =>
      record({ kind: 'resumed', run: GROUP }, i),
    )
    const batch = { sequence: 0, previous: LOG, records: records.slice(1) }
    expect(codec.decode(codec.encode(batch))).toEqual(batch)
    expect(thrown(BatchError, () => codec.encode({ ...batch, records })).code).toBe('BATCH_TOO_LARGE')
    const wire = records.map((_, i) => [13, i === 0 ? 0 : 1, i === 0 ? new Uint8Array(16) : 0])
    expect(refusal(encodeCbor([1, 0, LOG, BASE, wire]))).toBe('BATCH_TOO_LARGE')
  })
})

describe('no bytes reach a prototype', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort()
  const unpolluted = (): void => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before)
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  }
  const PROTO = hex('a1 695f5f70726f746f5f5f a1 6561646d696e f5')

  test('a payload with a key __proto__ is refused', () => {
    expect(refusal(batchOf([list(int(1), int(0), text('a'), PROTO)]))).toBe('BATCH_RECORD')
    expect(refusal(batchOf([list(int(1), int(0), text('a'), list(PROTO))]))).toBe('BATCH_RECORD')
    unpolluted()
  })

  test('a kind from the future may have one: it stays data, byte for byte', () => {
    const bytes = batchOf([list(int(99), int(0), PROTO)])
    const batch = codec.decode(bytes)
    const [value] = (batch.records[0] as UnknownRecord).values
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(codec.encode(batch)).toEqual(bytes)
    unpolluted()
  })

  test('a key constructor, prototype or toString is a key like any other', () => {
    const input = { constructor: { prototype: { admin: true } }, prototype: {}, toString: 1, valueOf: null }
    const batch = { sequence: 0, previous: LOG, records: [record({ kind: 'created', type: 'a', input })] }
    const decoded = codec.decode(codec.encode(batch))
    expect(decoded).toEqual(batch)
    expect(codec.encode(decoded)).toEqual(codec.encode(batch))
    unpolluted()
  })

  test.each(['retry', 'heartbeat', 'error'])('an object with a key __proto__ is no %s', (field) => {
    const good: Record<string, unknown> = {
      retry: { max: 1, backoffMs: [] },
      heartbeat: { intervalMs: 1, timeoutMs: 2 },
      error: { code: 'E', message: '' },
    }
    const value = Object.defineProperty({ ...(good[field] as object) }, '__proto__', {
      value: {},
      enumerable: true,
    })
    const put = (it: unknown): Uint8Array => {
      if (field === 'error') return wireBatch([10, 0, new Uint8Array(16), it])
      const nulls = new Array(field === 'retry' ? 9 : 11).fill(null)
      return wireBatch([1, 0, 'a', ...nulls, it])
    }
    expect(codec.decode(put(good[field])).records[0]).toHaveProperty(field)
    expect(refusal(put(value))).toBe('BATCH_RECORD')
    unpolluted()
  })
})

describe('a writer', () => {
  test('writes no empty batch', () => {
    expect(thrown(BatchError, () => codec.encode({ sequence: 0, previous: LOG, records: [] })).code).toBe(
      'BATCH_SHAPE',
    )
  })

  test.each([
    ['a negative sequence', { sequence: -1, previous: LOG }],
    ['a sequence with a fraction', { sequence: 0.5, previous: LOG }],
    ['a short previous hash', { sequence: 0, previous: LOG.slice(1) }],
  ])('writes no batch with %s', (_, head) => {
    const records = codec.decode(batchOf([list(int(1), int(0), text('a'))])).records
    expect(thrown(BatchError, () => codec.encode({ ...head, records })).code).toBe('BATCH_SHAPE')
  })

  test.each([
    ['another device', { ...WRITER, device: ben }],
    ['another incarnation of itself', { ...WRITER, incarnation: FOUNDED + 1 }],
  ])('writes no record of %s', (_, writer) => {
    const others = new BatchCodec({ group: GROUP, writer })
    const foreign = writeRecord({ kind: 'resumed', run: GROUP }, BASE, others.namer, GROUP)
    const error = thrown(RecordError, () => codec.encode({ sequence: 0, previous: LOG, records: [foreign] }))
    expect(error.code).toBe('RECORD_INVALID')
  })

  test('writes no records that stand still or go back in time', () => {
    const [early, late] = [
      record({ kind: 'resumed', run: GROUP }),
      record({ kind: 'resumed', run: GROUP }, 1),
    ]
    for (const records of [
      [late, early],
      [early, early],
    ]) {
      const error = thrown(RecordError, () => codec.encode({ sequence: 0, previous: LOG, records }))
      expect(error.code).toBe('RECORD_INVALID')
    }
  })

  test('writes no run under an id that its readers would not work out', () => {
    const created = record({ kind: 'created', type: 'a', key: 'k' })
    for (const wrong of [
      { ...created, run: created.id },
      { ...created, key: 'l' },
      { ...record({ kind: 'created', type: 'a' }), run: GROUP },
    ]) {
      const error = thrown(RecordError, () => codec.encode({ sequence: 0, previous: LOG, records: [wrong] }))
      expect(error.code).toBe('RUN_ID_MISMATCH')
    }
  })

  test.each([Number.NaN, -1, 0.5])('writes no record at %s, which is no stamp', (stamp) => {
    const wrong = { ...record({ kind: 'resumed', run: GROUP }), stamp, id: codec.namer.next(stamp) }
    const error = thrown(RecordError, () => codec.encode({ sequence: 0, previous: LOG, records: [wrong] }))
    expect(error.code).toBe('RECORD_INVALID')
  })
})

describe('a batch from the future', () => {
  const lastMs = START + 70_000
  const batch = {
    sequence: 0,
    previous: LOG,
    records: [FOUNDED + 1, stampOf(lastMs, 5)].map((stamp) =>
      writeRecord({ kind: 'resumed', run: GROUP }, stamp, codec.namer, GROUP),
    ),
  }

  test('is judged by its last record, and passes exactly at the bound', () => {
    expect(() => checkBatchDrift(batch, lastMs - MAX_DRIFT_MS)).not.toThrow()
    const error = thrown(ClockError, () => checkBatchDrift(batch, lastMs - MAX_DRIFT_MS - 1))
    expect(error).toMatchObject({ code: 'STAMP_AHEAD', details: { retryAtMs: lastMs - MAX_DRIFT_MS } })
  })

  test('can be held to a narrower bound', () => {
    expect(() => checkBatchDrift(batch, lastMs - 10, 10)).not.toThrow()
    expect(thrown(ClockError, () => checkBatchDrift(batch, lastMs - 11, 10)).code).toBe('STAMP_AHEAD')
  })

  test('still decodes: it is kept aside, not thrown away', () => {
    expect(codec.decode(codec.encode(batch))).toEqual(batch)
  })
})
