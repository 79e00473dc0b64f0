/** Webhooks as apps make them: with the time and the `fetch` of the machine. */
import {
  type Deliver,
  type WebhookOptions as NodeWebhookOptions,
  webhook as webhookOf,
} from './node/outbox/index.js'
import { systemFetch } from './platform/fetch.js'
import { systemClock } from './platform/index.js'

/** What a webhook is made with. */
export type WebhookOptions = Omit<NodeWebhookOptions, 'fetch' | 'clock'> &
  Partial<Pick<NodeWebhookOptions, 'fetch' | 'clock'>>

/**
 * Posts each event as JSON: `node.outbox.start(webhook({ url }))`. Bytes in payloads become `{ "$bytes": "<base64>" }`.
 * Redirects are not followed: the event and its signature go to the URL that was given, or nowhere.
 *
 * With a secret, `dibs-signature` is `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>`. A receiver should
 * refuse an old `t`; `signatureOf` makes the one to compare with.
 *
 * @example
 * ```ts
 * await node.outbox.start(webhook({ url: 'https://example.org/hooks/dibs', secret }))
 * ```
 */
export function webhook(options: WebhookOptions): Deliver {
  return webhookOf({ fetch: systemFetch, clock: systemClock, ...options })
}
