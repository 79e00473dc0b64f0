/** All runs that this device knows: find, list, count, watch. */
import type { RunId, RunView } from '../../protocol/index.js'
import type { RunType } from './define-run.js'
import { Run, type RunHost } from './run.js'
import { checkFilter, matches, type RunFilter, type RunListOptions, type RunPage } from './run-query.js'

/** Views that wait for a slow reader of `runs.watch`; then the oldest of them goes: it asks `get` for what it missed. */
const MAX_UNREAD = 10_000

export class Runs {
  readonly #host: RunHost
  readonly #typeOf: (name: string) => RunType | string

  /** Use `node.runs`. */
  constructor(host: RunHost, typeOf: (name: string) => RunType | string) {
    this.#host = host
    this.#typeOf = typeOf
  }

  /** A handle on a run; null if it is not known here. */
  get(run: RunId): Run | null {
    const view = this.#host.book.view(run)
    return view === null ? null : new Run(this.#host, run, this.#typeOf(view.created.type), false)
  }

  /** How a run stands; null if it is not known here. */
  view(run: RunId): RunView | null {
    return this.#host.book.view(run)
  }

  /**
   * Runs that fit, a page at a time.
   *
   * @example
   * ```ts
   * const { runs, cursor } = node.runs.list({ state: 'processing', project: 'album' }, { limit: 20 })
   * ```
   */
  list(filter: RunFilter = {}, options: RunListOptions = {}): RunPage {
    return this.#host.book.index.list(filter, options, this.#host.wallMs())
  }

  count(filter: RunFilter = {}): number {
    return this.#host.book.index.count(filter, this.#host.wallMs())
  }

  /** Views of runs that fit, as they change from now on. */
  async *watch(
    filter: RunFilter = {},
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<RunView> {
    const { book, closing, hold, wallMs } = this.#host
    checkFilter(filter)
    // The latest of each run: whoever reads slowly misses steps, not runs.
    const unread = new Map<RunId, RunView>()
    let wake: (() => void) | null = null
    const onWake = (): void => wake?.()
    const unwatch = book.watchAll(({ after }) => {
      if (!matches(after, filter, wallMs())) return
      unread.delete(after.run)
      unread.set(after.run, after)
      if (unread.size > MAX_UNREAD) unread.delete(unread.keys().next().value as RunId)
      wake?.()
    })
    const letGo = hold()
    signal?.addEventListener('abort', onWake)
    const unhook = closing.onClose(onWake)
    try {
      while (signal?.aborted !== true && !closing.isClosed) {
        const [next] = unread.values()
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          wake = null
          continue
        }
        unread.delete(next.run)
        yield next
      }
    } finally {
      unwatch()
      letGo()
      signal?.removeEventListener('abort', onWake)
      unhook()
    }
  }
}
