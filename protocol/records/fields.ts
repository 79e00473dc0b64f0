/** A zod schema for each type of field, with limits. */
import { z } from 'zod'
import { isDeviceId, isId } from '../ids.js'
import {
  MAX_APPROVERS,
  MAX_DURATION_MS,
  MAX_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_PRIORITY,
  MAX_REFERENCES,
  MAX_RETRIES,
  MAX_ROUND,
  MAX_SLOTS,
  MAX_STAMP_MS,
  MAX_TEXT_LENGTH,
} from '../limits.js'
import {
  ASSIGN_REASONS,
  DEVICE_CLASSES,
  type FieldType,
  type FieldTypes,
  RECONCILE_POLICIES,
  RELEASE_REASONS,
  ROLES,
} from './field-types.js'
import { isWellFormed, type Payload, payloadFault } from './payload.js'
import { isPlainly } from './quick.js'

const id = z.string().refine(isId, 'is no id')
const device = z.string().refine(isDeviceId, 'is no device id')
const duration = z.int().min(1).max(MAX_DURATION_MS)
// What no one sees: controls, format marks, private use, halves of surrogate pairs. Written out, because `\p{C}` means
// something else with each version of Unicode, and devices must agree on what a name is.
const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ud800-\\uf8ff' +
  '\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}'
// Any visible text without spaces at its ends: names are compared, so they must not differ invisibly.
const name = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(
    new RegExp(`^[^\\s${UNSEEN}]([^${UNSEEN}]*[^\\s${UNSEEN}])?$`, 'u'),
    'has control characters, or spaces at its ends',
  )
const text = z.string().max(MAX_TEXT_LENGTH).refine(isWellFormed, 'is not well-formed')
const payload = z.custom<Payload>().superRefine((value, context) => {
  const fault = payloadFault(value)
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

export const FIELD_SCHEMAS: { readonly [T in FieldType]: z.ZodType<FieldTypes[T]> } = {
  run: id,
  record: id,
  records: z.array(id).max(MAX_REFERENCES),
  device,
  name,
  names: z.array(name).max(MAX_NAMES),
  key: z.string().min(1).max(MAX_KEY_LENGTH).refine(isWellFormed, 'is not well-formed'),
  text,
  flag: z.literal(true),
  payload,
  priority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
  version: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  round: z.int().min(0).max(MAX_ROUND),
  slots: z.int().min(0).max(MAX_SLOTS),
  share: z.number().min(0).max(1),
  moment: z.int().min(0).max(MAX_STAMP_MS),
  duration,
  span: z.int().min(0).max(MAX_DURATION_MS),
  approval: z.union([z.enum(['members', 'admins']), z.array(device).min(1).max(MAX_APPROVERS)]),
  retry: z.strictObject({
    max: z.int().min(0).max(MAX_RETRIES),
    backoffMs: z.array(z.int().min(0).max(MAX_DURATION_MS)).max(MAX_RETRIES),
  }),
  heartbeat: z
    .strictObject({ intervalMs: duration, timeoutMs: duration })
    .refine(
      ({ intervalMs, timeoutMs }) => timeoutMs > intervalMs,
      'has a timeout no longer than the interval',
    ),
  reconcile: z.enum(RECONCILE_POLICIES),
  assignReason: z.enum(ASSIGN_REASONS),
  releaseReason: z.enum(RELEASE_REASONS),
  failure: z.strictObject({ code: name, message: text, details: payload.exactOptional() }),
  deviceClass: z.enum(DEVICE_CLASSES),
  role: z.enum(ROLES),
}

/** Why a value is none of this type, as `.path: what`; undefined if it is one. */
export function fieldFault(type: FieldType, value: unknown): string | undefined {
  if (isPlainly(type, value)) return undefined
  const schema: z.ZodType = FIELD_SCHEMAS[type]
  const parsed = schema.safeParse(value)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.map((step) => `.${String(step)}`).join('') ?? ''}: ${issue?.message ?? 'does not match its schema'}`
}
