/**
 * Base 32 in Crockford's alphabet, lower case: it sorts as the bits do and has no look-alikes.
 *
 * Ids are 16 bytes: 7 of time, 9 of origin. As text they are 26 characters, 11 + 15, so that the two parts stay apart.
 */

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const PAIRS: readonly string[] = Array.from({ length: 1024 }, (_, n) => char(n >> 5) + char(n & 31))
const CODES: Uint8Array = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))
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
  const codes = idCodes
  writeLetters(codes, 0, 3, uintAt(bytes, offset, 2))
  writeLetters(codes, 3, 4, uintAt(bytes, offset + 2, 3) >>> 4)
  writeLetters(codes, 7, 4, uintAt(bytes, offset + 4, 3) & 0xfffff)
  writeLetters(codes, 11, 7, uintAt(bytes, offset + 7, 4))
  writeLetters(codes, 18, 4, uintAt(bytes, offset + 11, 3) >>> 4)
  writeLetters(codes, 22, 4, uintAt(bytes, offset + 13, 3) & 0xfffff)
  return String.fromCharCode.apply(null, codes)
}

/** For one call at a time. */
const idCodes: number[] = new Array(ID_LENGTH).fill(0)

/** Up to four bytes as one number, big end first. */
function uintAt(bytes: Uint8Array, from: number, count: number): number {
  let value = 0
  for (let i = from; i < from + count; i++) value = (value << 8) | (bytes[i] as number)
  return value >>> 0
}

function eightChars(bytes: Uint8Array, offset: number): string {
  const at = (i: number): number => bytes[offset + i] as number
  return (
    quad((at(0) << 12) | (at(1) << 4) | (at(2) >>> 4)) + quad(((at(2) & 15) << 16) | (at(3) << 8) | at(4))
  )
}

/** Whether a text is an id that `encodeId` writes. */
export function isIdText(text: string): boolean {
  if (text.length !== ID_LENGTH) return false
  for (let i = 0; i < ID_LENGTH; i++) if (digitAt(text, i) < 0) return false
  // Seven bytes that begin with less than 64 are 54 bits, in characters of 5; nine bytes are 72.
  return digitAt(text, 0) < 16 && digitAt(text, TIME_LENGTH) < 4
}

/** Whether an id begins with the text of this stamp. */
export function isIdOfStamp(id: string, stamp: number): boolean {
  let rest = stamp
  for (let i = TIME_LENGTH - 1; i >= 0; i--) {
    const above = Math.floor(rest / 32)
    if (digitAt(id, i) !== rest - above * 32) return false
    rest = above
  }
  return rest === 0
}

/** Writes ids that share their origin. */
export class IdWriter {
  readonly #codes: number[]

  constructor(origin: string) {
    this.#codes = Array.from('0'.repeat(TIME_LENGTH) + origin, (letter) => letter.charCodeAt(0))
  }

  /** `encodeStampText(value) + origin`, but as one flat string: of a sum, engines keep the parts beside the whole. */
  write(value: number): string {
    const codes = this.#codes
    const high = Math.floor(value / TWO_20)
    const low = value - high * TWO_20
    const top = Math.floor(high / TWO_20)
    writeLetters(codes, 0, 3, top)
    writeLetters(codes, 3, 4, high - top * TWO_20)
    writeLetters(codes, 7, 4, low)
    return String.fromCharCode.apply(null, codes)
  }
}

function writeLetters(codes: number[], from: number, count: number, value: number): void {
  let rest = value
  for (let i = from + count - 1; i >= from; i--) {
    codes[i] = CODES[rest & 31] as number
    rest >>>= 5
  }
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
