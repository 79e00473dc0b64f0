/// <reference types="node" />
/** The host's own `fetch`. */

/** The part of it that dibs uses. */
export interface FetchInit {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

export interface FetchAnswer {
  readonly status: number
  readonly body?: { cancel(): Promise<void> } | null
}

/** Looked up at each call: apps and tests put their own in its place. */
export function systemFetch(url: string, init: FetchInit): Promise<FetchAnswer> {
  return fetch(url, init)
}
