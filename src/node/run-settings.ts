/**
 * What can be set about a run, in its definition and again at each submit: the one table of names, checks and defaults.
 * The checks are the protocol's own; what equals the protocol's default is left out, so that records stay small.
 */
import {
  type ApprovalPolicy,
  ASSIGNMENT_TIMEOUT_MS,
  type FieldType,
  fieldFault,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  type HeartbeatPolicy,
  MAX_APPROVERS,
  MAX_DURATION_MS,
  MAX_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_NAMES,
  MAX_PRIORITY,
  MAX_RETRIES,
  PRIORITIES,
  RETRY_BACKOFF_MS,
  RETRY_MAX,
  type ReconcilePolicy,
  type RetryPolicy,
  RUN_TIMEOUT_MS,
} from '../../protocol/index.js'
import { invalidOption } from './invalid-option.js'

export type Priority = keyof typeof PRIORITIES | number

export interface RetryOptions {
  /** Retries after the first attempt. @default 3 */
  readonly max?: number | undefined
  /** Milliseconds to wait before each retry; the last repeats. @default [1000, 2000, 4000] */
  readonly backoffMs?: number | readonly number[] | undefined
}

/** Settings that a definition and a submit share. What a submit says wins over the definition. */
export interface RunSettings {
  /** Higher first. A word, or an integer from -1000 to 1000. @default 'normal' */
  readonly priority?: Priority | undefined
  /** The project that the run belongs to: only devices of this project work on it. */
  readonly project?: string | undefined
  /** Capabilities that a device must have. Those of definition and submit are united. */
  readonly requires?: readonly string[] | undefined
  /** Capabilities that make a device a better choice. */
  readonly prefers?: readonly string[] | undefined
  /** Privacy labels that a device must be cleared for. Those of definition and submit are united. */
  readonly privacy?: readonly string[] | undefined
  /** Who must approve before anyone may work on it: any member, admins only, or these devices. @default nobody */
  readonly approval?: ApprovalPolicy | undefined
  /** Milliseconds that an attempt may take. @default 3_600_000 */
  readonly timeoutMs?: number | undefined
  /**
   * How often an owner shows that it lives, and after how much silence it is gone: at least 250 ms and 1 s, whatever it
   * says. @default 30 s, 90 s
   */
  readonly heartbeat?: { readonly [P in keyof HeartbeatPolicy]?: number | undefined } | undefined
  readonly retry?: RetryOptions | undefined
  /** Milliseconds that a device has to claim or decline. @default 60_000 */
  readonly assignmentTimeoutMs?: number | undefined
  /** Who keeps a run that was reassigned when its owner comes back: the first, or the latest. @default 'earliest' */
  readonly reconcile?: ReconcilePolicy | undefined
  /** Prefer the elected coordinator. @default false */
  readonly coordinator?: boolean | undefined
  /** May be given back when something more urgent needs the slot. @default false */
  readonly preemptible?: boolean | undefined
  /** A device on battery must have at least this share of it, from 0 to 1. @default 0 */
  readonly minBattery?: number | undefined
}

/** The fields of a `created` record while it is put together. */
export type CreatedFields = Record<string, unknown>

interface Setting {
  readonly field: FieldType
  readonly allowed: string
  /** From what the app wrote to what a record carries; undefined for nothing. `before` is what the definition said. */
  readonly read?: (value: unknown, before: unknown) => unknown
  /** What holds if a record carries nothing. */
  readonly isDefault?: (value: unknown) => boolean
}

const NAME = `visible text of 1 to ${MAX_NAME_LENGTH} characters, without spaces at its ends`
const DURATION: Setting = {
  field: 'duration',
  allowed: `whole milliseconds from 1 to ${MAX_DURATION_MS}`,
}
const MOMENT: Setting = { field: 'moment', allowed: 'whole milliseconds since 1970, such as date.getTime()' }
const FLAG: Setting = {
  field: 'flag',
  allowed: 'true or false',
  read: (value) => (value === false ? undefined : value),
}
const NAMES: Setting = {
  field: 'names',
  allowed: `a list of up to ${MAX_NAMES} names, each ${NAME}`,
  read: (value) => (Array.isArray(value) ? [...new Set(value)] : value),
  isDefault: (value) => (value as readonly string[]).length === 0,
}
const UNITED: Setting = {
  ...NAMES,
  read: (value, before) => (Array.isArray(value) ? [...new Set([...listOf(before), ...value])] : value),
}

export type SettingName = keyof RunSettings | 'type' | 'version' | 'key' | 'parent' | 'notBefore' | 'deadline'

