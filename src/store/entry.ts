/**
 * Sealed values: every value in the store begins with a checksum over its key and itself, so that a value that was
 * changed, or that stands under another's key, is noticed. LevelDB has checksums too, and does not look at them.
 */
import { CHECKSUM_BYTES } from './constants.js'

// Grows with the largest value, so that hashing copies but never allocates.
const FIRST_SCRATCH_BYTES = 64 * 1024

export class Sealer {
  readonly #sha256: (bytes: Uint8Array) => Uint8Array
  #scratch: Uint8Array = new Uint8Array(FIRST_SCRATCH_BYTES)

  constructor(sha256: (bytes: Uint8Array) => Uint8Array) {
    this.#sha256 = sha256
  }

  seal(key: Uint8Array, body: Uint8Array): Uint8Array {
    const value = new Uint8Array(CHECKSUM_BYTES + body.length)
    value.set(this.#hash(key, body).subarray(0, CHECKSUM_BYTES))
    value.set(body, CHECKSUM_BYTES)
    return value
  }

  /** What was sealed, without copying it, or `null` if the checksum does not match. */
  unseal(key: Uint8Array, value: Uint8Array): Uint8Array | null {
    if (value.length < CHECKSUM_BYTES) return null
    const body = new Uint8Array(
      value.buffer,
      value.byteOffset + CHECKSUM_BYTES,
      value.length - CHECKSUM_BYTES,
    )
    const hash = this.#hash(key, body)
    for (let i = 0; i < CHECKSUM_BYTES; i++) if (hash[i] !== value[i]) return null
    return body
  }

  #hash(key: Uint8Array, body: Uint8Array): Uint8Array {
    const length = key.length + body.length
    if (this.#scratch.length < length) this.#scratch = new Uint8Array(2 * length)
    this.#scratch.set(key)
    this.#scratch.set(body, key.length)
    return this.#sha256(this.#scratch.subarray(0, length))
  }
}
