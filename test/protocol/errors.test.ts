import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../protocol/cbor.js'
import {
  BatchError,
  batchHash,
  ClockError,
  ConfigError,
  choose,
  deviceKey,
  ERROR_CODES,
  type ErrorCode,
  emptyHead,
  extendLog,
  IdError,
  idToBytes,
  keyedRunId,
  ProtocolError,
  RecordError,
  receive,
  stampOf,
} from '../../protocol/index.js'
import { batchOf, codec, hex, LOG, record, wireBatch } from './batch/log.js'
import { GROUP, START } from './story.js'
import { thrown } from './thrown.js'

const one = record({ kind: 'created', type: 'a' }, 5)
const bytes = codec.encode({ sequence: 0, previous: LOG, records: [one] })
const head = extendLog(emptyHead(LOG), codec.decode(bytes), batchHash(bytes))
const extendWith = (sequence: number, previous: Uint8Array, after: number): unknown => {
  const batch = { sequence, previous, records: [record({ kind: 'resumed', run: GROUP }, after)] }
  return extendLog(head, batch, batchHash(codec.encode(batch)))
}

type Kind = abstract new (...args: never[]) => ProtocolError

/** For every code, a call that is refused with it. */
const REFUSED: { readonly [C in ErrorCode]: readonly [Kind, () => unknown] } = {
  STAMP_AHEAD: [ClockError, () => receive(0, stampOf(START + 60_001), START)],
  STAMP_INVALID: [ClockError, () => stampOf(-1)],
  DEVICE_ID_INVALID: [IdError, () => deviceKey('ana')],
  ID_INVALID: [IdError, () => idToBytes('run')],
  KEY_INVALID: [IdError, () => keyedRunId({ group: GROUP, project: '', type: 'a', key: '' })],
  RECORD_INVALID: [RecordError, () => record({ kind: 'created', type: '' })],
  RUN_ID_MISMATCH: [
    RecordError,
    () => codec.encode({ sequence: 0, previous: LOG, records: [{ ...one, run: GROUP }] }),
  ],
  BATCH_TOO_LARGE: [BatchError, () => codec.decode(new Uint8Array(2 ** 20 + 1))],
  BATCH_TOO_DEEP: [BatchError, () => codec.decode(new Uint8Array(100).fill(0x81))],
  BATCH_NOT_CBOR: [BatchError, () => codec.decode(hex('ff'))],
  BATCH_NOT_CANONICAL: [BatchError, () => codec.decode(wireBatch([1, 0, 'a', null]))],
  BATCH_VERSION: [BatchError, () => codec.decode(batchOf([], { version: encodeCbor(2) }))],
  BATCH_SHAPE: [BatchError, () => codec.decode(hex('00'))],
  BATCH_RECORD: [BatchError, () => codec.decode(wireBatch([1, 0, '']))],
  BATCH_SEQUENCE: [BatchError, () => extendWith(2, head.hash, 6)],
  BATCH_CHAIN: [BatchError, () => extendWith(1, LOG, 6)],
  BATCH_BACKDATED: [BatchError, () => extendWith(1, head.hash, 5)],
  CONFIG_INVALID: [
    ConfigError,
    () =>
      choose({ candidates: [{ device: 'ana' }], nowMs: START } as unknown as Parameters<typeof choose>[0]),
  ],
}

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

describe.each(CODES)('the code %s', (code) => {
  const [kind, call] = REFUSED[code]

  test('is thrown, in an error of its class', () => {
    const error = thrown(kind, call)
    expect(error).toBeInstanceOf(ProtocolError)
    expect(error.code).toBe(code)
    expect(error.name).toBe(kind.name)
  })

  test('comes with sentences, and with what it means', () => {
    expect(thrown(kind, call).message).toMatch(/^[“A-Z0-9].*\.$/)
    expect(ERROR_CODES[code]).toMatch(/^[A-Z].*\.$/)
  })
})

test.each(CODES.filter((code) => code.startsWith('BATCH_')))('%s says that nothing was applied', (code) => {
  const [kind, call] = REFUSED[code]
  expect(thrown(kind, call).message).toMatch(/Nothing was applied(; update dibs)?\.$/)
})

describe('what could not be written', () => {
  test.each([
    ['a batch without records', () => codec.encode({ sequence: 0, previous: LOG, records: [] })],
    [
      'a batch of too many records',
      () => codec.encode({ sequence: 0, previous: LOG, records: new Array(5000).fill(one) }),
    ],
    ['records out of order', () => codec.encode({ sequence: 0, previous: LOG, records: [one, one] })],
    ['a run under another id', REFUSED.RUN_ID_MISMATCH[1]],
  ])('as %s: the refusal says that nothing was', (_, call) => {
    expect(call).toThrow(/Nothing was written\.$/)
  })

  test('as an invalid record: the refusal says so, and why', () => {
    const error = thrown(RecordError, REFUSED.RECORD_INVALID[1])
    expect(error.message).toContain('was not written')
    expect(error.details).toMatchObject({ kind: 'created', fault: expect.stringMatching(/^type: /) })
  })
})
