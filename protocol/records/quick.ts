/**
 * A quick yes: checks of the common values of each field type, forty times as fast as the schemas of `fields.ts`.
 *
 * What passes here passes its schema; a test holds every check to that. What does not pass is not refused for it: the
 * schema decides, and says what is wrong.
 */
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
import type { FieldType } from './field-types.js'
import { ASSIGN_REASONS, DEVICE_CLASSES, RECONCILE_POLICIES, RELEASE_REASONS, ROLES } from './field-types.js'
import { isWellFormed, payloadFault } from './payload.js'

const SPACE = 0x20
const LAST_VISIBLE = 0x7e

type Check = (value: unknown) => boolean

const CHECKS: { readonly [T in FieldType]: Check } = {
  run: isId,
  record: isId,
  records: (value) => isListOf(value, 0, MAX_REFERENCES, isId),
  device: isDeviceId,
  name: isPlainName,
  names: (value) => isListOf(value, 0, MAX_NAMES, isPlainName),
  key: (value) => isText(value, MAX_KEY_LENGTH) && value !== '',
  text: (value) => isText(value, MAX_TEXT_LENGTH),
  flag: (value) => value === true,
  payload: (value) => payloadFault(value) === undefined,
  priority: (value) => isInteger(value, -MAX_PRIORITY, MAX_PRIORITY),
  version: (value) => isInteger(value, 0, Number.MAX_SAFE_INTEGER),
  round: (value) => isInteger(value, 0, MAX_ROUND),
  slots: (value) => isInteger(value, 0, MAX_SLOTS),
  share: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  moment: (value) => isInteger(value, 0, MAX_STAMP_MS),
  duration: isDuration,
  span: isSpan,
  approval: (value) =>
    value === 'members' || value === 'admins' || isListOf(value, 1, MAX_APPROVERS, isDeviceId),
  retry: (value) =>
    isPlain(value, 2) &&
    isInteger(value['max'], 0, MAX_RETRIES) &&
    isListOf(value['backoffMs'], 0, MAX_RETRIES, isSpan),
  heartbeat: (value) =>
    isPlain(value, 2) &&
    isDuration(value['intervalMs']) &&
    isDuration(value['timeoutMs']) &&
    (value['timeoutMs'] as number) > (value['intervalMs'] as number),
  reconcile: (value) => isAmong(RECONCILE_POLICIES, value),
  assignReason: (value) => isAmong(ASSIGN_REASONS, value),
  releaseReason: (value) => isAmong(RELEASE_REASONS, value),
  failure: (value) =>
    isPlain(value, Object.hasOwn(Object(value), 'details') ? 3 : 2) &&
    isPlainName(value['code']) &&
    isText(value['message'], MAX_TEXT_LENGTH) &&
    (!Object.hasOwn(value, 'details') || payloadFault(value['details']) === undefined),
  deviceClass: (value) => isAmong(DEVICE_CLASSES, value),
  role: (value) => isAmong(ROLES, value),
}

/** Whether a value is seen at a glance to be one of this type. If not, ask its schema. */
export function isPlainly(type: FieldType, value: unknown): boolean {
  return CHECKS[type](value)
}

/** A name of visible ASCII: what it may have beyond that, its schema knows. */
function isPlainName(value: unknown): boolean {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_NAME_LENGTH) return false
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const isInner = i > 0 && i < value.length - 1
    if (code < SPACE || code > LAST_VISIBLE || (code === SPACE && !isInner)) return false
  }
  return true
}

function isText(value: unknown, maxLength: number): boolean {
  return typeof value === 'string' && value.length <= maxLength && isWellFormed(value)
}

function isInteger(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

function isDuration(value: unknown): boolean {
  return isInteger(value, 1, MAX_DURATION_MS)
}

function isSpan(value: unknown): boolean {
  return isInteger(value, 0, MAX_DURATION_MS)
}

function isListOf(value: unknown, least: number, most: number, check: Check): boolean {
  if (!Array.isArray(value) || value.length < least || value.length > most) return false
  for (let i = 0; i < value.length; i++) if (!check(value[i])) return false
  return true
}

/** Whether a value is plain data with so many keys. */
function isPlain(value: unknown, keys: number): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === keys
}

function isAmong(words: readonly string[], value: unknown): boolean {
  return words.includes(value as string)
}
