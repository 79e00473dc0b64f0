/** What apps put into records: JSON-like data and bytes, with a limit on size and depth. */
import { cborLength } from '../cbor.js'
import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH } from '../limits.js'

/** Null, booleans, finite numbers, well-formed text, bytes, lists, and maps with text keys. */
export type Payload =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly Payload[]
  | { readonly [key: string]: Payload }

/** Why a value is no payload, as the end of a sentence; undefined if it is one. */
export function payloadFault(value: unknown): string | undefined {
  const walk = { bytes: 0 }
  const fault = faultAt(value, 1, walk)
  if (fault !== undefined) return fault
  // The walk counts an upper bound; only what comes near the limit is measured exactly.
  if (walk.bytes > MAX_PAYLOAD_BYTES && cborLength(value) > MAX_PAYLOAD_BYTES) {
    return `is over ${MAX_PAYLOAD_BYTES} bytes: store large data elsewhere and pass a link`
  }
  return undefined
}

export function isPayload(value: unknown): value is Payload {
  return payloadFault(value) === undefined
}

function faultAt(value: unknown, depth: number, walk: { bytes: number }): string | undefined {
  walk.bytes += 9
  if (walk.bytes > 16 * MAX_PAYLOAD_BYTES) return `is far over ${MAX_PAYLOAD_BYTES} bytes`
  switch (typeof value) {
    case 'boolean':
      return undefined
    case 'number':
      return numberFault(value)
    case 'string':
      return textFault(value, walk)
    case 'object':
      if (value === null) return undefined
      if (value instanceof Uint8Array) {
        walk.bytes += value.length
        return undefined
      }
      if (depth > MAX_PAYLOAD_DEPTH) return `nests deeper than ${MAX_PAYLOAD_DEPTH} levels`
      return Array.isArray(value) ? listFault(value, depth, walk) : mapFault(value, depth, walk)
    default:
      return `holds a ${typeof value}`
  }
}

function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'holds a number that is not finite'
  if (Object.is(value, -0)) return 'holds negative zero, which would not survive encoding'
  return undefined
}

function textFault(value: string, walk: { bytes: number }): string | undefined {
  walk.bytes += 3 * value.length
  return isWellFormed(value) ? undefined : 'holds text with half of a surrogate pair'
}

function listFault(list: readonly unknown[], depth: number, walk: { bytes: number }): string | undefined {
  for (let i = 0; i < list.length; i++) {
    const fault = faultAt(list[i], depth + 1, walk)
    if (fault !== undefined) return fault
  }
  return undefined
}

function mapFault(map: object, depth: number, walk: { bytes: number }): string | undefined {
  const prototype = Object.getPrototypeOf(map)
  if (prototype !== Object.prototype && prototype !== null) return 'holds an object that is no plain data'
  for (const key of Object.keys(map)) {
    if (key === '__proto__') return 'holds the key __proto__'
    walk.bytes += 9
    const fault = textFault(key, walk) ?? faultAt((map as Record<string, unknown>)[key], depth + 1, walk)
    if (fault !== undefined) return fault
  }
  return undefined
}

const FIRST_SURROGATE = 0xd800
const LONE_SURROGATE = /\p{Surrogate}/u

/** `String.prototype.isWellFormed`, which some mobile engines lack. */
export function isWellFormed(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= FIRST_SURROGATE) return !LONE_SURROGATE.test(text)
  }
  return true
}
