/** A handler that runs, or a lease that somebody holds. What most of them never ask for is made when it is asked for. */
import type { Draft, RecordId, RunId } from '../../protocol/index.js'
import type { StopReason } from '../engine/index.js'
import type { Clock } from '../platform/seams.js'
import { StopSignal } from './context.js'
import { ProgressWriter } from './progress.js'

/** What a shift needs of its node. */
export interface ShiftHost {
  readonly clock: Clock
  readonly write: (drafts: readonly Draft[]) => Promise<unknown>
}

export class Shift {
  readonly run: RunId
  readonly assignment: RecordId
  readonly #host: ShiftHost
  #stopped: StopSignal | null = null
  /** Made when it is asked for: a signal takes 2 µs (Node 20), a tenth of all that a run which does nothing costs. */
  #abort: AbortController | null = null
  #progress: ProgressWriter | null = null
  #isClosed = false

  constructor(run: RunId, assignment: RecordId, host: ShiftHost) {
    this.run = run
    this.assignment = assignment
    this.#host = host
  }

  get isStopped(): boolean {
    return this.#stopped !== null
  }

  get signal(): AbortSignal {
    if (this.#abort === null) {
      this.#abort = new AbortController()
      if (this.#stopped !== null) this.#abort.abort(this.#stopped)
    }
    return this.#abort.signal
  }

  /** Tells it to stop. The first reason stays. */
  stop(reason: StopReason): void {
    if (this.#stopped !== null) return
    this.#stopped = new StopSignal(reason)
    this.#abort?.abort(this.#stopped)
  }

  report(data: unknown): void {
    if (this.#isClosed) return
    this.#progress ??= this.#makeProgress()
    this.#progress.set(data)
  }

  /** What it last reported is durable. Rejects if that fails. */
  flush(): Promise<void> {
    return this.#progress?.flush() ?? Promise.resolve()
  }

  /** It is over: whatever it still reports is let go. */
  close(): void {
    this.#isClosed = true
    this.#progress?.close()
  }

  #makeProgress(): ProgressWriter {
    const { clock, write } = this.#host
    const { run, assignment } = this
    return new ProgressWriter({
      clock,
      write: async (data) => {
        await write([{ kind: 'progressed', run, assignment, ...(data !== null && { data }) }])
      },
    })
  }
}
