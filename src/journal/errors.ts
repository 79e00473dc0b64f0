/** What the journals refuse, each with a stable code. */

/** Codes of errors that are thrown at the app. */
export const JOURNAL_ERROR_CODES = {
  QUEUE_FULL: 'Too many calls wait to be committed.',
  JOURNALS_CLOSED: 'The journals were closed.',
  UNKNOWN_RUN: 'No `created` record of this run is known, so its journal is not.',
  NOT_A_MEMBER: 'This device is no member of the group.',
  JOURNAL_EVICTED: 'The journal was dropped here, or is being fetched again. Nothing can be written to it.',
  LOG_FORKED:
    'Another process with this device’s key wrote into the log of this one. A new start begins a new log.',
  NEVER_EVICTED: 'The group’s journal is never evicted.',
  SYNC_MALFORMED: 'A summary or a list of heads from a peer cannot be read. End the sync with it.',
  IMPORT_INVALID: 'A line of an export cannot be used.',
} as const
export type JournalErrorCode = keyof typeof JOURNAL_ERROR_CODES

export class JournalError extends Error {
  readonly code: JournalErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: JournalErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'JournalError'
    this.code = code
    this.details = details
  }
}

/** Codes of messages that are refused. Nothing of the log that is at fault is applied; the message's other logs are. */
export const REFUSAL_CODES = {
  MALFORMED: 'The bytes are no message, or no canonical append to a journal.',
  TOO_LARGE: 'The message is over its limit.',
  FORGED: 'A log’s name does not fit its author, or a signature does not fit its batch.',
  BAD_BATCH: 'A batch does not decode.',
  BAD_CHAIN: 'A batch does not follow the one before it.',
  NOT_A_MEMBER: 'The author is no member of the group, as far as is known here.',
  REVOKED: 'The author was revoked before it wrote this.',
  FROZEN: 'The author forked this log; nothing more is taken from it.',
  EQUIVOCATION: 'The author signed two different batches for one place in its log. The proof is kept.',
  NO_SUCH_DAY: 'The journal is of a day that has not come, or that was over before the group was founded.',
  MISPLACED: 'A record stands in another journal than that of its run’s day.',
  STAMP_AHEAD: 'A record is from the future. The message is kept and tried again later.',
  OWN_LOG: 'It claims to continue the log that this very process writes.',
  BUSY: 'Too many messages wait to be checked.',
  STORE: 'The store could not take it. It can be fetched again.',
  CLOSED: 'The journals were closed.',
} as const
export type RefusalCode = keyof typeof REFUSAL_CODES

/** Thrown while a message is checked; never leaves `receive`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** For a message from the future: when to try again, in milliseconds since 1970. */
  readonly retryAtMs: number

  constructor(code: RefusalCode, why: string, retryAtMs = 0) {
    super(why)
    this.code = code
    this.retryAtMs = retryAtMs
  }
}
