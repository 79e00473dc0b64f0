import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeCbor } from '../../../protocol/cbor.js'
import {
  BatchError,
  batchHash,
  emptyHead,
  extendLog,
  groupId,
  HASH_BYTES,
  IdError,
  type LogHead,
  type LogName,
  logId,
  signingInput,
} from '../../../protocol/index.js'
import { devices, ids, stamps } from '../arbitraries.js'
import { ben, FOUNDED, GROUP } from '../story.js'
import { thrown } from '../thrown.js'
import { codec, LOG, record, WRITER } from './log.js'

const name: LogName = { group: GROUP, journal: '2026-01-01', writer: WRITER }

/** A batch of one record, as bytes, that follows a head. */
function next(head: LogHead, after: number, sequence = head.sequence + 1, previous = head.hash): Uint8Array {
  return codec.encode({ sequence, previous, records: [record({ kind: 'resumed', run: GROUP }, after)] })
}

const extend = (head: LogHead, bytes: Uint8Array): LogHead =>
  extendLog(head, codec.decode(bytes), batchHash(bytes))

describe('a log id', () => {
  test.each<[string, LogName]>([
    ['group', { ...name, group: groupId(ben, FOUNDED) }],
    ['journal', { ...name, journal: '2026-01-02' }],
    ['device', { ...name, writer: { ...WRITER, device: ben } }],
    ['incarnation', { ...name, writer: { ...WRITER, incarnation: FOUNDED + 1 } }],
  ])('differs by %s', (_, other) => {
    expect(logId(other)).not.toEqual(logId(name))
    expect(logId({ ...name })).toEqual(logId(name))
  })

  test('differs for any two logs', () => {
    const logs: fc.Arbitrary<LogName> = fc.record({
      group: fc.constantFrom(...fc.sample(ids, { numRuns: 2, seed: 1 })),
      journal: fc.constantFrom('group', '2026-01-01'),
      writer: fc.record({
        device: fc.constantFrom(...fc.sample(devices, { numRuns: 2, seed: 1 })),
        incarnation: fc.oneof(stamps, fc.constantFrom(0, 1)),
      }),
    })
    fc.assert(
      fc.property(logs, logs, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b)
        expect(Buffer.compare(logId(a), logId(b)) === 0).toBe(same)
      }),
      { numRuns: 1000 },
    )
  })

  test('has 32 bytes, which do not change with the version of this library', () => {
    expect(logId(name)).toHaveLength(HASH_BYTES)
    expect(Buffer.from(logId(name)).toString('hex')).toMatchInlineSnapshot(
      `"6599c7e41e30e359e8ed5cd4e1c8408de31e58edab460bf1ec8a780f0aa36364"`,
    )
  })

  test('needs a real group and a real device', () => {
    expect(thrown(IdError, () => logId({ ...name, group: 'x' })).code).toBe('ID_INVALID')
    expect(thrown(IdError, () => logId({ ...name, writer: { ...WRITER, device: 'x' } })).code).toBe(
      'DEVICE_ID_INVALID',
    )
  })
})

describe('what is signed', () => {
  test('binds the log and the batch: it differs if either does', () => {
    const hash = batchHash(next(emptyHead(LOG), 0))
    const signed = signingInput(LOG, hash)
    expect(signingInput(logId({ ...name, journal: 'group' }), hash)).not.toEqual(signed)
    expect(signingInput(LOG, batchHash(next(emptyHead(LOG), 1)))).not.toEqual(signed)
    expect(signingInput(hash, LOG)).not.toEqual(signed)
    expect(signingInput(LOG, hash)).toEqual(signed)
  })

  test('says what it is for, so that it cannot be passed off as anything else', () => {
    const hash = batchHash(next(emptyHead(LOG), 0))
    expect(decodeCbor(signingInput(LOG, hash), 1)).toEqual(['dibs/batch/1', LOG, hash])
  })

  test('a batch whose bytes differ at all has another hash', () => {
    const bytes = next(emptyHead(LOG), 0)
    for (let i = 0; i < bytes.length; i++) {
      const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte))
      expect(batchHash(changed)).not.toEqual(batchHash(bytes))
    }
  })
})

describe('a log', () => {
  const empty = emptyHead(LOG)
  const firstBytes = next(empty, 10)
  const first = extend(empty, firstBytes)

  test('begins with batch 0, which names the log itself', () => {
    expect(first).toEqual({
      sequence: 0,
      hash: batchHash(firstBytes),
      stamp: record({ kind: 'resumed', run: GROUP }, 10).stamp,
    })
  })

  test('goes on batch by batch, and its head is the last', () => {
    let head = first
    for (let i = 1; i <= 20; i++) {
      const bytes = next(head, 10 + i)
      head = extend(head, bytes)
      expect(head.sequence).toBe(i)
      expect(head.hash).toEqual(batchHash(bytes))
    }
  })

  test('the stamp of its head is that of the last record', () => {
    const records = [11, 12, 40].map((after) => record({ kind: 'resumed', run: GROUP }, after))
    const bytes = codec.encode({ sequence: 1, previous: first.hash, records })
    expect(extend(first, bytes).stamp).toBe(records[2]?.stamp)
  })

  test('takes no batch after a gap', () => {
    const error = thrown(BatchError, () => extend(first, next(first, 11, 2)))
    expect(error).toMatchObject({ code: 'BATCH_SEQUENCE', details: { expected: 1, sequence: 2 } })
    expect(thrown(BatchError, () => extend(empty, next(first, 11))).code).toBe('BATCH_SEQUENCE')
  })

  test('takes no batch a second time', () => {
    const error = thrown(BatchError, () => extend(first, firstBytes))
    expect(error).toMatchObject({ code: 'BATCH_SEQUENCE', details: { expected: 1, sequence: 0 } })
  })

  test('takes no batch that follows another than its last: a fork', () => {
    const fork = extend(empty, next(empty, 5))
    const error = thrown(BatchError, () => extend(first, next(fork, 11)))
    expect(error).toMatchObject({ code: 'BATCH_CHAIN', details: { sequence: 1 } })
  })

  test('takes no first batch of another log', () => {
    const foreign = emptyHead(logId({ ...name, journal: 'group' }))
    expect(thrown(BatchError, () => extend(empty, next(foreign, 10))).code).toBe('BATCH_CHAIN')
  })

  test.each([
    ['at the very stamp its last one ended', 10],
    ['before that', 9],
  ])('takes no batch that begins %s', (_, after) => {
    const error = thrown(BatchError, () => extend(first, next(first, after)))
    expect(error).toMatchObject({ code: 'BATCH_BACKDATED', details: { sequence: 1 } })
    expect(extend(first, next(first, 11)).sequence).toBe(1)
  })

  test('takes no batch without records', () => {
    const batch = { sequence: 1, previous: first.hash, records: [] }
    expect(thrown(BatchError, () => extendLog(first, batch, LOG)).code).toBe('BATCH_BACKDATED')
  })

  test('a refusal leaves the head as it was', () => {
    const before = structuredClone(first)
    expect(() => extend(first, next(first, 9))).toThrow(BatchError)
    expect(first).toEqual(before)
  })
})
