import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalBytes } from '../../../protocol/cbor.js'
import {
  type AnyRecord,
  BatchCodec,
  BatchError,
  type Draft,
  type ErrorCode,
} from '../../../protocol/index.js'
import { KIND_NAMES, recordsOf } from '../arbitraries.js'
import { SAMPLES } from '../records/samples.js'
import { GROUP } from '../story.js'
import { BASE, codec, hex, LOG, record, WRITER, wireBatch } from './log.js'

const INPUTS = 100_000
const SEED = 20_260_101

/** Mulberry32: numbers from 0 up to a bound, the same for the same seed. */
function dice(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** Batches to begin with: every kind by itself, mixtures, and kinds from the future. */
function corpus(): Uint8Array[] {
  const whole = (records: readonly AnyRecord[]): Uint8Array =>
    codec.encode({ sequence: 3, previous: LOG, records })
  const singles = KIND_NAMES.map((kind) => whole([record(SAMPLES[kind] as Draft) as AnyRecord]))
  const mixtures = fc.sample(recordsOf(codec.namer, GROUP, BASE, 5), { numRuns: 60, seed: SEED }).map(whole)
  const future = wireBatch(
    [99, 0, { a: [1, 2.5, null], b: new Uint8Array(3) }, 'x'],
    [3, 1, new Uint8Array(16), 0],
  )
  return [...singles, ...mixtures, future]
}

/** Bytes that mean something in CBOR, and so break more than others. */
const TELLING = hex(
  '00 17 18 19 1a 1b 20 38 40 50 58 60 61 78 80 81 82 85 98 9b 9f a0 a1 bf c0 c2 e0 f4 f5 f6 f7 f8 f9 fa fb ff',
)
const PROTO_KEY = hex('a1 695f5f70726f746f5f5f a1 6561646d696e f5')
const TO_STRING_KEY = hex('a1 68746f537472696e67 01')
const SNIPPETS = [
  PROTO_KEY,
  TO_STRING_KEY,
  hex('80'),
  hex('a0'),
  hex('f98000'),
  hex('63efbbbf'),
  hex('61ff'),
  hex('1bffffffffffffffff'),
]

function mutate(
  bytes: Uint8Array,
  others: readonly Uint8Array[],
  roll: (bound: number) => number,
): Uint8Array {
  const at = roll(bytes.length)
  const cut = (from: number, to: number, put: Uint8Array = new Uint8Array(0)): Uint8Array =>
    Uint8Array.from(Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]))
  switch (roll(9)) {
    case 0: // One bit flips.
      return bytes.map((byte, i) => (i === at ? byte ^ (1 << roll(8)) : byte))
    case 1: // One byte becomes a telling one.
      return bytes.map((byte, i) => (i === at ? (TELLING[roll(TELLING.length)] as number) : byte))
    case 2: // A number goes up or down by one.
      return bytes.map((byte, i) => (i === at ? byte + (roll(2) === 0 ? 1 : -1) : byte))
    case 3: // Something is put in.
      return cut(at, at, Uint8Array.of(roll(2) === 0 ? roll(256) : (TELLING[roll(TELLING.length)] as number)))
    case 4: // Something is taken out.
      return cut(at, at + 1 + roll(4))
    case 5: // The end is missing.
      return bytes.slice(0, at)
    case 6: {
      // The end, or a piece of the middle, is another batch's.
      const other = others[roll(others.length)] as Uint8Array
      const from = roll(other.length)
      return roll(2) === 0
        ? cut(at, bytes.length, other.subarray(from))
        : cut(at, at + 8, other.subarray(from, from + 8))
    }
    case 7: // One value becomes another, if the place is lucky.
      return cut(at, at + 1, SNIPPETS[roll(SNIPPETS.length)] as Uint8Array)
    default: // Two pieces change places.
      return cut(at, at + 4, bytes.subarray(0, roll(bytes.length)).slice(-4))
  }
}

test('100,000 broken batches give a canonical batch or a BatchError, and nothing else', () => {
  const roll = dice(SEED)
  const seeds = corpus()
  const prototypes = [Object.prototype, Array.prototype, Uint8Array.prototype]
  const before = prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).sort())
  const refusals = new Map<ErrorCode, number>()
  let accepted = 0
  for (let i = 0; i < INPUTS; i++) {
    let bytes = seeds[roll(seeds.length)] as Uint8Array
    for (let changes = 1 + roll(3); changes > 0 && bytes.length > 0; changes--)
      bytes = mutate(bytes, seeds, roll)
    try {
      const batch = codec.decode(bytes)
      accepted++
      if (!equalBytes(codec.encode(batch), bytes)) {
        expect.fail(`Input ${i} was taken, but is not canonical: ${Buffer.from(bytes).toString('hex')}`)
      }
    } catch (error) {
      if (!(error instanceof BatchError)) {
        throw new Error(`Input ${i} gave no BatchError: ${Buffer.from(bytes).toString('hex')}`, {
          cause: error,
        })
      }
      refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1)
    }
  }
  expect(prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).sort())).toEqual(before)
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  // The inputs got past every door: a fuzzer that only ever meets the first one proves nothing.
  expect(accepted).toBeGreaterThan(1000)
  for (const code of [
    'BATCH_NOT_CBOR',
    'BATCH_NOT_CANONICAL',
    'BATCH_VERSION',
    'BATCH_SHAPE',
    'BATCH_RECORD',
  ] as const) {
    expect(refusals.get(code) ?? 0, code).toBeGreaterThan(100)
  }
})

test('what is taken is taken by every reader of the log: a second one reads the same', () => {
  const second = new BatchCodec({ group: GROUP, writer: { ...WRITER } })
  const roll = dice(SEED + 1)
  const seeds = corpus()
  let accepted = 0
  for (let i = 0; i < 5000; i++) {
    const bytes = mutate(seeds[roll(seeds.length)] as Uint8Array, seeds, roll)
    const [one, two] = [codec, second].map((reader) => {
      try {
        return reader.decode(bytes)
      } catch (error) {
        return (error as BatchError).code
      }
    })
    expect(two).toEqual(one)
    if (typeof one !== 'string') {
      accepted++
      expect(codec.decode(bytes, { trusted: true })).toEqual(one)
    }
  }
  expect(accepted).toBeGreaterThan(50)
})
