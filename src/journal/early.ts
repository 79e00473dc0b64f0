/** Messages from the future: kept aside, in bounds, and tried again when their time has come. */
import { equalBytes } from '../../protocol/index.js'
import type { CancelTimer, Clock } from '../platform/seams.js'
import { MAX_EARLY_BYTES, MAX_EARLY_MESSAGES } from './constants.js'

/** Milliseconds between two looks at the clock, which may be set meanwhile. Only what is due by then is checked again. */
const LOOK_MS = 10_000

interface Early {
  readonly message: Uint8Array
  /** Milliseconds since 1970: it will be refused before. */
  readonly dueMs: number
}

export class EarlyMessages {
  readonly #clock: Clock
  readonly #retry: (bytes: Uint8Array) => void
  /** The next one due first. */
  #kept: Early[] = []
  #bytes = 0
  #timer: CancelTimer | null = null

  constructor(clock: Clock, retry: (bytes: Uint8Array) => void) {
    this.#clock = clock
    this.#retry = retry
  }

  get size(): number {
    return this.#kept.length
  }

  keep(message: Uint8Array, dueMs: number): void {
    // Every sync brings it again.
    if (this.#kept.some((kept) => equalBytes(kept.message, message))) return
    const after = this.#kept.findIndex((kept) => kept.dueMs > dueMs)
    this.#kept.splice(after < 0 ? this.#kept.length : after, 0, { message: message.slice(), dueMs })
    this.#bytes += message.length
    while (this.#kept.length > MAX_EARLY_MESSAGES || this.#bytes > MAX_EARLY_BYTES) {
      this.#bytes -= this.#kept.pop()?.message.length ?? 0
    }
    this.#look()
  }

  retryAll(): void {
    this.#retryUntil(Number.POSITIVE_INFINITY)
  }

  #retryUntil(nowMs: number): void {
    const due = this.#kept.filter(({ dueMs }) => dueMs <= nowMs)
    const rest = this.#kept.slice(due.length)
    this.close()
    this.#kept = rest
    this.#bytes = rest.reduce((sum, { message }) => sum + message.length, 0)
    this.#look()
    for (const { message } of due) this.#retry(message)
  }

  #look(): void {
    if (this.#kept.length === 0) return
    this.#timer ??= this.#clock.setTimer(LOOK_MS, () => this.#retryUntil(this.#clock.wallMs()))
  }

  close(): void {
    this.#timer?.()
    this.#timer = null
    this.#kept = []
    this.#bytes = 0
  }
}
