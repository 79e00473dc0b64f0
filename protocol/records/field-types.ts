/** The types of fields: what a value of each is, and the words that some of them are made of. */
import type { Stamp } from '../clock.js'
import type { DeviceId, RecordId, RunId } from '../ids.js'
import type { Payload } from './payload.js'

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

/** What goes before the fields of every record. None of it is on the wire: it follows from the log and the batch. */
export interface Envelope {
  readonly id: RecordId
  readonly stamp: Stamp
  readonly author: DeviceId
  readonly incarnation: number
}
