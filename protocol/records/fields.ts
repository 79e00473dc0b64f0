/** The types that fields of records can have: for each its TypeScript type and its zod schema, with limits. */
import { z } from 'zod'
import type { Stamp } from '../clock.js'
import { type DeviceId, isDeviceId, isId, type RecordId, type RunId } from '../ids.js'
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
import { isWellFormed, type Payload, payloadFault } from './payload.js'

/** Why an assignment was made. */
export const ASSIGN_REASONS = [
  'created',
  'declined',
  'released',
  'failed',
  'timeout',
  'preempted',
  'manual',
] as const
export type AssignReason = (typeof ASSIGN_REASONS)[number]

/**
 * Why an owner gave a run back through no fault of the run. None of them spends an attempt. A handler that ignores its
 * signal, or a process that died under its run, is a failure: or a run that kills its worker would go round for ever.
 */
export const RELEASE_REASONS = ['drain', 'preempted', 'paused', 'lapsed', 'superseded', 'manual'] as const
export type ReleaseReason = (typeof RELEASE_REASONS)[number]

/** What happens when a device comes back and finds its run reassigned: the first keeps it, or the latest does. */
export const RECONCILE_POLICIES = ['earliest', 'latest'] as const
export type ReconcilePolicy = (typeof RECONCILE_POLICIES)[number]

/** Classes of devices, best fit for standing work first: the election ranks by this order. */
export const DEVICE_CLASSES = ['server', 'desktop', 'laptop', 'tablet', 'phone', 'browser'] as const
export type DeviceClass = (typeof DEVICE_CLASSES)[number]

/** Admins admit and revoke; members work; observers see and never own. */
export const ROLES = ['admin', 'member', 'observer'] as const
export type Role = (typeof ROLES)[number]

/** Who may approve: any member, admins only, or these devices. */
export type ApprovalPolicy = 'members' | 'admins' | readonly DeviceId[]

/** How often to try again, and how long to wait before each retry (the last step repeats). */
export interface RetryPolicy {
  readonly max: number
  readonly backoffMs: readonly number[]
}

/** How often an owner shows that it lives, and after how much silence it counts as gone. */
export interface HeartbeatPolicy {
  readonly intervalMs: number
  readonly timeoutMs: number
}

/** Why an attempt failed. */
export interface RunFailure {
  readonly code: string
  readonly message: string
  readonly details?: Payload
}

export interface FieldTypes {
  readonly run: RunId
  readonly record: RecordId
  readonly records: readonly RecordId[]
  readonly device: DeviceId
  readonly name: string
  readonly names: readonly string[]
  readonly key: string
  readonly text: string
  readonly flag: true
  readonly payload: Payload
  readonly priority: number
  readonly version: number
  readonly round: number
  readonly slots: number
  readonly share: number
  readonly moment: number
  readonly duration: number
  readonly span: number
  readonly approval: ApprovalPolicy
  readonly retry: RetryPolicy
  readonly heartbeat: HeartbeatPolicy
  readonly reconcile: ReconcilePolicy
  readonly assignReason: AssignReason
  readonly releaseReason: ReleaseReason
  readonly failure: RunFailure
  readonly deviceClass: DeviceClass
  readonly role: Role
}
export type FieldType = keyof FieldTypes

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
  const schema: z.ZodType = FIELD_SCHEMAS[type]
  const parsed = schema.safeParse(value)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.map((step) => `.${String(step)}`).join('') ?? ''}: ${issue?.message ?? 'does not match its schema'}`
}

/** What goes before the fields of every record. None of it is on the wire: it follows from the log and the batch. */
export interface Envelope {
  readonly id: RecordId
  readonly stamp: Stamp
  readonly author: DeviceId
  readonly incarnation: number
}
