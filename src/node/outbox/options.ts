/** What an outbox is opened with. */
import { z } from 'zod'
import { MAX_DURATION_MS, type RunId, type RunView } from '../../../protocol/index.js'
import type { Clock, Random } from '../../platform/seams.js'
import type { Store } from '../../store/store.js'
import { InputError } from '../errors.js'
import { unknownOption } from '../invalid-option.js'
import {
  BACKOFF_MS,
  CONCURRENCY,
  DELIVERY_TIMEOUT_MS,
  LIST_LIMIT,
  MAX_ATTEMPTS,
  MAX_BACKOFF_MS,
  MAX_CONCURRENCY,
  MAX_LIST_LIMIT,
  MAX_MAX_ATTEMPTS,
} from './constants.js'
import type { RecordSource } from './intake.js'

/** What an app may choose. */
export interface OutboxSettings {
  /**
   * What happens on a store that has records already when an outbox is set up on it: it begins with what is written
   * from then on, or with all there is. Later it always goes on where it was.
   *
   * @default 'now'
   */
  readonly from?: 'now' | 'start' | undefined
  /**
   * Whether events carry inputs, outputs and error details.
   *
   * @default false
   */
  readonly payloads?: boolean | undefined
  /**
   * Deliveries under way at once. With more than one, events may overtake each other.
   *
   * @default 1
   */
  readonly concurrency?: number | undefined
  /**
   * Milliseconds before the first retry; each further one waits twice as long.
   *
   * @default 1000
   */
  readonly backoffMs?: number | undefined
  /** @default 300_000 */
  readonly maxBackoffMs?: number | undefined
  /**
   * Attempts before an event becomes a dead letter.
   *
   * @default 10
   */
  readonly maxAttempts?: number | undefined
  /** @default 30_000 */
  readonly deliveryTimeoutMs?: number | undefined
}

export interface OutboxOptions extends OutboxSettings {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly source: RecordSource
  /** The view of a run, with all records in it that `take` was given. */
  readonly viewOf: (run: RunId) => RunView | null
  /** Keeps the process alive until what it returns is called: somebody waits. */
  readonly hold?: (() => () => void) | undefined
}

const duration = z.int().min(1).max(MAX_DURATION_MS)
const settingsSchema = z.strictObject({
  from: z.enum(['now', 'start']).default('now'),
  payloads: z.boolean().default(false),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(CONCURRENCY),
  backoffMs: duration.default(BACKOFF_MS),
  maxBackoffMs: duration.default(MAX_BACKOFF_MS),
  maxAttempts: z.int().min(1).max(MAX_MAX_ATTEMPTS).default(MAX_ATTEMPTS),
  deliveryTimeoutMs: duration.default(DELIVERY_TIMEOUT_MS),
})

/** The settings with their defaults. */
export type ReadSettings = { readonly [N in keyof OutboxSettings]-?: NonNullable<OutboxSettings[N]> }

/** Throws `INVALID_OPTIONS`. */
export function readSettings(settings: OutboxSettings): ReadSettings {
  const parsed = settingsSchema.safeParse(settings)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (issue?.code === 'unrecognized_keys')
    throw unknownOption(issue.keys[0] ?? '', Object.keys(settingsSchema.shape))
  const field = issue?.path.join('.') ?? ''
  throw new InputError(
    'INVALID_OPTIONS',
    `The outbox was not opened. Its option ${field} is wrong: ${issue?.message}.`,
    { field },
  )
}

/** Throws `INVALID_OPTIONS` for what is no limit of a list. */
export function checkLimit(limit: number = LIST_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIST_LIMIT) return limit
  throw new InputError('INVALID_OPTIONS', `A limit is an integer from 1 to ${MAX_LIST_LIMIT}.`, { limit })
}
