/** Waits until something holds of a run. */
import type { RunId, RunView } from '../../protocol/index.js'
import { TimeoutError } from './errors.js'
import { closedError } from './node-error.js'
import type { RunHost, WaitOptions } from './run.js'
import { notFound } from './run-errors.js'

type Host = Pick<RunHost, 'book' | 'closing' | 'setTimer' | 'hold'>

export function waitForView(
  host: Host,
  run: RunId,
  holds: (view: RunView) => boolean,
  { signal, timeoutMs }: WaitOptions = {},
): Promise<RunView> {
  const now = host.book.view(run)
  if (now === null) return Promise.reject(notFound(run))
  if (holds(now)) return Promise.resolve(now)
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = [host.hold()]
    const settle = (finish: () => void): void => {
      for (const end of ends) end()
      finish()
    }
    const onAbort = (): void => settle(() => reject(aborted(run, signal)))
    const onClose = (): void => settle(() => reject(closedError()))
    if (signal?.aborted) return onAbort()
    if (host.closing.isClosed) return onClose()
    ends.push(
      host.book.watch(run, (view) => {
        if (holds(view)) settle(() => resolve(view))
      }),
    )
    if (signal !== undefined) {
      signal.addEventListener('abort', onAbort)
      ends.push(() => signal.removeEventListener('abort', onAbort))
    }
    ends.push(host.closing.onClose(onClose))
    if (timeoutMs !== undefined)
      ends.push(host.setTimer(timeoutMs, () => settle(() => reject(tookTooLong(run, timeoutMs)))))
  })
}

function aborted(run: RunId, signal: AbortSignal | undefined): TimeoutError {
  return new TimeoutError(
    'ABORTED',
    `The wait for the run ${run} was aborted. The run goes on.`,
    { run },
    signal?.reason,
  )
}

function tookTooLong(run: RunId, timeoutMs: number): TimeoutError {
  return new TimeoutError('TIMEOUT', `The run ${run} was not there within ${timeoutMs} ms. It goes on.`, {
    run,
    timeoutMs,
  })
}
