import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../../protocol/cbor.js'
import {
  isPayload,
  isWellFormed,
  MAX_PAYLOAD_BYTES,
  MAX_PAYLOAD_DEPTH,
  payloadFault,
} from '../../../protocol/index.js'
import { payloads } from '../arbitraries.js'

class Point {
  readonly x = 1
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 0
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}

describe('a payload', () => {
  test('is anything made of null, booleans, numbers, text, bytes, lists and maps', () => {
    fc.assert(
      fc.property(payloads, (value) => {
        expect(payloadFault(value)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  test('may have keys that mean something to JavaScript, but not __proto__', () => {
    expect(isPayload({ constructor: 1, prototype: 2, hasOwnProperty: 3, toString: null })).toBe(true)
    expect(payloadFault(JSON.parse('{"__proto__": {"admin": true}}'))).toBe('holds the key __proto__')
    expect(payloadFault([{ a: JSON.parse('{"__proto__": 1}') }])).toBe('holds the key __proto__')
  })

  test('may be an object without a prototype, a Buffer, and one thing in two places', () => {
    const shared = { a: 1 }
    expect(isPayload(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
    expect(isPayload(Buffer.from('abc'))).toBe(true)
    expect(isPayload([shared, shared])).toBe(true)
  })

  test.each([
    ['NaN', Number.NaN, 'holds a number that is not finite'],
    ['infinity', Number.POSITIVE_INFINITY, 'holds a number that is not finite'],
    ['negative infinity', Number.NEGATIVE_INFINITY, 'holds a number that is not finite'],
    ['negative zero', -0, 'holds negative zero, which would not survive encoding'],
    ['undefined', undefined, 'holds a undefined'],
    ['a function', () => 1, 'holds a function'],
    ['a symbol', Symbol('a'), 'holds a symbol'],
    ['a bigint', 1n, 'holds a bigint'],
    ['a Date', new Date(0), 'holds an object that is no plain data'],
    ['a Map', new Map(), 'holds an object that is no plain data'],
    ['a Set', new Set(), 'holds an object that is no plain data'],
    ['a RegExp', /a/, 'holds an object that is no plain data'],
    ['an Error', new Error('a'), 'holds an object that is no plain data'],
    ['a Promise', Promise.resolve(), 'holds an object that is no plain data'],
    ['an instance of a class', new Point(), 'holds an object that is no plain data'],
    [
      'an object that inherits from another',
      Object.create({ a: 1 }),
      'holds an object that is no plain data',
    ],
    ['a boxed text', new String('a'), 'holds an object that is no plain data'],
    ['an ArrayBuffer', new ArrayBuffer(1), 'holds an object that is no plain data'],
    ['other typed arrays', new Uint16Array(1), 'holds an object that is no plain data'],
    ['the first half of a surrogate pair', 'a\ud83d', 'holds text with half of a surrogate pair'],
    ['the second half of a surrogate pair', '\ude00a', 'holds text with half of a surrogate pair'],
    ['the halves the wrong way round', '\ude00\ud83d', 'holds text with half of a surrogate pair'],
  ])('is not %s, nor holds it anywhere', (_, value, fault) => {
    for (const place of [value, [value], [0, value], { a: value }, { a: [{ b: value }] }]) {
      expect(payloadFault(place)).toBe(fault)
      expect(isPayload(place)).toBe(false)
    }
  })

  test('has no hole in a list and no half of a surrogate pair in a key', () => {
    const holed: unknown[] = [1]
    holed[2] = 3
    expect(payloadFault(holed)).toBe('holds a undefined')
    expect(payloadFault({ '\ud800': 1 })).toBe('holds text with half of a surrogate pair')
  })
})

describe('the depth of a payload', () => {
  test.each([
    ['lists', (inner: unknown) => [inner]],
    ['maps', (inner: unknown) => ({ a: inner })],
  ])('of %s goes to the limit and no further', (_, wrap) => {
    expect(payloadFault(nested(MAX_PAYLOAD_DEPTH, wrap))).toBeUndefined()
    expect(payloadFault(nested(MAX_PAYLOAD_DEPTH + 1, wrap))).toBe('nests deeper than 32 levels')
    expect(payloadFault(nested(200_000, wrap))).toBe('nests deeper than 32 levels')
  })

  test('has no end in cyclic data: it is refused, and the stack holds', () => {
    const list: unknown[] = []
    list.push(list)
    const map: Record<string, unknown> = { a: 1 }
    map['self'] = { back: map }
    const wide: unknown[] = []
    for (let i = 0; i < 50; i++) wide.push(wide)
    for (const cyclic of [list, map, wide]) expect(payloadFault(cyclic)).toMatch(/nests deeper|far over/)
  })

  test('does not make data that doubles at each level take for ever', () => {
    const doubled = nested(MAX_PAYLOAD_DEPTH, (inner) => [inner, inner])
    expect(payloadFault(doubled)).toMatch(/far over/)
  })
})

describe('the size of a payload', () => {
  const atLimit: readonly [string, (length: number) => unknown][] = [
    ['text', (length) => 'a'.repeat(length)],
    ['bytes', (length) => new Uint8Array(length)],
    ['a list of small numbers', (length) => new Array(length).fill(1)],
    [
      'text of three-byte letters',
      (length) => `${'€'.repeat(Math.floor(length / 3))}${'a'.repeat(length % 3)}`,
    ],
  ]

  test.each(atLimit)(
    'of %s is what it encodes to: exactly the limit passes, one byte more does not',
    (_, make) => {
      // Text, bytes and a list of this length need three bytes for their length.
      const largest = make(MAX_PAYLOAD_BYTES - 3)
      expect(encodeCbor(largest)).toHaveLength(MAX_PAYLOAD_BYTES)
      expect(payloadFault(largest)).toBeUndefined()
      expect(payloadFault(make(MAX_PAYLOAD_BYTES - 2))).toMatch(/^is over 65536 bytes/)
      expect(payloadFault(make(20 * MAX_PAYLOAD_BYTES))).toMatch(/over 65536 bytes/)
    },
  )

  test('counts the keys of maps: a map of many short keys is over the limit when its encoding is', () => {
    const map: Record<string, number> = {}
    let bytes = 3
    for (let i = 0; bytes + 13 <= MAX_PAYLOAD_BYTES; i++, bytes += 13)
      map[String.fromCharCode(0x4e00 + i)] = 0.1
    expect(encodeCbor(map)).toHaveLength(bytes)
    expect(payloadFault(map)).toBeUndefined()
    map['a'] = 0.1
    expect(encodeCbor(map).length).toBeGreaterThan(MAX_PAYLOAD_BYTES)
    expect(payloadFault(map)).toMatch(/^is over 65536 bytes/)
  })

  test('is judged by the encoding, whatever the payload is made of', () => {
    // Many copies of one small payload, so that the sum falls on either side of the limit.
    fc.assert(
      fc.property(payloads, fc.integer({ min: -2, max: 2 }), (value, more) => {
        const each = encodeCbor(value).length
        const list = new Array(Math.max(0, Math.floor(MAX_PAYLOAD_BYTES / each) + more)).fill(value)
        const tooLarge = encodeCbor(list).length > MAX_PAYLOAD_BYTES
        expect(payloadFault(list) !== undefined).toBe(tooLarge)
      }),
      { numRuns: 60 },
    )
  })
})

test('text is well-formed if it survives UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', 'é') }), (text) => {
      expect(isWellFormed(text)).toBe(Buffer.from(text).toString() === text)
    }),
    { numRuns: 1000 },
  )
})
