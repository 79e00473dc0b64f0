/** Whether an event is one that a rule is about. */
import { encodeCbor } from '../../../protocol/cbor.js'
import { equalBytes, type Payload } from '../../../protocol/index.js'
import type { OutsideEvent } from './event.js'

/** What an event must be like. What is left out does not matter. */
export interface EventMatch {
  /** One of these. */
  readonly source?: string | readonly string[] | undefined
  /** One of these. */
  readonly type?: string | readonly string[] | undefined
  /**
   * Dotted paths into the payload, each with a value or a list of values. What stands there must be one of them; if a
   * list stands there, it must contain one of them.
   *
   * @example
   * ```ts
   * const match: EventMatch = { where: { private: false, 'author.name': 'ana', labels: ['bug', 'crash'] } }
   * ```
   */
  readonly where?: Readonly<Record<string, Payload>> | undefined
}

export function matches(match: EventMatch, event: OutsideEvent): boolean {
  return (
    isOneOf(match.source, event.source) &&
    isOneOf(match.type, event.type) &&
    Object.entries(match.where ?? {}).every(([path, wanted]) => meets(valueAt(event.payload, path), wanted))
  )
}

function isOneOf(wanted: string | readonly string[] | undefined, value: string): boolean {
  return wanted === undefined || listOf(wanted).includes(value)
}

function meets(value: Payload | undefined, wanted: Payload): boolean {
  if (value === undefined) return false
  return listOf(wanted).some((one) => listOf(value).some((found) => isEqual(found, one)))
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

function isEqual(a: Payload, b: Payload): boolean {
  if (a === b) return true
  const areBoth = typeof a === 'object' && a !== null && typeof b === 'object' && b !== null
  return areBoth && equalBytes(encodeCbor(a), encodeCbor(b))
}

/** Only what the payload itself has: `constructor` is no field of anything. */
function valueAt(payload: Payload, path: string): Payload | undefined {
  let value: Payload | undefined = payload
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as { readonly [key: string]: Payload })[step]
  }
  return value
}
