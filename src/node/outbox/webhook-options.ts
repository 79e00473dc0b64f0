/** What a webhook is made with. */
import { fieldFault } from '../../../protocol/index.js'
import type { Clock } from '../../platform/seams.js'
import { InputError } from '../errors.js'

/** The part of `fetch` that a webhook needs. */
export type WebhookFetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<{
  readonly status: number
  readonly body?: { cancel(): Promise<void> } | null
}>

export interface WebhookOptions {
  /** `http:` or `https:`, without user and password: put those into a header. */
  readonly url: string
  /** Shared with the receiver, who checks `dibs-signature` with it. */
  readonly secret?: string | undefined
  /** Further headers. Those of dibs win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch: WebhookFetch
  readonly clock: Clock
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined
}

// As HTTP has them. Of what does not fit, `fetch` would complain at each delivery, and quote it.
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Throws `INVALID_OPTIONS`, naming the option and never what it was: urls, headers and secrets are nobody's business. */
export function checkWebhook({ url, secret, headers = {}, timeoutMs = 1 }: WebhookOptions): void {
  if (!isHttp(url)) throw invalid('url', 'begins with http: or https:, and has no user and password')
  if (secret !== undefined && (typeof secret !== 'string' || secret === ''))
    throw invalid('secret', 'is text of at least one character')
  if (!Object.entries(headers).every(isHeader)) throw invalid('headers', 'are names and values of HTTP')
  if (fieldFault('duration', timeoutMs) !== undefined) throw invalid('timeoutMs', 'is whole milliseconds')
}

function isHttp(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

function isHeader([name, value]: [string, unknown]): boolean {
  return HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value)
}

function invalid(option: string, allowed: string): InputError {
  return new InputError('INVALID_OPTIONS', `The webhook was not set up: its ${option} ${allowed}.`, {
    option,
  })
}
