/** Delivers events to a URL, signed if there is a secret. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64pad } from 'multiformats/bases/base64'
import type { Clock } from '../../platform/seams.js'
import { DibsError, TimeoutError } from '../errors.js'
import { WEBHOOK_TIMEOUT_MS } from './constants.js'
import type { Deliver } from './delivery.js'
import { checkWebhook, type WebhookOptions } from './webhook-options.js'

/** The receiver did not take the event. What it answered is neither read nor kept. */
export class WebhookError extends DibsError {
  constructor(status: number) {
    super('WEBHOOK_STATUS', `The webhook answered with status ${status}. The event comes again.`, { status })
  }
}

/**
 * Posts each event as JSON. Bytes in payloads become `{ "$bytes": "<base64>" }`. Redirects are not followed: the event
 * and its signature go to the URL that was given, or nowhere.
 *
 * With a secret, `dibs-signature` is `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>`. A receiver should
 * refuse an old `t`.
 *
 * @example
 * ```ts
 * await outbox.start(webhook({ url: 'https://example.org/hooks/dibs', secret, fetch, clock }))
 * ```
 */
export function webhook(options: WebhookOptions): Deliver {
  checkWebhook(options)
  const { url, secret, fetch, clock, timeoutMs = WEBHOOK_TIMEOUT_MS } = options
  const further = lowerCased(options.headers ?? {})
  return async (event, signal) => {
    const body = JSON.stringify(event, bytesAsText)
    const headers = {
      ...further,
      'content-type': 'application/json',
      'dibs-event-id': event.id,
      'dibs-event-type': event.type,
      'idempotency-key': event.key,
      ...(secret !== undefined && {
        'dibs-signature': signatureOf(secret, Math.floor(clock.wallMs() / 1000), body),
      }),
    }
    const response = await within(clock, timeoutMs, signal, (given) =>
      fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: given }),
    )
    // Or the connection would wait for somebody to read it.
    response.body?.cancel().catch(() => undefined)
    if (response.status < 200 || response.status > 299) throw new WebhookError(response.status)
  }
}

/** What `dibs-signature` must be for a body sent at a time. */
export function signatureOf(secret: string, unixSeconds: number, body: string): string {
  const encoder = new TextEncoder()
  const mac = hmac(sha256, encoder.encode(secret), encoder.encode(`${unixSeconds}.${body}`))
  return `t=${unixSeconds},v1=${bytesToHex(mac)}`
}

/** Headers have no case, but a record of them would send `Idempotency-Key` and `idempotency-key` both. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: base64pad.baseEncode(value) } : value
}

/** Runs something under a signal that is aborted when time is up or the other one is. */
async function within<T>(
  clock: Clock,
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted()
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', onAbort)
  const cancel = clock.setTimer(timeoutMs, () =>
    controller.abort(new TimeoutError('TIMEOUT', `The webhook did not answer within ${timeoutMs} ms.`)),
  )
  try {
    return await Promise.race([work(controller.signal), aborted(controller.signal)])
  } finally {
    cancel()
    outer.removeEventListener('abort', onAbort)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
