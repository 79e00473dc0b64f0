/** What a handler reports, written down at a bounded rate: however often it is told, the latest is what counts. */
import type { Payload } from '../../protocol/index.js'
import type { CancelTimer, Clock } from '../platform/seams.js'
import { InputError } from './errors.js'
import { plainData } from './plain-data.js'

/** Milliseconds between two reports of an attempt. Each is a record that every device keeps; people look once a second. */
export const PROGRESS_INTERVAL_MS = 1000

export interface ProgressWriterOptions {
  readonly clock: Clock
  /** Writes one report. Resolves once it is durable. */
  readonly write: (data: Payload) => Promise<void>
  /** @default 1000 */
  readonly intervalMs?: number
}

/** The reports of one attempt. The first is written at once, then one an interval, never two at a time. */
export class ProgressWriter {
  readonly #clock: Clock
  readonly #write: (data: Payload) => Promise<void>
  readonly #intervalMs: number
  /** The latest report, while it is not written. */
  #pending: { readonly data: Payload } | null = null
  #writing: Promise<void> | null = null
  #nextMs = Number.NEGATIVE_INFINITY
  #cancelTimer: CancelTimer | null = null
  #isClosed = false

  constructor({ clock, write, intervalMs = PROGRESS_INTERVAL_MS }: ProgressWriterOptions) {
    this.#clock = clock
    this.#write = write
    this.#intervalMs = intervalMs
  }

  /**
   * Takes a report, copied. After `close` it is let go: the attempt is over, and its handler may not know yet.
   *
   * Throws `INVALID_PROGRESS` for what is no payload.
   */
  set(data: unknown): void {
    if (this.#isClosed) return
    const { payload, issues } = plainData(data)
    if (issues !== null) {
      const [first] = issues
      const where = first === undefined || first.path.length === 0 ? 'It' : `“${first.path.join('.')}”`
      throw new InputError(
        'INVALID_PROGRESS',
        `The progress of a run is no payload. ${where} ${first?.message ?? 'cannot be stored'}. Nothing was written.`,
        { issues },
      )
    }
    this.#pending = { data: payload }
    this.#schedule()
  }

  /** Writes the latest report if it is not written yet. Rejects if that fails; the report is then kept for the next try. */
  async flush(): Promise<void> {
    // What is under way is an earlier report: whether it fails does not matter once the later one is written.
    while (this.#writing !== null) await this.#writing.catch(() => {})
    if (this.#pending !== null) await this.#writeNow()
  }

  /** Lets go of what is not written: `flush` first to keep it. */
  close(): void {
    this.#isClosed = true
    this.#pending = null
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #schedule(): void {
    if (this.#pending === null || this.#writing !== null || this.#cancelTimer !== null) return
    const waitMs = this.#nextMs - this.#clock.monotonicMs()
    // A report that fails is tried again with the next interval; nobody waits for it, so nobody is told.
    if (waitMs <= 0) this.#writeNow().catch(() => {})
    else
      this.#cancelTimer = this.#clock.setTimer(waitMs, () => {
        this.#cancelTimer = null
        this.#schedule()
      })
  }

  #writeNow(): Promise<void> {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#nextMs = this.#clock.monotonicMs() + this.#intervalMs
    const writing = this.#writePending()
    this.#writing = writing
    const onEnd = (): void => {
      if (this.#writing === writing) this.#writing = null
      this.#schedule()
    }
    writing.then(onEnd, onEnd)
    return writing
  }

  async #writePending(): Promise<void> {
    const report = this.#pending
    if (report === null) return
    this.#pending = null
    try {
      await this.#write(report.data)
    } catch (error) {
      if (!this.#isClosed) this.#pending ??= report
      throw error
    }
  }
}
