/**
 * Base 32 in Crockford's alphabet, lower case: it sorts as the bits do and has no look-alikes.
 *
 * Ids are 16 bytes: 7 of time, 9 of origin. As text they are 26 characters, 11 + 15, so that the two parts stay apart.
 */

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const PAIRS: readonly string[] = Array.from({ length: 1024 }, (_, n) => char(n >> 5) + char(n & 31))
const VALUES: Int8Array = new Int8Array(128).fill(-1)
for (let n = 0; n < 32; n++) VALUES[ALPHABET.charCodeAt(n)] = n

const TWO_20 = 2 ** 20
const TWO_40 = 2 ** 40

/** Bytes of an id, and of the time part in it. */
export const ID_BYTES = 16
export const TIME_BYTES = 7
/** Characters of an id, and of the time part in it. */
export const ID_LENGTH = 26
export const TIME_LENGTH = 11

function char(value: number): string {
  return ALPHABET[value] as string
}

function pair(value: number): string {
  return PAIRS[value] as string
}

function quad(value20: number): string {
  return pair(value20 >>> 10) + pair(value20 & 1023)
}

/** Up to 54 bits as 11 characters. */
export function encodeStampText(value: number): string {
  const high = Math.floor(value / TWO_40)
  const low = value - high * TWO_40
  const middle = Math.floor(low / TWO_20)
  return char(high >>> 10) + pair(high & 1023) + quad(middle) + quad(low - middle * TWO_20)
}

/** The number in 11 characters, or undefined if they are none or stand for more than a double holds. */
export function decodeStampText(text: string): number | undefined {
  if (text.length !== TIME_LENGTH) return undefined
  let value = 0
  for (let i = 0; i < TIME_LENGTH; i++) {
    const digit = digitAt(text, i)
    if (digit < 0) return undefined
    value = value * 32 + digit
  }
  return Number.isSafeInteger(value) ? value : undefined
}

/** Nine bytes as 15 characters. */
export function encodeOrigin(bytes: Uint8Array, offset = 0): string {
  const at = (i: number): number => bytes[offset + i] as number
  const first = ((at(0) << 24) | (at(1) << 16) | (at(2) << 8) | at(3)) >>> 0
  const head = char(first >>> 30) + pair((first >>> 20) & 1023) + quad(first & 0xfffff)
  return head + eightChars(bytes, offset + 4)
}

/** 16 bytes as 26 characters. The first byte must be under 64. */
export function encodeId(bytes: Uint8Array, offset = 0): string {
  const first = ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number)
  return (
    char(first >>> 10) +
    pair(first & 1023) +
    eightChars(bytes, offset + 2) +
    encodeOrigin(bytes, offset + TIME_BYTES)
  )
}

function eightChars(bytes: Uint8Array, offset: number): string {
  const at = (i: number): number => bytes[offset + i] as number
  return (
    quad((at(0) << 12) | (at(1) << 4) | (at(2) >>> 4)) + quad(((at(2) & 15) << 16) | (at(3) << 8) | at(4))
  )
}

/** The 16 bytes of a 26-character id, or undefined if it is none that `encodeId` writes. */
export function decodeId(text: string): Uint8Array | undefined {
  if (text.length !== ID_LENGTH) return undefined
  const bytes = new Uint8Array(ID_BYTES)
  const fits =
    decodeGroup(text, 0, 3, bytes, 0, 2) &&
    decodeGroup(text, 3, 8, bytes, 2, 5) &&
    decodeGroup(text, 11, 7, bytes, 7, 4) &&
    decodeGroup(text, 18, 8, bytes, 11, 5)
  return fits && (bytes[0] as number) < 64 ? bytes : undefined
}

/** Characters to bytes, big end first; false for a bad character or a value too large for the bytes. */
function decodeGroup(
  text: string,
  from: number,
  chars: number,
  bytes: Uint8Array,
  to: number,
  count: number,
): boolean {
  let value = 0
  for (let i = from; i < from + chars; i++) {
    const digit = digitAt(text, i)
    if (digit < 0) return false
    value = value * 32 + digit
  }
  for (let i = to + count - 1; i >= to; i--) {
    bytes[i] = value % 256
    value = Math.floor(value / 256)
  }
  return value === 0
}

function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 128 ? (VALUES[code] as number) : -1
}
