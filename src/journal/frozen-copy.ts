import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH } from '../../protocol/index.js'

/** Around the payload: the draft, and an error that may hold details. */
const MAX_DEPTH = MAX_PAYLOAD_DEPTH + 2

/** Lists and maps that are copied at the most: with more, data that holds itself twice would be copied for ever. */
const MAX_COPIED: number = 2 * MAX_PAYLOAD_BYTES

let copied = 0

/**
 * A copy of plain data that nobody can change. What is no plain data, too deep or too much to be a record, stays as it
 * is: the schemas refuse it.
 */
export function frozenCopy<T>(value: T): T {
  copied = 0
  return copyAt(value, 0)
}

function copyAt<T>(value: T, depth: number): T {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || copied > MAX_COPIED) return value
  copied++
  if (value instanceof Uint8Array) return new Uint8Array(value) as T
  if (Array.isArray(value)) return copyOfList(value, depth) as T
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const item = copyAt((value as Readonly<Record<string, unknown>>)[key], depth + 1)
    // Not by assignment: an own key `__proto__` must stay one, to be refused.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true })
    else copy[key] = item
  }
  return Object.freeze(copy) as T
}

function copyOfList(list: readonly unknown[], depth: number): readonly unknown[] {
  const copy: unknown[] = []
  for (let i = 0; i < list.length; i++) copy.push(copyAt(list[i], depth + 1))
  return Object.freeze(copy)
}
