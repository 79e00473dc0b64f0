import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeCbor } from '../../protocol/cbor.js'
import { Refusal } from '../../src/journal/errors.js'
import {
  decodeHeads,
  decodeSummary,
  digestOf,
  encodeHeads,
  encodeSummary,
  type ListedHead,
} from '../../src/journal/heads.js'
import { readMessage, writeMessage } from '../../src/journal/message.js'
import { thrown } from '../protocol/thrown.js'
import { signerOf } from './devices.js'

const stretch = { client: 5, from: 0, root: 'x', elements: [Uint8Array.of(1, 2)] }

test('a message reads back as it was written', () => {
  const message = { journal: '2026-01-01', stretches: [stretch] }
  expect(readMessage(writeMessage(message))).toEqual(message)
})

test('other shapes are refused', () => {
  const { 2: update } = [1, 'group', Uint8Array.of(0, 0)] as const
  for (const value of [
    null,
    [],
    [1],
    [2, 'group', update],
    [1, 'grouped', update],
    [1, 'group', update, 0],
    [1, 'group', 'text'],
    [1, 'group', [update]],
    { 0: 1 },
    [1, '__proto__', update],
    [1, 'group', null],
  ])
    expect(thrown(Refusal, () => readMessage(encodeCbor(value))).code).toBe('MALFORMED')
  expect(readMessage(encodeCbor([1, 'group', update])).stretches).toEqual([])
})

test('whatever the bytes are, reading them ends in data or in a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const read of [readMessage, decodeHeads, decodeSummary]) {
        try {
          read(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
      }
    }),
    { numRuns: 2000 },
  )
})

test('plausible garbage in heads and summaries is refused, too', () => {
  const hash = new Uint8Array(32)
  fc.assert(
    fc.property(fc.anything({ withBigInt: false, maxDepth: 3 }), (value) => {
      for (const item of [
        value,
        [1, value],
        [1, [value]],
        [1, [['group', value]]],
        [1, [['group', [value]]]],
        [1, [['group', [[hash, 1, value, hash]]]]],
      ]) {
        let bytes: Uint8Array
        try {
          bytes = encodeCbor(item)
        } catch {
          continue
        }
        for (const read of [decodeHeads, decodeSummary]) {
          try {
            read(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal)
          }
        }
      }
    }),
    { numRuns: 1000 },
  )
})

test('heads and summaries read back; a digest does not depend on order, and changes with every part of a head', async () => {
  const devices = await Promise.all(['ana', 'ben'].map(signerOf))
  const heads: ListedHead[] = devices.map(({ device }, i) => ({
    device,
    incarnation: 5 + i,
    sequence: i,
    hash: new Uint8Array(32).fill(i),
  }))
  expect([...decodeHeads(encodeHeads(new Map([['group', heads]])))]).toEqual([
    ['group', [...heads].sort((a, b) => (a.device < b.device ? -1 : 1))],
  ])
  const digest = digestOf(heads)
  expect(digestOf([...heads].reverse())).toEqual(digest)
  expect(decodeSummary(encodeSummary(new Map([['group', digest]]))).get('group')).toEqual(digest)
  const [first, ...rest] = heads as [ListedHead, ...ListedHead[]]
  for (const change of [{ incarnation: 9 }, { sequence: 9 }, { hash: new Uint8Array(32).fill(9) }])
    expect(digestOf([{ ...first, ...change }, ...rest])).not.toEqual(digest)
})
