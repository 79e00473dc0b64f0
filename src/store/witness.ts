/**
 * The witness: how many writes the store has seen, in a file of its own beside it. LevelDB opens silently in an older
 * state when the end of its log is cut off or its MANIFEST is damaged; the witness remembers that there was more.
 *
 * It is written after each write and never synced. So after a crash of the machine it may be behind, which says
 * nothing, or ahead of writes that were not durable: those are truly lost, and it says so.
 */
import type { Cell } from '../platform/platform.js'
import type { Sealer } from './entry.js'

const NAME = new TextEncoder().encode('dibs/witness/1')
const COUNT_BYTES = 8

export class Witness {
  readonly #cell: Cell
  readonly #sealer: Sealer

  constructor(cell: Cell, sealer: Sealer) {
    this.#cell = cell
    this.#sealer = sealer
  }

  /** The writes it saw; 0 if it is new, `null` if it was damaged. */
  read(): number | null {
    const bytes = this.#cell.read()
    if (bytes.length === 0) return 0
    const body = this.#sealer.unseal(NAME, bytes)
    if (body === null || body.length !== COUNT_BYTES) return null
    return Number(new DataView(body.buffer, body.byteOffset).getBigUint64(0))
  }

  write(writes: number): void {
    const body = new Uint8Array(COUNT_BYTES)
    new DataView(body.buffer).setBigUint64(0, BigInt(writes))
    try {
      this.#cell.write(this.#sealer.seal(NAME, body))
    } catch {
      // It stays behind, which says nothing. The write that it would have seen is done and must not fail for it.
    }
  }

  close(): void {
    this.#cell.close()
  }
}
