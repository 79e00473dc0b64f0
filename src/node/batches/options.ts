/** What batches are opened with, and what they tell. */
import type { Draft, RunId } from '../../../protocol/index.js'
import type { Clock, Random } from '../../platform/seams.js'
import type { Store } from '../../store/store.js'
import type { BatchError } from './shelf.js'

export interface BatchesOptions {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  /**
   * Makes runs of drafts, all or none, and answers with one for each, in order, once they are durable. A draft whose
   * key was submitted before makes no second run.
   *
   * A rejection with `QUEUE_FULL` says that nothing was written: the same drafts come again later.
   */
  readonly submitChunk: (
    drafts: readonly Draft<'created'>[],
  ) => Promise<readonly { readonly run: RunId; readonly isNew: boolean }[]>
  /** Cancels one run. `RUN_TERMINAL` and `RUN_NOT_FOUND` are taken as done. */
  readonly cancelRun: (run: RunId) => Promise<void>
}

export interface StartBatchOptions {
  /** For people: shown where batches are listed. */
  readonly name?: string | undefined
}

export interface BatchProgress {
  readonly id: string
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly total: number
  /** Items that have their run, durably. */
  readonly submitted: number
  /** Items that were refused. */
  readonly failed: number
  /** It was called off: no further items are submitted. */
  readonly cancelled: boolean
  /** It has ended: all items were submitted or refused, or it was called off. */
  readonly done: boolean
}

export interface BatchSummary extends Omit<BatchProgress, 'done'> {
  readonly endedAt: number
  /** Of the items that were refused, at most 20. */
  readonly errors: readonly BatchError[]
}

/** A batch, for as long as it is known. */
export interface BatchHandle {
  readonly id: string
  /** Resolves when it has ended. Rejects with `NODE_CLOSED` if the node is closed before: it goes on after the next start. */
  readonly done: Promise<BatchSummary>
  progress(): BatchProgress
  /** Progress now, and whenever it changes, to the end. */
  watch(): AsyncIterable<BatchProgress>
  /** The runs that were made, in order of their items. */
  runs(): Promise<readonly RunId[]>
  /**
   * No further items. With `runs`, those already made are cancelled too, also of a batch that has ended. A chunk that
   * is under way is finished first. Resolves once all of it is durable; of a batch under way it goes on after a crash.
   */
  cancel(options?: { readonly runs?: boolean | undefined }): Promise<void>
}
