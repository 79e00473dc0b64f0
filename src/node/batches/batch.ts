/** One batch under way: submits chunk after chunk, each written down before the next. */
import type { RunId } from '../../../protocol/index.js'
import type { CancelTimer } from '../../platform/seams.js'
import { DibsError, NodeError } from '../errors.js'
import { faultOf } from '../fault.js'
import { MAX_BATCH_ERRORS, MAX_RETRY_MS, RETRY_MS } from './constants.js'
import type { BatchesOptions, BatchProgress, BatchSummary } from './options.js'
import { keyed } from './plan.js'
import type { BatchError, BatchHead, ChunkResult, Shelf } from './shelf.js'

/** The parts of a batch's surroundings that it needs. */
export interface BatchHost extends Pick<BatchesOptions, 'clock' | 'submitChunk' | 'cancelRun'> {
  readonly shelf: Shelf
  /** Called when it has ended and that is durable. */
  readonly onEnd: (batch: Batch) => void
}

export class Batch {
  readonly done: Promise<BatchSummary>
  readonly #host: BatchHost
  readonly #total: number
  readonly #errors: BatchError[] = []
  readonly #watchers = new Set<() => void>()
  #resolve: (summary: BatchSummary) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #head: BatchHead
  /** The chunk that is next. */
  #next = 0
  #submitted = 0
  #failed = 0
  /** Whether the next chunk may have been submitted without that being written down. */
  #isUncertain: boolean
  #isStopping: { readonly runs: boolean } | null = null
  #isClosed = false
  #driving: Promise<void> | null = null
  #wake: () => void = () => {}

  constructor(host: BatchHost, head: BatchHead, results: readonly ChunkResult[], isUncertain: boolean) {
    this.#host = host
    this.#head = head
    this.#total = head.chunks.reduce((sum, items) => sum + items, 0)
    this.#isUncertain = isUncertain
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Whoever waits is told; if nobody does, it is no fault.
    this.done.catch(() => {})
    for (const result of results) this.#add(result)
    if (head.endedAt !== null) this.#resolve(this.summary())
  }

  get head(): BatchHead {
    return this.#head
  }

  get isEnded(): boolean {
    return this.#head.endedAt !== null
  }

  progress(): BatchProgress {
    return {
      id: this.#head.id,
      name: this.#head.name,
      startedAt: this.#head.startedAt,
      total: this.#total,
      submitted: this.#submitted,
      failed: this.#failed,
      cancelled: this.#head.cancelled !== null,
      done: this.isEnded,
    }
  }

