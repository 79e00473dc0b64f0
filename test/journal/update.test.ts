/** The one form of an update: the bytes that Yjs itself would write, and no others. */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { stampOf } from '../../protocol/index.js'
import { SEGMENT_BATCHES } from '../../src/journal/constants.js'
import { Refusal } from '../../src/journal/errors.js'
import { Journal, stretchesOf } from '../../src/journal/journal.js'
import type { Log } from '../../src/journal/log.js'
import { readUpdate, type Stretch, writeUpdate } from '../../src/journal/update.js'
import { thrown } from '../protocol/thrown.js'
import { groupOf, START, TODAY } from './devices.js'

let group: string
let device: string

beforeAll(async () => {
  const [ana] = await groupOf('ana')
  group = ana?.journals.group.id as string
  device = ana?.id as string
})

function elementsOf(count: number, salt = 0): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => Uint8Array.of(salt, i >> 8, i & 255))
}

/** A journal with logs of these lengths, appended in pieces. */
function journalOf(lengths: readonly number[], piece = 100): Journal {
  const journal = new Journal(group, TODAY)
  lengths.forEach((length, i) => {
    const log = journal.log(device, stampOf(START, i))
    const elements = elementsOf(length, i)
    for (let at = 0; at < length; at += piece) append(journal, log, elements.slice(at, at + piece))
  })
  return journal
}

function append(journal: Journal, log: Log, elements: readonly Uint8Array[]): void {
  const sequence = log.head.sequence + elements.length
  journal.append(log, elements, { sequence, hash: log.id, stamp: 0 })
}

function stretchesFrom(journal: Journal, have: readonly number[]): readonly Stretch[] {
  return journal.logs.flatMap((log, i) => {
    const from = Math.min(have[i] ?? 0, log.head.sequence + 1)
    return stretchesOf(log, from, journal.elements(log, from, 10_000))
  })
}

describe('the bytes', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 4 })

  test('are those of Yjs, for whole journals and for what a peer lacks', () => {
    fc.assert(
      fc.property(
        lengths,
        fc.array(fc.nat(600), { maxLength: 4 }),
        fc.integer({ min: 1, max: 300 }),
        (logs, have, piece) => {
          const journal = journalOf(logs, piece)
          expect(writeUpdate(stretchesFrom(journal, []))).toEqual(Y.encodeStateAsUpdate(journal.doc))
          const vector = Y.encodeStateVector(
            new Map(
              journal.logs.map((log, i) => [log.client, Math.min(have[i] ?? 0, log.head.sequence + 1)]),
            ),
          )
          expect(writeUpdate(stretchesFrom(journal, have))).toEqual(
            Y.encodeStateAsUpdate(journal.doc, vector),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  test('say what was appended', () => {
    fc.assert(
      fc.property(lengths, (logs) => {
        const journal = journalOf(logs)
        const stretches = stretchesFrom(journal, [])
        const byClient = [...stretches].sort((a, b) => b.client - a.client || a.from - b.from)
        expect(readUpdate(writeUpdate(stretches))).toEqual(byClient)
      }),
      { numRuns: 60 },
    )
  })

  test('one deviation, and they are refused', () => {
    const bytes = writeUpdate(stretchesFrom(journalOf([3, 2]), [1]))
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [1, 0x80, 0xff]) {
        const other = bytes.slice()
        other[at] = (other[at] as number) ^ flip
        try {
          expect(writeUpdate(readUpdate(other))).toEqual(other)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
      }
      expect(thrown(Refusal, () => readUpdate(bytes.subarray(0, at))).code).toBe('MALFORMED')
    }
    expect(thrown(Refusal, () => readUpdate(Uint8Array.of(...bytes, 0))).code).toBe('MALFORMED')
  })

  test('longer spellings of numbers are refused', () => {
    const bytes = writeUpdate(stretchesFrom(journalOf([1]), []))
    const longer = Uint8Array.of(0x81, 0, ...bytes.subarray(1))
    expect(thrown(Refusal, () => readUpdate(longer)).code).toBe('MALFORMED')
  })

  test('a view into a larger buffer is read no further than its end', () => {
    const bytes = writeUpdate(stretchesFrom(journalOf([2]), []))
    const buffer = new Uint8Array(bytes.length * 2)
    buffer.set(bytes)
    expect(readUpdate(buffer.subarray(0, bytes.length))).toHaveLength(1)
    for (let end = 0; end < bytes.length; end++)
      expect(thrown(Refusal, () => readUpdate(buffer.subarray(0, end))).code).toBe('MALFORMED')
  })
})

describe('segments', () => {
  test.each([255, 256, 257, 512, 513])('%i elements stand in arrays of 256 and read back whole', (length) => {
    const journal = journalOf([length], 7)
    const [log] = journal.logs as [Log]
    const arrays = Math.ceil(length / SEGMENT_BATCHES)
    expect([...journal.doc.share.values()].map((type) => (type as Y.Array<unknown>)._length)).toHaveLength(
      arrays,
    )
    expect(journal.elements(log, 0, length)).toEqual(elementsOf(length))
    for (const from of [0, 254, 255, 256, length - 1].filter((at) => at < length))
      expect(journal.elements(log, from, 2)).toEqual(elementsOf(length).slice(from, from + 2))
    expect(journal.elements(log, length, 5)).toEqual([])
  })
})
