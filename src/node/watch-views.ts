/** Views of runs as async iterables: the present one first, then the latest whenever there is a later one. */
import { isTerminal, type RunId, type RunView } from '../../protocol/index.js'
import type { RunHost } from './run.js'
import { notFound } from './run-errors.js'

type Host = Pick<RunHost, 'book' | 'closing' | 'hold'>

/** Ends with the view of the run's end, when the signal is aborted, or when the node closes. */
export async function* watchViews(
  host: Host,
  run: RunId,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunView> {
  const first = host.book.view(run)
  if (first === null) throw notFound(run)
  let next: RunView | null = first
  let wake: (() => void) | null = null
  const onWake = (): void => wake?.()
  const unwatch = host.book.watch(run, (view) => {
    next = view
    wake?.()
  })
  const letGo = host.hold()
  signal?.addEventListener('abort', onWake)
  const unhook = host.closing.onClose(onWake)
  const isOver = (): boolean => signal?.aborted === true || host.closing.isClosed
  try {
    while (!isOver()) {
      if (next === null) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = null
        continue
      }
      const view: RunView = next
      next = null
      yield view
      if (isTerminal(view.state)) return
    }
  } finally {
    unwatch()
    letGo()
    signal?.removeEventListener('abort', onWake)
    unhook()
  }
}