  summary(): BatchSummary {
    const { done: _done, ...progress } = this.progress()
    const endedAt = this.#head.endedAt ?? this.#head.startedAt
    return { ...progress, endedAt, errors: [...this.#errors] }
  }

  async runs(): Promise<readonly RunId[]> {
    const runs: RunId[] = []
    for (let chunk = 0; chunk < this.#next; chunk++) {
      const result = await this.#host.shelf.result(this.#head.id, chunk)
      for (const run of result?.runs ?? []) if (run !== null) runs.push(run)
    }
    return runs
  }

  /** Begins, or goes on where it was left. Doing it twice does nothing. */
  go(): void {
    if (this.#driving !== null || this.isEnded || this.#isClosed) return
    this.#driving = this.#drive()
  }

  async cancel(runs: boolean): Promise<void> {
    if (this.isEnded) {
      if (runs) await this.#cancelRuns()
      return
    }
    const wasWithRuns = this.#isStopping?.runs === true || this.#head.cancelled?.runs === true
    this.#isStopping = { runs: runs || wasWithRuns }
    this.#wake()
    this.go()
    await this.done
  }

  /** Stops where it is: it goes on after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.#driving
    if (!this.isEnded) this.#reject(closed(this.#head.id))
    this.#tell()
  }

  /** Each change of progress from now on, the latest only if they come faster than they are taken. */
  async *watch(): AsyncGenerator<BatchProgress> {
    while (true) {
      // Before it is read, so that no change is missed.
      const changed = this.#changed()
      const progress = this.progress()
      yield progress
      if (progress.done) return
      if (this.#isClosed) throw closed(this.#head.id)
      await changed
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#watchers.add(resolve))
  }

  #tell(): void {
    const watchers = [...this.#watchers]
    this.#watchers.clear()
    for (const resolve of watchers) resolve()
  }

  /** Never rejects. What fails is tried again, a little later each time. */
  async #drive(): Promise<void> {
    for (let waitMs = RETRY_MS; !this.#isClosed && !this.isEnded; ) {
      const isDone = await this.#step().catch((error: unknown) => {
        // The node was closed and says so before we were told: this batch goes on after the next start.
        if (error instanceof DibsError && error.code === 'NODE_CLOSED') this.#isClosed = true
        return false
      })
      if (isDone) waitMs = RETRY_MS
      else {
        await this.#wait(waitMs)
        waitMs = Math.min(MAX_RETRY_MS, 2 * waitMs)
      }
    }
  }

  /** Does what is next. False if it has to wait. */
  async #step(): Promise<boolean> {
    const { chunks, cancelled } = this.#head
    const stopping = this.#isStopping
    // A chunk that may have been submitted is finished first: its runs must be known.
    if (stopping !== null && !this.#isUncertain && cancelled?.runs !== stopping.runs) {
      await this.#putHead({ ...this.#head, cancelled: stopping })
      return true
    }
    if (cancelled !== null) return this.#endCancelled(cancelled.runs)
    if (this.#next < chunks.length) return this.#submitNext()
    await this.#end()
    return true
  }

  async #submitNext(): Promise<boolean> {
    const { shelf } = this.#host
    const chunk = this.#next
    const first = this.#head.chunks.slice(0, chunk).reduce((sum, items) => sum + items, 0)
    const drafts = await shelf.plan(this.#head.id, chunk)
    const result =
      drafts === null
        ? lostChunk(this.#head.chunks[chunk] ?? 0, first)
        : await this.#submit(
            drafts.map((draft, i) => keyed(draft, this.#head.id, first + i)),
            first,
          )
    await shelf.putResult(this.#head.id, chunk, result)
    this.#isUncertain = false
    this.#add(result)
    this.#tell()
    return true
  }

  /** All at once; if something is wrong with one of them, one by one, so that it does not hold up the others. */
  async #submit(items: readonly ReturnType<typeof keyed>[], first: number): Promise<ChunkResult> {
    const { submitChunk } = this.#host
    try {
      const made = await submitChunk(items)
      this.#isUncertain = true
      return { runs: items.map((_item, i) => made[i]?.run ?? null), errors: [] }
    } catch (error) {
      // Only of a full queue it is sure that nothing was written.
      if (!isFull(error)) this.#isUncertain = true
      if (isPassing(error)) throw error
      if (items.length === 1) {
        return { runs: [null], errors: [{ index: first, ...faultOf(error, 'INTERNAL') }] }
      }
    }
    const runs: (RunId | null)[] = []
    const errors: BatchError[] = []
    for (const [i, item] of items.entries()) {
      const one = await this.#submit([item], first + i)
      runs.push(...one.runs)
      errors.push(...one.errors)
    }
    return { runs, errors: errors.slice(0, MAX_BATCH_ERRORS) }
  }

  #add({ runs, errors }: ChunkResult): void {
    const made = runs.filter((run) => run !== null).length
    this.#next++
    this.#submitted += made
    this.#failed += runs.length - made
    this.#errors.push(...errors.slice(0, MAX_BATCH_ERRORS - this.#errors.length))
  }

  async #endCancelled(runs: boolean): Promise<boolean> {
    if (runs) await this.#cancelRuns()
    if (this.#isClosed) return false
    await this.#end()
    return true
  }

  /** From the first on, however often it is begun: a run that has ended does not mind. */
  async #cancelRuns(): Promise<void> {
    for (const run of await this.runs()) {
      if (this.#isClosed) return
      await this.#host.cancelRun(run).catch((error: unknown) => {
        if (!hasEnded(error)) throw error
      })
    }
  }

  async #end(): Promise<void> {
    await this.#putHead({ ...this.#head, endedAt: Math.floor(this.#host.clock.wallMs()) })
    this.#resolve(this.summary())
    this.#host.onEnd(this)
  }

  async #putHead(head: BatchHead): Promise<void> {
    await this.#host.shelf.putHead(head)
    this.#head = head
    this.#tell()
  }

  #wait(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const cancelTimer: CancelTimer = this.#host.clock.setTimer(ms, resolve)
      this.#wake = () => {
        cancelTimer()
        resolve()
      }
    })
  }
}

/** The disk lost what was to be submitted. The store says so too; the other chunks are not held up. */
function lostChunk(items: number, first: number): ChunkResult {
  const error = { index: first, code: 'STORE_UNAVAILABLE', message: `The plan of ${items} items was lost.` }
  return { runs: new Array<null>(items).fill(null), errors: [error] }
}

/** Nothing was written, for want of room. */
function isFull(error: unknown): boolean {
  return error instanceof DibsError && error.code === 'QUEUE_FULL'
}

/** Trouble that is not with the items: the same will work later. */
function isPassing(error: unknown): boolean {
  const code = faultOf(error, '').code
  return isFull(error) || code === 'NODE_CLOSED' || code === 'TIMEOUT' || code.startsWith('STORE_')
}

function hasEnded(error: unknown): boolean {
  return error instanceof DibsError && (error.code === 'RUN_TERMINAL' || error.code === 'RUN_NOT_FOUND')
}

function closed(id: string): NodeError {
  return new NodeError(
    'NODE_CLOSED',
    `The node was closed before batch ${id} had ended. It goes on after the next start.`,
    { id },
  )
}
