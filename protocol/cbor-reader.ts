/**
 * Reads CBOR strictly: shortest forms, definite lengths, text keys, none of them twice, nothing left over. What is rare
 * (text beyond ASCII, long text, short floats) is left to cborg: a test holds the two to the same answers.
 */
import { DepthError, decodeCarefully } from './cbor-careful.js'

const NEGATIVE = 1
const BYTES = 2
const TEXT = 3
const LIST = 4
const MAP = 5
const TAG = 6
const FALSE = 0xf4
const TRUE = 0xf5
const NULL = 0xf6
const HALF = 0xf9
const SINGLE = 0xfa
const DOUBLE = 0xfb

const TWO_32 = 2 ** 32
/** Bytes of the numbers that follow a first byte whose low bits are 24 to 27. */
const NUMBER_BYTES = [1, 2, 4, 8] as const
/** The least number that needs so many bytes. */
const LEAST = [24, 0x100, 0x10000, TWO_32] as const

/** Longer text is rare, and cborg reads it faster. */
const MAX_SHORT_TEXT = 64

// Names, types and keys come again and again. Whoever keeps what was read then keeps them once.
const KNOWN_TEXTS = 1024
const knownTexts: string[] = new Array(KNOWN_TEXTS).fill('')

/** Decodes strictly. Throws `DepthError` past `maxDepth`, and an Error for anything that is no plain data. */
export function decodeCbor(bytes: Uint8Array, maxDepth: number): unknown {
  return new CborReader(bytes, maxDepth).whole()
}

class CborReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #maxDepth: number
  #at = 0

  constructor(bytes: Uint8Array, maxDepth: number) {
    // A Buffer's slices share its memory, and what was decoded must not change with what it was decoded from.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#maxDepth = maxDepth
  }

  whole(): unknown {
    const value = this.#value(0)
    if (this.#at !== this.#bytes.length) throw wrong('there is more than one item')
    return value
  }

  #value(depth: number): unknown {
    const start = this.#at
    const first = this.#bytes[this.#at++]
    if (first === undefined) throw wrong('it ends too early')
    const major = first >> 5
    if (major > MAP) return this.#simple(first, start)
    const number = this.#number(first & 31)
    switch (major) {
      case NEGATIVE:
        if (number === Number.MAX_SAFE_INTEGER) throw wrong('an integer is beyond the safe ones')
        return -1 - number
      case BYTES:
        return this.#bytes.slice(this.#skip(number), this.#at)
      case TEXT:
        return this.#text(start, this.#skip(number))
      case LIST:
        return this.#list(number, this.#inner(depth))
      case MAP:
        return this.#map(number, this.#inner(depth))
      default:
        return number
    }
  }

  /** The number that the low bits of a first byte stand for or announce, in its shortest form. */
  #number(low: number): number {
    if (low < 24) return low
    const size = NUMBER_BYTES[low - 24]
    if (size === undefined) throw wrong('a length is indefinite or reserved')
    const at = this.#skip(size)
    const number =
      size === 1
        ? (this.#bytes[at] as number)
        : size === 2
          ? this.#view.getUint16(at)
          : size === 4
            ? this.#view.getUint32(at)
            : this.#view.getUint32(at) * TWO_32 + this.#view.getUint32(at + 4)
    if (number < (LEAST[low - 24] as number)) throw wrong('a number has a shorter form')
    if (number > Number.MAX_SAFE_INTEGER) throw wrong('an integer is beyond the safe ones')
    return number
  }

  /** Goes on by so many bytes. Returns where it was. */
  #skip(count: number): number {
    const at = this.#at
    if (count > this.#bytes.length - at) throw wrong('it ends too early')
    this.#at = at + count
    return at
  }

  #inner(depth: number): number {
    if (depth >= this.#maxDepth) throw new DepthError(`nests deeper than ${this.#maxDepth} levels`)
    return depth + 1
  }

  #list(count: number, depth: number): unknown[] {
    const list: unknown[] = []
    for (let i = 0; i < count; i++) list.push(this.#value(depth))
    return list
  }

  #map(count: number, depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    for (let i = 0; i < count; i++) {
      const key = this.#value(depth)
      if (typeof key !== 'string') throw wrong('a key is no text')
      if (Object.hasOwn(map, key)) throw wrong('a key is there twice')
      const value = this.#value(depth)
      if (key !== '__proto__') map[key] = value
      else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true })
    }
    return map
  }

  #text(start: number, from: number): string {
    const length = this.#at - from
    if (length > MAX_SHORT_TEXT) return this.#other(start) as string
    const bytes = this.#bytes
    let hash = length
    for (let i = from; i < this.#at; i++) {
      const code = bytes[i] as number
      if (code > 0x7f) return this.#other(start) as string
      hash = (hash * 31 + code) | 0
    }
    const place = hash & (KNOWN_TEXTS - 1)
    const known = knownTexts[place] as string
    if (known.length === length && this.#isAt(from, known)) return known
    const text = String.fromCharCode.apply(null, bytes.subarray(from, this.#at) as unknown as number[])
    knownTexts[place] = text
    return text
  }

  #isAt(from: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== this.#bytes[from + i]) return false
    return true
  }

  #simple(first: number, start: number): unknown {
    switch (first) {
      case FALSE:
        return false
      case TRUE:
        return true
      case NULL:
        return null
      case HALF:
        this.#skip(2)
        return this.#other(start)
      case SINGLE:
        this.#skip(4)
        return this.#other(start)
      case DOUBLE: {
        const number = this.#view.getFloat64(this.#skip(8))
        if (!Number.isFinite(number)) throw wrong('a number is not finite')
        return number
      }
      default:
        throw wrong(first >> 5 === TAG ? 'tag not supported' : 'a simple value is none of JSON’s')
    }
  }

  /** The item that was just gone over, as cborg reads it. */
  #other(start: number): unknown {
    return decodeCarefully(this.#bytes.subarray(start, this.#at), 0)
  }
}

function wrong(what: string): Error {
  return new Error(`CBOR decode error: ${what}`)
}
