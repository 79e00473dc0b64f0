/** Events of the outside world: the envelope that all of them come in. */
import { z } from 'zod'
import { FIELD_SCHEMAS, type Payload } from '../../../protocol/index.js'
import { InputError } from '../errors.js'
import { MAX_EVENT_ID_LENGTH } from './constants.js'

/** Something that happened outside of dibs. */
export interface OutsideEvent {
  /** Given by the source: the same event always has the same id. */
  readonly id: string
  /** What happened, such as `issues.opened`. */
  readonly type: string
  /** Who tells it, such as `repository`. */
  readonly source: string
  /** Milliseconds since 1970, or a date and time as ISO 8601 has them. */
  readonly occurredAt?: number | string | undefined
  /** The version of the payload's schema. */
  readonly schemaVersion?: number | undefined
  /** What it is about. */
  readonly subject?: string | undefined
  readonly payload: Payload
  /** Labels that go on to the runs it causes, such as `local_only`. */
  readonly privacy?: readonly string[] | undefined
}

const schema = z.strictObject({
  id: FIELD_SCHEMAS.key.refine(
    (id) => id.length <= MAX_EVENT_ID_LENGTH,
    `is over ${MAX_EVENT_ID_LENGTH} characters`,
  ),
  type: FIELD_SCHEMAS.name,
  source: FIELD_SCHEMAS.name,
  occurredAt: z.union([FIELD_SCHEMAS.moment, z.iso.datetime({ offset: true })]).optional(),
  schemaVersion: FIELD_SCHEMAS.version.optional(),
  subject: FIELD_SCHEMAS.text.optional(),
  payload: FIELD_SCHEMAS.payload,
  privacy: FIELD_SCHEMAS.names.optional(),
})

/** The event that a value is. Throws `INVALID_EVENT`, naming the field. */
export function readEvent(value: unknown): OutsideEvent {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  // Of an unknown field the path tells only where it stands.
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue?.path
  throw invalidEvent(path?.map(String).join('.') || 'event', issue?.message ?? 'does not match its schema')
}

export function invalidEvent(field: string, fault: string): InputError {
  return new InputError(
    'INVALID_EVENT',
    `The event was not taken in, and no run was made. Its ${field} is wrong: ${fault}.`,
    {
      field,
    },
  )
}
