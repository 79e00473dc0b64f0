import { MAX_PAYLOAD_DEPTH } from '../../protocol/index.js'

/** Around the payload: the draft, and an error that may hold details. */
const MAX_DEPTH = MAX_PAYLOAD_DEPTH + 2

/**
 * A copy of plain data that nobody can change. What is no plain data, or too deep to be a record, stays as it is: the
 * schemas refuse it.
 */
export function frozenCopy<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (value instanceof Uint8Array) return new Uint8Array(value) as T
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1))) as T
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  // From entries, not by assignment: an own key `__proto__` must stay one, to be refused.
  const entries = Object.entries(value).map(([key, item]) => [key, frozenCopy(item, depth + 1)])
  return Object.freeze(Object.fromEntries(entries)) as T
}
