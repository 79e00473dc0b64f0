/** One attempt to deliver one event. */
import type { Clock } from '../../platform/seams.js'
import { NodeError, TimeoutError } from '../errors.js'
import { MAX_ERROR_LENGTH } from './constants.js'
import type { OutboxEvent } from './events.js'

/**
 * Takes an event. It counts as delivered once this returns or resolves; if it throws or rejects, the event comes again.
 * The signal is aborted when it takes too long, or the outbox is closed.
 */
export type Deliver = (event: OutboxEvent, signal: AbortSignal) => Promise<void> | void

/** What went wrong, as far as it is kept. */
export interface DeliveryFault {
  readonly code: string
  readonly message: string
}

export type DeliveryOutcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed'; readonly fault: DeliveryFault }
  /** The outbox was closed meanwhile. */
  | { readonly status: 'interrupted' }

export interface DeliveryOptions {
  readonly deliver: Deliver
  readonly clock: Clock
  readonly timeoutMs: number
  readonly closing: AbortSignal
}

/** Never rejects, and never calls the app before the caller's own turn has ended. */
export function attemptDelivery(
  event: OutboxEvent,
  { deliver, clock, timeoutMs, closing }: DeliveryOptions,
): Promise<DeliveryOutcome> {
  const controller = new AbortController()
  return new Promise((resolve) => {
    const end = (outcome: DeliveryOutcome): void => {
      cancelTimer()
      closing.removeEventListener('abort', onClosing)
      resolve(outcome)
    }
    const onClosing = (): void => {
      controller.abort(new NodeError('NODE_CLOSED', 'The outbox was closed. The event comes again.'))
      end({ status: 'interrupted' })
    }
    const cancelTimer = clock.setTimer(timeoutMs, () => {
      const error = new TimeoutError(
        'TIMEOUT',
        `The delivery took over ${timeoutMs} ms. The event comes again.`,
      )
      controller.abort(error)
      end({ status: 'failed', fault: faultOf(error) })
    })
    closing.addEventListener('abort', onClosing)
    Promise.resolve()
      .then(() => deliver(event, controller.signal))
      .then(
        () => end({ status: 'delivered' }),
        (error: unknown) => end({ status: 'failed', fault: faultOf(error) }),
      )
  })
}

function faultOf(error: unknown): DeliveryFault {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown
    readonly message?: unknown
  }
  return {
    code: typeof code === 'string' ? code.slice(0, MAX_ERROR_LENGTH) : 'LISTENER_ERROR',
    message: (typeof message === 'string' ? message : String(error)).slice(0, MAX_ERROR_LENGTH),
  }
}
