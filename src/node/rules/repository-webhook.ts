/** Webhooks of a repository host as outside events: who, what and where, but no bodies. */
import type { Payload } from '../../../protocol/index.js'
import { MAX_WEBHOOK_LIST, MAX_WEBHOOK_TEXT } from './constants.js'
import { invalidEvent, isMoment, type OutsideEvent } from './event.js'

/** What the host sent: two of its headers and the parsed body. */
export interface RepositoryWebhook {
  /** The `x-github-event` header, such as `issues`. */
  readonly event: string
  /** The `x-github-delivery` header: a GUID, the same when the host delivers again. */
  readonly delivery: string
  readonly body: unknown
}

type Fields = Readonly<Record<string, unknown>>
type Small = { readonly [key: string]: Payload }

/** Ends of a workflow run that somebody should look at. */
const FAILURES: readonly unknown[] = ['failure', 'timed_out', 'startup_failure']

/**
 * The event that a webhook tells of: `issues.opened`, `pull_request.merged`, `workflow_run.failed`, `push`, …
 *
 * The caller checks the host's signature. Throws `INVALID_EVENT` if the body is none of a webhook.
 *
 * @example
 * ```ts
 * await node.ingest(fromRepositoryWebhook({ event: 'issues', delivery, body: JSON.parse(text) }))
 * ```
 */
export function fromRepositoryWebhook({ event, delivery, body }: RepositoryWebhook): OutsideEvent {
  if (!isHeader(event)) throw invalidEvent('event', 'pass the x-github-event header')
  if (!isHeader(delivery)) throw invalidEvent('delivery', 'pass the x-github-delivery header')
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidEvent('body', 'a webhook’s body is an object')
  const hook = body as Fields
  const about = fieldsOf(hook[event === 'issues' ? 'issue' : event])
  const repository = fieldsOf(hook['repository'])
  const subject = textOf(repository['full_name'])
  return {
    id: delivery,
    type: typeOf(event, hook, about),
    source: 'repository',
    ...(isMoment(about['updated_at']) && { occurredAt: about['updated_at'] }),
    ...(subject !== null && { subject }),
    payload: {
      action: textOf(hook['action']),
      repository: subject,
      private: repository['private'] === true,
      sender: loginOf(hook['sender']),
      ...detailsOf(event, hook, about),
    },
  }
}

function typeOf(event: string, { action }: Fields, about: Fields): string {
  if (typeof action !== 'string') return event
  if (event === 'pull_request' && action === 'closed' && about['merged'] === true)
    return 'pull_request.merged'
  if (event === 'workflow_run' && action === 'completed' && FAILURES.includes(about['conclusion']))
    return 'workflow_run.failed'
  return `${event}.${action}`
}

function detailsOf(event: string, hook: Fields, about: Fields): Small {
  switch (event) {
    case 'issues':
      return {
        ...ticketOf(about),
        label: nameOf(hook['label']),
        assignees: listOf(about['assignees'], loginOf),
      }
    case 'pull_request':
      return {
        ...ticketOf(about),
        label: nameOf(hook['label']),
        draft: about['draft'] === true,
        merged: about['merged'] === true,
        base: textOf(fieldsOf(about['base'])['ref']),
        head: textOf(fieldsOf(about['head'])['ref']),
        sha: textOf(fieldsOf(about['head'])['sha']),
      }
    case 'workflow_run':
      return {
        id: numberOf(about['id']),
        name: textOf(about['name']),
        branch: textOf(about['head_branch']),
        sha: textOf(about['head_sha']),
        cause: textOf(about['event']),
        attempt: numberOf(about['run_attempt']),
        conclusion: textOf(about['conclusion']),
        url: textOf(about['html_url']),
      }
    default:
      return {}
  }
}

/** What issues and pull requests have in common. */
function ticketOf(about: Fields): Small {
  return {
    number: numberOf(about['number']),
    title: textOf(about['title']),
    state: textOf(about['state']),
    author: loginOf(about['user']),
    labels: listOf(about['labels'], nameOf),
    url: textOf(about['html_url']),
  }
}

function isHeader(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function loginOf(value: unknown): string | null {
  return textOf(fieldsOf(value)['login'])
}

function nameOf(value: unknown): string | null {
  return textOf(fieldsOf(value)['name'])
}

function listOf(value: unknown, read: (item: unknown) => string | null): readonly string[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_WEBHOOK_LIST) : []
  return list.map(read).filter((text) => text !== null)
}

function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** Cut to size, and without the half of a character that the cut may leave. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, MAX_WEBHOOK_TEXT).replace(/\p{Surrogate}/gu, '') : null
}
