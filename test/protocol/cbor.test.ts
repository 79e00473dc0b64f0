import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareBytes, DepthError, decodeCbor, encodeCbor, equalBytes } from '../../protocol/cbor.js'
import { payloads } from './arbitraries.js'

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))

describe('encoding', () => {
  test('survives decoding', () => {
    fc.assert(
      fc.property(payloads, (value) => {
        expect(decodeCbor(encodeCbor(value), 10)).toEqual(value)
      }),
      { numRuns: 2000 },
    )
  })

  test('does not depend on the order in which keys were added', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer(), { maxKeys: 8 }), (map) => {
        const turned = Object.fromEntries(Object.entries(map).reverse())
        expect(encodeCbor(turned)).toEqual(encodeCbor(map))
      }),
      { numRuns: 1000 },
    )
  })

  test('gives plain bytes in memory of their own, at any length', () => {
    for (let length = 0; length < 600; length++) {
      const bytes = encodeCbor([new Uint8Array(length)])
      expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype)
      expect(bytes.buffer.byteLength).toBe(bytes.length)
    }
  })

  test.each([
    ['short integers in one byte', 23, '17'],
    ['integers in as few bytes as they need', 24, '18 18'],
    ['negative integers', -25, '38 18'],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER, '1b 001fffffffffffff'],
    ['integers over that as doubles', 2 ** 53, 'fb 4340000000000000'],
    ['what would fit a half as a double', 1.5, 'fb 3ff8000000000000'],
    ['what would fit four bytes as a double', 100000.5, 'fb 40f86a0800000000'],
    ['fractions as doubles', 0.1, 'fb 3fb999999999999a'],
    ['keys by length, then by bytes', { b: 1, aa: 2, a: 3 }, 'a3 6161 03 6162 01 626161 02'],
    ['a byte order mark as it is', '\ufeff', '63 efbbbf'],
    ['nothing', null, 'f6'],
  ])('writes %s', (_, value, bytes) => {
    expect(encodeCbor(value)).toEqual(hex(bytes))
  })
})

describe('decoding', () => {
  test.each([
    ['a non-minimal integer of one byte', '18 17'],
    ['a non-minimal integer of two bytes', '19 0017'],
    ['a non-minimal integer of four bytes', '1a 00000017'],
    ['a non-minimal integer of eight bytes', '1b 0000000000000017'],
    ['a non-minimal negative integer', '38 00'],
    ['a non-minimal length of bytes', '58 01 00'],
    ['a non-minimal length of text', '78 01 61'],
    ['a non-minimal length of an array', '98 01 00'],
    ['a non-minimal length of a map', 'b8 01 6161 00'],
    ['an array of indefinite length', '9f 00 ff'],
    ['a map of indefinite length', 'bf 6161 00 ff'],
    ['bytes of indefinite length', '5f 4100 ff'],
    ['text of indefinite length', '7f 6161 ff'],
    ['a break that ends nothing', 'ff'],
    ['undefined', 'f7'],
    ['NaN', 'f9 7e00'],
    ['NaN with another payload', 'f9 7e01'],
    ['NaN of eight bytes', 'fb 7ff8000000000000'],
    ['infinity', 'f9 7c00'],
    ['negative infinity', 'f9 fc00'],
    ['an integer over the safe ones', '1b 0020000000000000'],
    ['a negative integer under the safe ones', '3b 001fffffffffffff'],
    ['a tag', 'c0 6161'],
    ['a bignum', 'c2 41ff'],
    ['a simple value', 'e0'],
    ['a reserved length', '1c'],
    ['a key twice', 'a2 6161 00 6161 01'],
    ['the key __proto__ twice', 'a2 695f5f70726f746f5f5f 00 695f5f70726f746f5f5f 01'],
    ['a key that is no text', 'a1 00 00'],
    ['an array cut short', '82 00'],
    ['a map cut short', 'a1 6161'],
    ['bytes cut short', '42 00'],
    ['an integer cut short', '19 00'],
    ['a float cut short', 'fb 00'],
    ['an array that claims four billion items', '9a ffffffff 00'],
    ['nothing at all', ''],
    ['more than one item', '00 00'],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeCbor(hex(bytes), 8)).toThrow(/CBOR decode error/)
  })

  test('keeps a byte order mark wherever text has one, at any length of the text', () => {
    for (const length of [0, 1, 5, 20, 21, 31, 40, 252, 253, 300, 70_000]) {
      const value = { [`\ufeff${'k'.repeat(length)}`]: `\ufeff\ufeff${'v'.repeat(length)}\ufeff` }
      expect(decodeCbor(encodeCbor(value), 2)).toEqual(value)
    }
  })

  test('tells apart two keys that differ only by a byte order mark', () => {
    const value = { a: 1, '\ufeffa': 2 }
    expect(decodeCbor(encodeCbor(value), 2)).toEqual(value)
  })

  test('gives bytes that share no memory with what they came from', () => {
    for (const bytes of [
      encodeCbor([new Uint8Array(64).fill(7)]),
      Buffer.from(encodeCbor([new Uint8Array(64).fill(7)])),
    ]) {
      const [decoded] = decodeCbor(bytes, 2) as [Uint8Array]
      bytes.fill(0)
      expect(decoded).toEqual(new Uint8Array(64).fill(7))
      expect(Object.getPrototypeOf(decoded)).toBe(Uint8Array.prototype)
    }
  })

  test('reads a view into a larger buffer, and nothing around it', () => {
    const around = Uint8Array.of(0xff, 0x82, 0x01, 0x63, 0xef, 0xbb, 0xbf, 0xff)
    expect(decodeCbor(around.subarray(1, 7), 2)).toEqual([1, '\ufeff'])
  })

  test('a key __proto__ is a key like any other', () => {
    const decoded = decodeCbor(hex('a1 695f5f70726f746f5f5f a1 6161 01'), 3) as object
    expect(Object.keys(decoded)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
    expect('a' in decoded).toBe(false)
  })
})

