/** Messages from the future: kept aside, in bounds, and tried again when their time has come. */
import { equalBytes } from '../../protocol/index.js'
import type { CancelTimer, Clock } from '../platform/seams.js'
import { MAX_EARLY_BYTES, MAX_EARLY_MESSAGES } from './constants.js'

/** Milliseconds between two tries. */
const RETRY_MS = 10_000

export class EarlyMessages {
  readonly #clock: Clock
  readonly #retry: (bytes: Uint8Array) => void
  #kept: Uint8Array[] = []
  #bytes = 0
  #timer: CancelTimer | null = null

  constructor(clock: Clock, retry: (bytes: Uint8Array) => void) {
    this.#clock = clock
    this.#retry = retry
  }

  get size(): number {
    return this.#kept.length
  }

  keep(message: Uint8Array): void {
    // Every sync brings it again.
    if (this.#kept.some((kept) => equalBytes(kept, message))) return
    this.#kept.push(message.slice())
    this.#bytes += message.length
    while (this.#kept.length > MAX_EARLY_MESSAGES || this.#bytes > MAX_EARLY_BYTES) {
      this.#bytes -= this.#kept.shift()?.length ?? 0
    }
    this.#timer ??= this.#clock.setTimer(RETRY_MS, () => this.retryAll())
  }

  retryAll(): void {
    const kept = this.#kept
    this.close()
    for (const message of kept) this.#retry(message)
  }

  close(): void {
    this.#timer?.()
    this.#timer = null
    this.#kept = []
    this.#bytes = 0
  }
}
