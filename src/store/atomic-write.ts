/** One write in the making: all its operations, and what the state record will say once they are done. */
import { CHECKSUM_BYTES, FORMAT_VERSION } from './constants.js'
import type { Operation } from './database.js'
import type { Digest } from './digest.js'
import type { Sealer } from './entry.js'
import { STATE_KEY } from './keys.js'
import { encodeState, type StoreState } from './state.js'
import type { StoredBatch } from './store.js'

export class AtomicWrite {
  /** Entries that it appends. Known, so that a failed write which reached the disk after all can be undone. */
  entries: readonly StoredBatch[] = []
  readonly #sealer: Sealer
  readonly #operations: Operation[] = []
  readonly #digest: Digest
  readonly #writes: number
  #keys: number

  constructor(state: StoreState, sealer: Sealer) {
    this.#sealer = sealer
    this.#digest = state.digest.copy()
    this.#writes = state.writes + 1
    this.#keys = state.keys
  }

  /** How many writes there will have been with this one. */
  get writes(): number {
    return this.#writes
  }

  /** Puts a value under a key. Names the checksum that stands there, if one does. Answers with the new one. */
  put(key: Uint8Array, body: Uint8Array, replaced?: Uint8Array): Uint8Array {
    const value = this.#sealer.seal(key, body)
    if (replaced === undefined) this.#keys++
    else this.#digest.toggle(replaced)
    this.#digest.toggle(value)
    this.#operations.push({ type: 'put', key, value })
    return value.slice(0, CHECKSUM_BYTES)
  }

  /** Deletes a key whose value has this checksum. */
  delete(key: Uint8Array, checksum: Uint8Array): void {
    this.#keys--
    this.#digest.toggle(checksum)
    this.#operations.push({ type: 'del', key })
  }

  /** Deletes a key that the state it began from does not count. */
  discard(key: Uint8Array): void {
    this.#operations.push({ type: 'del', key })
  }

  get state(): StoreState {
    return { format: FORMAT_VERSION, writes: this.#writes, keys: this.#keys, digest: this.#digest }
  }

  operations(): readonly Operation[] {
    const value = this.#sealer.seal(STATE_KEY, encodeState(this.state))
    return [...this.#operations, { type: 'put', key: STATE_KEY, value }]
  }
}