describe('the depth limit', () => {
  const nested = (levels: number, inner: unknown = 0): unknown => {
    let value = inner
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
    return value
  }

  test.each([1, 2, 8, 36])('%i levels pass where %i are allowed, one more does not', (max) => {
    expect(decodeCbor(encodeCbor(nested(max)), max)).toEqual(nested(max))
    expect(() => decodeCbor(encodeCbor(nested(max + 1)), max)).toThrow(DepthError)
  })

  test('counts what is open, not what was opened: siblings do not add up', () => {
    const value = Array.from({ length: 100 }, () => [[], {}, [[1], { a: [] }]])
    expect(decodeCbor(encodeCbor(value), 5)).toEqual(value)
    expect(() => decodeCbor(encodeCbor(value), 4)).toThrow(DepthError)
  })

  test('an empty array or map is a level too', () => {
    expect(() => decodeCbor(hex('81 81 80'), 2)).toThrow(DepthError)
    expect(() => decodeCbor(hex('81 81 a0'), 2)).toThrow(DepthError)
    expect(decodeCbor(hex('81 81 00'), 2)).toEqual([[0]])
  })

  test.each([
    ['arrays', '81'],
    ['maps', 'a16161'],
    ['long arrays', '9a00010000'],
  ])('a megabyte of nothing but %s ends at the limit, not at the end of the stack', (_, unit) => {
    const bytes = hex(unit.repeat(2 ** 20 / (unit.length / 2)))
    expect(() => decodeCbor(bytes, 36)).toThrow(DepthError)
  })

  test('a megabyte of tags is refused at the first', () => {
    expect(() => decodeCbor(new Uint8Array(2 ** 20).fill(0xc1), 36)).toThrow(/tag not supported/)
  })
})

describe('bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 4, max: 3 })

  test('compare as a total order: by content, then the shorter, and equal only to themselves', () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, (a, b, c) => {
        expect(Math.sign(compareBytes(a, b)) + Math.sign(compareBytes(b, a))).toBe(0)
        expect(compareBytes(a, b) === 0).toBe(equalBytes(a, b))
        if (compareBytes(a, b) <= 0 && compareBytes(b, c) <= 0)
          expect(compareBytes(a, c)).toBeLessThanOrEqual(0)
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b))
      }),
      { numRuns: 1000 },
    )
  })
})
