/** Reads LevelDB's numbers one after another. Running over the end, or into nonsense, throws a RangeError. */
export class Cursor {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** A varint. Numbers beyond 2^53 lose their last bits: none that are looked at are so large. */
  number(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new RangeError('A number does not end.')
  }

  take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('Bytes are missing.')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** Bytes with their length before them. */
  bytes(): Uint8Array {
    return this.take(this.number())
  }
}
