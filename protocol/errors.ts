/**
 * Every refusal of the protocol, once: a stable code, what was wrong, and what was kept.
 *
 * There are two sorts. *Errors* are thrown at a caller who passed something that cannot be used (bytes that are no
 * batch, an id that is none). *Rejections* never throw: the fold meets a well-formed record that its author had no
 * right to write, leaves it without effect and lists it in `view.rejected`.
 */

/** Codes of thrown errors, and what each means. SPEC.md prints this table. */
export const ERROR_CODES = {
  STAMP_AHEAD:
    'A stamp is further ahead of local time than the drift bound allows. Keep the record aside and retry.',
  STAMP_INVALID: 'A number or a text is no stamp.',
  DEVICE_ID_INVALID: 'A text is no Ed25519 PeerId.',
  ID_INVALID: 'A text or some bytes are no run, record or group id.',
  KEY_INVALID: 'An idempotency key, or what goes with it into a run id, is empty or too long.',
  RECORD_INVALID: 'A record does not match the schema of its kind.',
  RUN_ID_MISMATCH: 'A `created` record carries a run id other than the one that follows from it.',
  BATCH_TOO_LARGE: 'A batch is over its byte limit or its record limit.',
  BATCH_TOO_DEEP: 'A batch nests deeper than allowed.',
  BATCH_NOT_CBOR:
    'The bytes are no CBOR, or CBOR of a sort that batches do not use (tags, floats that are no numbers).',
  BATCH_NOT_CANONICAL: 'The bytes decode, but are not the one canonical encoding of what they say.',
  BATCH_VERSION: 'The batch has a format version that this implementation does not know.',
  BATCH_SHAPE: 'The bytes are CBOR, but not a batch.',
  BATCH_RECORD: 'A record in the batch does not match the schema of its kind; details say which and why.',
  BATCH_SEQUENCE: 'The batch does not continue its log: there is a gap, or it was seen before.',
  BATCH_CHAIN: 'The batch names another predecessor than the log holds: a fork or a forgery.',
  BATCH_BACKDATED: 'The batch begins no later than its predecessor ended.',
  CONFIG_INVALID: 'A weight, a threshold or a candidate passed to the chooser is out of its range.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** Base of all that the protocol throws: catch it, then switch on `code`. */
export class ProtocolError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.details = details
  }
}

/** A stamp that cannot be taken in, or is none. Nothing was advanced. */
export class ClockError extends ProtocolError {}
/** A text or some bytes that are not the id they should be. */
export class IdError extends ProtocolError {}
/** A record that does not match its schema. Nothing was encoded. */
export class RecordError extends ProtocolError {}
/** Bytes that are no valid batch, or a batch that does not continue its log. Nothing was applied. */
export class BatchError extends ProtocolError {}
/** A chooser input out of its range. Nothing was chosen. */
export class ConfigError extends ProtocolError {}

/** Codes of `view.rejected`, and what each means. SPEC.md prints this table. */
export const REJECTION_CODES = {
  NOT_A_MEMBER: 'The author, or the device that it would revoke, was no member of the group at that time.',
  REVOKED: 'The author had been revoked by then.',
  OBSERVER: 'The author is an observer: it sees, and writes nothing about runs.',
  DUPLICATE_ID: 'Another record has the same id; the one with the smaller encoding stands.',
  BEFORE_CREATED: 'No `created` record of this run is earlier than it.',
  BACKDATED: 'It is no later than a record that it cites.',
  UNKNOWN_CREATED: 'It cites a `created` record that is not there.',
  UNKNOWN_ASSIGNMENT: 'It cites an assignment that is not there or was itself rejected.',
  WRONG_REASON: 'A first assignment has the reason `created` or `manual`; a later one never has `created`.',
  NO_CAUSE: 'The owner’s own record that would justify this reassignment is not there.',
  ROUND_NOT_OPEN: 'No valid `retried` record opened this round.',
  TARGET_NOT_ALLOWED: 'The target was no member that may own work at that time.',
  PRIVACY: 'The run’s privacy labels keep it from this target.',
  APPROVAL_MISSING: 'The run needs an approval and had none.',
  APPROVAL_EXPIRED: 'Every approval of the run had expired by then.',
  TOO_EARLY: 'The run may not be assigned before its `notBefore`.',
  RETRIES_EXHAUSTED: 'The run had spent all the attempts that its retry policy allows.',
  NOT_TARGET: 'The author is not the target of the assignment.',
  NOT_CLAIMED: 'The author had not claimed the assignment (in this incarnation, where that matters).',
  HELD_AFTER_GAP: 'The owner’s own heartbeats had a gap longer than the timeout: its claim had lapsed.',
  HELD_NOT_FIRST: 'The owner had not claimed in this incarnation before the reassignment it would void.',
  HELD_NOT_TIMEOUT: 'Only reassignments of this very assignment for the reason `timeout` can be voided.',
  HELD_LIMIT:
    'The assignment was held against reassignment as often as allowed; now the reassignment stands.',
  HELD_OFF: 'The run says `reconcile: latest`: reassignments stand.',
  HELD_ENDED: 'The owner had itself declined, released or failed the assignment.',
  NOT_FINAL: 'Only the owner may report a failure that is not final.',
  NOT_EXHAUSTED: 'The assignment is not on the last attempt that the retry policy allows.',
  BEFORE_DEADLINE: 'The run has no deadline, or it had not passed.',
  NOT_ENDED: 'The `retried` record does not cite a failure or cancellation that ended the round before.',
  RUN_COMPLETED: 'A completed run is read-only.',
  NOT_APPROVER: 'The author is not among those who may approve this run.',
  NOT_ADMIN: 'Only an admin admits and revokes.',
  LAST_ADMIN: 'It would leave the group without an admin.',
  ALREADY_REVOKED: 'The device was revoked: that is for good.',
  NOT_KEPT: 'Its author was revoked, and the revocation does not keep this record.',
} as const

export type RejectionCode = keyof typeof REJECTION_CODES

/** A record that the fold left without effect, and why. */
export interface Rejection {
  readonly record: string
  readonly kind: string
  readonly author: string
  readonly code: RejectionCode
}
