/** One attempt to deliver one event. */
import type { Clock } from '../../platform/seams.js'
import type { Closing } from '../closing.js'
import { NodeError, TimeoutError } from '../errors.js'
import { type Fault, faultOf } from '../fault.js'
import { isThenable } from '../thenable.js'
import type { OutboxEvent } from './events.js'

/**
 * Takes an event. It counts as delivered once this returns or resolves; if it throws or rejects, the event comes again.
 * The signal is aborted when it takes too long, or the outbox is closed.
 */
export type Deliver = (event: OutboxEvent, signal: AbortSignal) => Promise<void> | void

/** What went wrong, as far as it is kept. */
export type DeliveryFault = Fault

export type DeliveryOutcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed'; readonly fault: DeliveryFault }
  /** The outbox was closed meanwhile. */
  | { readonly status: 'interrupted' }

export interface DeliveryOptions {
  readonly deliver: Deliver
  readonly clock: Clock
  readonly timeoutMs: number
  readonly closing: Closing
}

/** Never rejects, and never calls the app before the caller's own turn has ended. */
export function attemptDelivery(
  event: OutboxEvent,
  { deliver, clock, timeoutMs, closing }: DeliveryOptions,
): Promise<DeliveryOutcome> {
  if (closing.isClosed) return Promise.resolve({ status: 'interrupted' })
  const controller = new AbortController()
  return new Promise((resolve) => {
    const end = (outcome: DeliveryOutcome): void => {
      cancelTimer()
      unhook()
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
      end({ status: 'failed', fault: faultOf(error, error.code) })
    })
    const unhook = closing.onClose(onClosing)
    const fail = (error: unknown): void => end({ status: 'failed', fault: faultOf(error, 'LISTENER_ERROR') })
    queueMicrotask(() => {
      // Closed meanwhile: nobody expects to be called any more.
      if (controller.signal.aborted) return
      try {
        const answer: unknown = deliver(event, controller.signal)
        // What is done when it returns must not be interrupted by a close that comes before the next turn.
        if (isThenable(answer)) Promise.resolve(answer).then(() => end({ status: 'delivered' }), fail)
        else end({ status: 'delivered' })
      } catch (error) {
        fail(error)
      }
    })
  })
}
