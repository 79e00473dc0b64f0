/** Events of the outside world: the envelope that all of them come in. */
import { z } from 'zod'
import { FIELD_SCHEMAS, type Payload } from '../../../protocol/index.js'
import { frozenCopy } from '../../journal/frozen-copy.js'
import { cut } from '../cut.js'
import { InputError } from '../errors.js'
import { MAX_STEP_LENGTH, plainData } from '../plain-data.js'

/** Something that happened outside of dibs. */
export interface OutsideEvent {
  /** Given by the source: the same event always has the same id, and no other of this source has it. */
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

const moment = z.union([FIELD_SCHEMAS.moment, z.iso.datetime({ offset: true })])
const schema = z.strictObject({
  id: FIELD_SCHEMAS.key,
  type: FIELD_SCHEMAS.name,
  source: FIELD_SCHEMAS.name,
  occurredAt: moment.optional(),
  schemaVersion: FIELD_SCHEMAS.version.optional(),
  subject: FIELD_SCHEMAS.text.optional(),
  payload: z.unknown().refine((payload) => payload !== undefined, 'is missing: pass null if there is none'),
  privacy: FIELD_SCHEMAS.names.optional(),
})

/** Whether an event may say that it occurred then. */
export function isMoment(value: unknown): value is number | string {
  return moment.safeParse(value).success
}

/**
 * The event that a value is, as a copy that nobody can change: rules are app code, and all of them get this one.
 * Throws `INVALID_EVENT`, naming the field.
 */
export function readEvent(value: unknown): OutsideEvent {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    // Of an unknown field the path tells only where it stands.
    const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue?.path
    const fault = issue?.code === 'unrecognized_keys' ? 'there is no such field' : issue?.message
    throw invalidEvent(path?.map(String).join('.') || 'event', fault ?? 'does not match its schema')
  }
  const { payload, issues } = plainData(parsed.data.payload)
  if (issues === null) return frozenCopy({ ...parsed.data, payload })
  const [first] = issues
  throw invalidEvent(['payload', ...(first?.path ?? [])].join('.'), first?.message ?? 'is no payload')
}

export function invalidEvent(path: string, fault: string): InputError {
  const field = cut(path, MAX_STEP_LENGTH)
  return new InputError(
    'INVALID_EVENT',
    `The event was not taken in, and no run was made. Its ${field} is wrong: ${fault}.`,
    { field },
  )
}