/** By the name that it has in options and in records alike. */
const SETTINGS: { readonly [N in SettingName]: Setting } = {
  type: { field: 'name', allowed: NAME },
  version: { field: 'version', allowed: 'a whole number from 0' },
  key: {
    field: 'key',
    allowed: `text of 1 to ${MAX_KEY_LENGTH} characters, without half of a surrogate pair`,
  },
  parent: { field: 'run', allowed: 'the id of a run' },
  notBefore: MOMENT,
  deadline: MOMENT,
  priority: {
    field: 'priority',
    allowed: `'high', 'normal', 'low', or a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}`,
    read: (value) =>
      typeof value === 'string' && Object.hasOwn(PRIORITIES, value)
        ? PRIORITIES[value as keyof typeof PRIORITIES]
        : value,
    isDefault: is(PRIORITIES.normal),
  },
  project: { field: 'name', allowed: NAME },
  requires: UNITED,
  prefers: NAMES,
  privacy: UNITED,
  approval: {
    field: 'approval',
    allowed: `'members', 'admins', or a list of 1 to ${MAX_APPROVERS} device ids`,
    read: (value) => (Array.isArray(value) ? [...value] : value),
  },
  timeoutMs: { ...DURATION, isDefault: is(RUN_TIMEOUT_MS) },
  heartbeat: {
    field: 'heartbeat',
    allowed: '{ intervalMs, timeoutMs } in whole milliseconds, the timeout longer than the interval',
    read: readHeartbeat,
    isDefault: (value) => {
      const { intervalMs, timeoutMs } = value as HeartbeatPolicy
      return intervalMs === HEARTBEAT_INTERVAL_MS && timeoutMs === HEARTBEAT_TIMEOUT_MS
    },
  },
  retry: {
    field: 'retry',
    allowed: `{ max, backoffMs } with max from 0 to ${MAX_RETRIES}, and backoffMs one or up to ${MAX_RETRIES} whole milliseconds`,
    read: readRetry,
    isDefault: (value) => {
      const { max, backoffMs } = value as RetryPolicy
      return (
        max === RETRY_MAX &&
        backoffMs.length === RETRY_BACKOFF_MS.length &&
        backoffMs.every((step, i) => step === RETRY_BACKOFF_MS[i])
      )
    },
  },
  assignmentTimeoutMs: { ...DURATION, isDefault: is(ASSIGNMENT_TIMEOUT_MS) },
  reconcile: { field: 'reconcile', allowed: "'earliest' or 'latest'", isDefault: is('earliest') },
  coordinator: FLAG,
  preemptible: FLAG,
  minBattery: { field: 'share', allowed: 'a number from 0 to 1', isDefault: is(0) },
}

/** The names of `RunSettings`, for those who check for unknown ones. */
export const RUN_SETTING_NAMES: readonly (keyof RunSettings)[] = [
  'priority',
  'project',
  'requires',
  'prefers',
  'privacy',
  'approval',
  'timeoutMs',
  'heartbeat',
  'retry',
  'assignmentTimeoutMs',
  'reconcile',
  'coordinator',
  'preemptible',
  'minBattery',
]

/** Puts one setting into the fields of a record, checked; takes it out if it is what holds anyway. */
export function applySetting(fields: CreatedFields, name: SettingName, value: unknown): void {
  const setting = SETTINGS[name]
  const carried = setting.read === undefined ? value : setting.read(value, fields[name])
  if (carried !== undefined) {
    const fault = fieldFault(setting.field, carried)
    if (fault !== undefined) throw invalidOption(name, value, setting.allowed, fault)
    if (setting.isDefault?.(carried) !== true) {
      fields[name] = carried
      return
    }
  }
  if (name in fields) delete fields[name]
}

function readRetry(value: unknown, before: unknown): unknown {
  if (!isObject(value)) return value
  const { max, backoffMs } = (before ?? { max: RETRY_MAX, backoffMs: RETRY_BACKOFF_MS }) as RetryPolicy
  const given = value['backoffMs'] ?? backoffMs
  return {
    ...value,
    max: value['max'] ?? max,
    backoffMs: typeof given === 'number' ? [given] : Array.isArray(given) ? [...given] : given,
  }
}

function readHeartbeat(value: unknown, before: unknown): unknown {
  if (!isObject(value)) return value
  const usual = { intervalMs: HEARTBEAT_INTERVAL_MS, timeoutMs: HEARTBEAT_TIMEOUT_MS }
  const { intervalMs, timeoutMs } = (before ?? usual) as HeartbeatPolicy
  return {
    ...value,
    intervalMs: value['intervalMs'] ?? intervalMs,
    timeoutMs: value['timeoutMs'] ?? timeoutMs,
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function is(usual: unknown): (value: unknown) => boolean {
  return (value) => value === usual
}
