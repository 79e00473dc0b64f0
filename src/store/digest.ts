/**
 * One number for a whole set of sealed values: their checksums, combined by exclusive or. Adding and removing are the
 * same, and the order does not matter, so it is kept up with every write at no cost. A set that lost, gained or changed
 * any value has another digest.
 */
import { CHECKSUM_BYTES } from './constants.js'

export class Digest {
  high: number
  low: number

  constructor(high = 0, low = 0) {
    this.high = high
    this.low = low
  }

  /** Puts a sealed value into the set, or takes it out. */
  toggle(sealed: Uint8Array): void {
    if (sealed.length < CHECKSUM_BYTES) return
    const [a, b, c, d, e, f, g, h] = sealed as unknown as Eight
    this.high = (this.high ^ ((a << 24) | (b << 16) | (c << 8) | d)) >>> 0
    this.low = (this.low ^ ((e << 24) | (f << 16) | (g << 8) | h)) >>> 0
  }

  copy(): Digest {
    return new Digest(this.high, this.low)
  }

  equals(other: Digest): boolean {
    return this.high === other.high && this.low === other.low
  }
}

type Eight = readonly [number, number, number, number, number, number, number, number]
