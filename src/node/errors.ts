/** Every error that the node throws at an app: one class for each kind, a stable code, and what to do next. */

export const ERROR_CODES = {
  RUN_NOT_FOUND: 'No run with this id is known on this device.',
  RUN_TERMINAL: 'The run has ended, and what was asked makes sense only for an open run.',
  RUN_OPEN: 'The run has not ended, and what was asked makes sense only for one that has.',
  RUN_FAILED: 'The run failed; `details.error` is what its last attempt reported.',
  RUN_CANCELLED: 'The run was cancelled.',
  RETRIES_EXHAUSTED: 'All attempts that the retry policy allows were spent.',
  DEADLINE: 'The deadline passed before the run was done.',
  INVALID_INPUT: 'The input does not match the schema of its run type, or is no payload.',
  INVALID_OUTPUT: 'The output does not match the schema of its run type, or is no payload.',
  INVALID_PROGRESS: 'What a handler reported does not match the schema of its run type, or is no payload.',
  INVALID_OPTIONS: 'An option is missing, unknown or out of its range.',
  DUPLICATE_HANDLER: 'The run type has a handler already.',
  NOT_YET: 'The run may not begin yet.',
  NOT_OWNER: 'This device does not own the run.',
  STALE_FENCE: 'The fence is not the current one: the run has moved on.',
  APPROVAL_REQUIRED: 'The run needs an approval before anyone may work on it.',
  NOT_APPROVER: 'This device is not among those who may approve the run.',
  NO_CAPABLE_DEVICE: 'No device that is known can do the run.',
  QUEUE_FULL: 'A limit on waiting work was reached. Nothing was written.',
  STORE_UNAVAILABLE: 'The store could not be written or read.',
  NODE_CLOSED: 'The node was closed.',
  NOT_A_MEMBER: 'This device is no member of the group.',
  NOT_AN_ADMIN: 'This device is no admin of the group.',
  OTHER_GROUP: 'The storage belongs to another group.',
  TIMEOUT: 'It took longer than allowed.',
  ABORTED: 'The caller’s signal was aborted.',
  LEASE_EXPIRED: 'Whoever pulled the run gave no sign of life for too long.',
  INTERRUPTED: 'The process that worked on the run ended under it.',
  HANDLER_ERROR: 'The handler threw.',
  DEAD_LETTER_NOT_FOUND: 'No dead letter with this id is kept.',
  BATCH_NOT_FOUND: 'No batch with this id is known on this device.',
  INVALID_EVENT: 'An outside event does not match its schema.',
  RULE_ERROR: 'A rule threw. Its run was not made: bring the event again.',
  LISTENER_ERROR: 'The outbox’s listener threw. The event comes again.',
  WEBHOOK_STATUS: 'The outbox’s webhook answered with a status other than 2xx. The event comes again.',
  INTERNAL: 'Something went wrong inside dibs.',
} as const
export type DibsErrorCode = keyof typeof ERROR_CODES

export type ErrorDetails = Readonly<Record<string, unknown>>

/** Base of all that the node throws: catch it, then switch on `code`. */
export class DibsError extends Error {
  readonly code: DibsErrorCode
  readonly details: ErrorDetails

  constructor(code: DibsErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.code = code
    this.details = details
  }

  toJSON(): { readonly code: DibsErrorCode; readonly message: string; readonly details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details }
  }
}

/** A run that ended without a result, or cannot do what was asked of it. */
export class RunError extends DibsError {}
/** Something passed by the app that cannot be used. Nothing was written. */
export class InputError extends DibsError {}
/** The caller is not, or no longer, the one who may do this. */
export class OwnershipError extends DibsError {}
/** No device can do it now, or a limit was reached. Try again later. */
export class CapacityError extends DibsError {}
/** The store could not be written or read. What was acknowledged is kept. */
export class StorageError extends DibsError {}
/** The node was closed, drains, or does not belong. */
export class NodeError extends DibsError {}
/** It took too long, or the caller gave up. */
export class TimeoutError extends DibsError {}

/**
 * Throw this (or anything with `retry: false`) from a handler to fail the run for good: no further attempt is made.
 *
 * @example
 * ```ts
 * node.handle(send, async ({ to }) => {
 *   if (!to.includes('@')) throw new PermanentError('BAD_ADDRESS', `${to} is no address`)
 *   return post(to)
 * })
 * ```
 */
export class PermanentError extends Error {
  readonly code: string
  readonly retry = false
  readonly details: unknown

  constructor(code: string, message: string, details?: unknown) {
    super(message)
    this.name = 'PermanentError'
    this.code = code
    this.details = details
  }
}
