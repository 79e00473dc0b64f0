/**
 * Writes canonical CBOR straight into one buffer. What is rare or awkward (text beyond ASCII, numbers that are not
 * finite, objects that are no plain data) is left to cborg: a test holds the two to the same bytes.
 */
import { type EncodeOptions, encode } from 'cborg'

/** Numbers with a fraction are doubles: libraries differ on which of them have a shorter form. */
export const ENCODE: EncodeOptions = { float64: true }

const UNSIGNED = 0x00
const NEGATIVE = 0x20
const BYTES = 0x40
const TEXT = 0x60
const LIST = 0x80
const MAP = 0xa0
const FALSE = 0xf4
const TRUE = 0xf5
const NULL = 0xf6
const DOUBLE = 0xfb

/** Deeper than any record. cborg finds out whether what nests deeper goes in a circle. */
const MAX_DEPTH = 64

const FIRST_BYTES = 16 * 1024
/** A larger buffer is not kept for the next call. */
const MAX_KEPT_BYTES: number = 2 * 1024 * 1024
const TWO_32 = 2 ** 32

class CborWriter {
  #bytes: Uint8Array
  #view: DataView
  #length = 0

  constructor(buffer: ArrayBuffer) {
    this.#bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  get buffer(): ArrayBuffer {
    return this.#bytes.buffer as ArrayBuffer
  }

  /** A copy of what was written, in memory of its own. */
  get written(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  value(value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        this.#text(value)
        break
      case 'number':
        this.#number(value)
        break
      case 'boolean':
        this.#byte(value ? TRUE : FALSE)
        break
      case 'object':
        if (value === null) this.#byte(NULL)
        else this.#object(value, depth)
        break
      default:
        this.#other(value)
    }
  }

  #object(value: object, depth: number): void {
    if (depth > MAX_DEPTH) this.#other(value)
    else if (Array.isArray(value)) this.#list(value, depth)
    else if (value instanceof Uint8Array) {
      this.#head(BYTES, value.length)
      this.#append(value)
    } else this.#map(value as Readonly<Record<string, unknown>>, depth)
  }

  #list(list: readonly unknown[], depth: number): void {
    this.#head(LIST, list.length)
    for (let i = 0; i < list.length; i++) this.value(list[i], depth + 1)
  }

  #map(map: Readonly<Record<string, unknown>>, depth: number): void {
    const prototype: unknown = Object.getPrototypeOf(map)
    const keys = Object.keys(map)
    // Keys go by the length and the bytes of their UTF-8, which for ASCII are those of the text.
    if ((prototype !== Object.prototype && prototype !== null) || !keys.every(isAscii)) {
      this.#other(map)
      return
    }
    if (keys.length > 1) keys.sort(compareKeys)
    this.#head(MAP, keys.length)
    for (const key of keys) {
      this.#text(key)
      this.value(map[key], depth + 1)
    }
  }

  #text(text: string): void {
    const { length } = text
    const start = this.#length
    this.#head(TEXT, length)
    this.#reserve(length)
    const bytes = this.#bytes
    const at = this.#length
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) {
        this.#length = start
        this.#other(text)
        return
      }
      bytes[at + i] = code
    }
    this.#length = at + length
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) {
      if (value >= 0) this.#head(UNSIGNED, value)
      else this.#head(NEGATIVE, -1 - value)
    } else if (Number.isFinite(value)) {
      this.#byte(DOUBLE)
      this.#reserve(8)
      this.#view.setFloat64(this.#length, value)
      this.#length += 8
    } else this.#other(value)
  }

  /** The first byte of an item and, in as few bytes as it needs, its number. */
  #head(major: number, value: number): void {
    this.#reserve(9)
    if (value < 24) {
      this.#bytes[this.#length++] = major | value
    } else if (value < 0x100) {
      this.#bytes[this.#length++] = major | 24
      this.#bytes[this.#length++] = value
    } else if (value < 0x10000) {
      this.#bytes[this.#length++] = major | 25
      this.#view.setUint16(this.#length, value)
      this.#length += 2
    } else if (value < TWO_32) {
      this.#bytes[this.#length++] = major | 26
      this.#view.setUint32(this.#length, value)
      this.#length += 4
    } else {
      this.#bytes[this.#length++] = major | 27
      this.#view.setUint32(this.#length, Math.floor(value / TWO_32))
      this.#view.setUint32(this.#length + 4, value % TWO_32)
      this.#length += 8
    }
  }

  #other(value: unknown): void {
    this.#append(encode(value, ENCODE))
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}

// Taken while in use: a getter in what is encoded may encode something itself.
let spare: ArrayBuffer | null = null

/** The canonical encoding: shortest integers and lengths, keys by length and then by bytes, definite lengths, no tags. */
export function encodeCbor(value: unknown): Uint8Array {
  const writer = new CborWriter(spare ?? new ArrayBuffer(FIRST_BYTES))
  spare = null
  writer.value(value, 0)
  spare = writer.buffer.byteLength <= MAX_KEPT_BYTES ? writer.buffer : null
  return writer.written
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

function compareKeys(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
