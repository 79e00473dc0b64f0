/**
 * The outbox: lifecycle events of runs, delivered to the app or a webhook at least once.
 *
 * @module
 */
export type { AsideEvent } from './aside.js'
export type { DeadLetter, DeadLetterPage, DeadLetters } from './dead-letters.js'
export type { Deliver, DeliveryFault } from './delivery.js'
export {
  OUTBOX_EVENT_TYPES,
  type OutboxEvent,
  type OutboxEventData,
  type OutboxEventType,
} from './events.js'
export type { RecordSource } from './intake.js'
export type { OutboxOptions, OutboxSettings } from './options.js'
export { type Outbox, type OutboxCounts, openOutbox } from './outbox.js'
export { signatureOf, WebhookError, webhook } from './webhook.js'
export type { WebhookFetch, WebhookOptions } from './webhook-options.js'
