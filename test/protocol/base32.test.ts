import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ALPHABET,
  decodeId,
  decodeStampText,
  encodeId,
  encodeOrigin,
  encodeStampText,
  IdWriter,
  isIdOfStamp,
  isIdText,
} from '../../protocol/base32.js'
import { compareBytes } from '../../protocol/cbor.js'

const CASES = { numRuns: 2000 }
const idBytes = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => bytes.map((byte, i) => (i === 0 ? byte & 63 : byte)))

/** The plain way: all bits as one number, five at a time. */
function slowly(bytes: Uint8Array, length: number): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(value % 32n)] + text
    value /= 32n
  }
  return text
}

describe('the alphabet', () => {
  test('has 32 letters in the order of their bytes, without look-alikes', () => {
    expect(ALPHABET).toHaveLength(32)
    expect([...ALPHABET].sort().join('')).toBe(ALPHABET)
    expect(ALPHABET).not.toMatch(/[ilouA-Z]/)
  })
})

describe('ids as text', () => {
  test('are the bits of the time part and of the origin, five to a letter', () => {
    fc.assert(
      fc.property(idBytes, (bytes) => {
        expect(encodeId(bytes)).toBe(slowly(bytes.subarray(0, 7), 11) + slowly(bytes.subarray(7), 15))
        expect(encodeOrigin(bytes.subarray(7))).toBe(encodeId(bytes).slice(11))
      }),
      CASES,
    )
  })

  test('survive the way to bytes and back', () => {
    fc.assert(
      fc.property(idBytes, (bytes) => {
        expect(decodeId(encodeId(bytes))).toEqual(bytes)
      }),
      CASES,
    )
  })

  test('sort as their bytes do', () => {
    fc.assert(
      fc.property(idBytes, idBytes, (a, b) => {
        expect(encodeId(a) < encodeId(b)).toBe(compareBytes(a, b) < 0)
      }),
      CASES,
    )
  })

  test('are read at an offset as well', () => {
    const bytes = Uint8Array.from({ length: 20 }, (_, i) => i)
    expect(encodeId(bytes, 3)).toBe(encodeId(bytes.slice(3, 19)))
    expect(encodeOrigin(bytes, 5)).toBe(encodeOrigin(bytes.slice(5, 14)))
  })

  const zero = '0'.repeat(26)
  test.each([
    ['too short', zero.slice(1)],
    ['too long', `${zero}0`],
    ['of a letter outside the alphabet', `${zero.slice(1)}l`],
    ['in upper case', `${zero.slice(1)}A`],
    ['of a letter beyond ASCII', `${zero.slice(1)}é`],
    ['of a letter whose low byte is in the alphabet', `${zero.slice(1)}\u0161`],
    ['over 54 bits in its time', `g${zero.slice(1)}`],
    ['over 32 bits in the first seven of its origin', `${'0'.repeat(11)}4${'0'.repeat(14)}`],
  ])('a text that is %s is none', (_, text) => {
    expect(decodeId(zero)).toBeDefined()
    expect(decodeId(text)).toBeUndefined()
    expect([isIdText(zero), isIdText(text)]).toEqual([true, false])
  })

  test('no two texts are the same id: what decodes is what encoding gives', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 26, maxLength: 26 })
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = decodeId(text)
        const fits = text < 'g' && (text[11] as string) < '4'
        expect(bytes !== undefined).toBe(fits)
        expect(isIdText(text)).toBe(fits)
        if (bytes !== undefined) expect(encodeId(bytes)).toBe(text)
      }),
      CASES,
    )
  })
})

describe('ids of one origin', () => {
  const origin = 'abcdefghjkmnpqr'
  const writer = new IdWriter(origin)

  test('are the text of a stamp, and the origin', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (stamp) => {
        expect(writer.write(stamp)).toBe(encodeStampText(stamp) + origin)
      }),
      CASES,
    )
  })

  test('begin with the text of their stamp, and of no other', () => {
    const near = fc.tuple(fc.maxSafeNat(), fc.integer({ min: -40, max: 40 }))
    fc.assert(
      fc.property(near, ([stamp, off]) => {
        const other = Math.max(0, stamp + off)
        expect(isIdOfStamp(writer.write(stamp), other)).toBe(other === stamp)
        expect(isIdOfStamp(`${encodeStampText(stamp).slice(1)}0${origin}`, stamp)).toBe(stamp === 0)
      }),
      CASES,
    )
  })
})

describe('stamps as text', () => {
  test('survive the way there and back, and sort as numbers do', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
        expect(decodeStampText(encodeStampText(a))).toBe(a)
        expect(encodeStampText(a) < encodeStampText(b)).toBe(a < b)
      }),
      CASES,
    )
  })

  test('are the first part of an id with these bits', () => {
    fc.assert(
      fc.property(idBytes, (bytes) => {
        const value = bytes.subarray(0, 7).reduce((sum, byte) => sum * 256 + byte, 0)
        fc.pre(Number.isSafeInteger(value))
        expect(encodeStampText(value)).toBe(encodeId(bytes).slice(0, 11))
      }),
      CASES,
    )
  })

  test('a text that stands for more than a number holds is none', () => {
    expect(decodeStampText('7zzzzzzzzzz')).toBe(Number.MAX_SAFE_INTEGER)
    expect(decodeStampText('80000000000')).toBeUndefined()
    expect(decodeStampText('zzzzzzzzzzz')).toBeUndefined()
  })

  test.each(['', '0', '000000000000', '0000000000i', '0000000000\u0161'])('“%s” is none', (text) => {
    expect(decodeStampText(text)).toBeUndefined()
  })
})
