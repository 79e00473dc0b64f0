/**
 * From what an app has in hand to a payload of our own: copies, leaves out members that are undefined as JSON does, and
 * says where something is that would not come back from a record as it went in.
 */
import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH, type Payload, payloadFault } from '../../protocol/index.js'

/** Something that is wrong with a value, and where. Never says what the value was. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export const MAX_ISSUES = 20

/** Either the payload, or up to `MAX_ISSUES` reasons why there is none. */
export type PlainData =
  | { readonly payload: Payload; readonly issues: null }
  | { readonly payload: null; readonly issues: readonly Issue[] }

export function plainData(value: unknown): PlainData {
  const copy = new Copy()
  // Handlers that return nothing, and runs that take nothing.
  const payload = value === undefined ? null : copy.of(value)
  if (copy.issues.length > 0) return { payload: null, issues: copy.issues }
  const fault = payloadFault(payload)
  return fault === undefined
    ? { payload, issues: null }
    : { payload: null, issues: [{ path: [], message: fault }] }
}

class Copy {
  readonly issues: Issue[] = []
  readonly #path: (string | number)[] = []
  #values = 0

  of(value: unknown): Payload {
    // Each value takes a byte at least. Also ends what refers to itself in a thousand ways.
    if (++this.#values > MAX_PAYLOAD_BYTES) return this.#fault(`is over ${MAX_PAYLOAD_BYTES} bytes`)
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        if (!Number.isFinite(value)) return this.#fault('is a number that is not finite')
        return value === 0 ? 0 : value
      case 'object':
        return value === null ? null : this.#ofObject(value)
      case 'undefined':
        return this.#fault('is undefined: in a list, put null')
      case 'bigint':
        return this.#fault('is a bigint: pass a number, or text')
      default:
        return this.#fault(`is a ${typeof value}: pass plain data`)
    }
  }

  #ofObject(value: object): Payload {
    if (value instanceof Uint8Array) {
      // Bytes are not values that are walked, so their number is not bounded yet.
      if (value.length > MAX_PAYLOAD_BYTES) return this.#fault(`is over ${MAX_PAYLOAD_BYTES} bytes`)
      return new Uint8Array(value)
    }
    if (this.#path.length >= MAX_PAYLOAD_DEPTH) {
      return this.#fault(`nests deeper than ${MAX_PAYLOAD_DEPTH} levels, or refers to itself`)
    }
    if (Array.isArray(value)) return this.#ofList(value)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return this.#fault(whatItIs(value))
    return this.#ofMap(value as Readonly<Record<string, unknown>>)
  }

  #ofList(list: readonly unknown[]): Payload {
    const copy: Payload[] = []
    for (let i = 0; i < list.length && !this.#full; i++) copy.push(this.#at(i, list[i]))
    return copy
  }

  #ofMap(map: Readonly<Record<string, unknown>>): Payload {
    const copy: Record<string, Payload> = {}
    for (const key of Object.keys(map)) {
      if (this.#full) break
      const member = map[key]
      if (member === undefined) continue
      if (key === '__proto__') this.#fault('has the key __proto__')
      else copy[key] = this.#at(key, member)
    }
    return copy
  }

  #at(step: string | number, value: unknown): Payload {
    this.#path.push(step)
    const copy = this.of(value)
    this.#path.pop()
    return copy
  }

  get #full(): boolean {
    return this.issues.length >= MAX_ISSUES || this.#values > MAX_PAYLOAD_BYTES
  }

  #fault(message: string): null {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path: [...this.#path], message })
    return null
  }
}

const INSTEAD: Readonly<Record<string, string>> = {
  Date: 'pass its milliseconds (getTime()), or text (toISOString())',
  Map: 'pass a plain object (Object.fromEntries)',
  Set: 'pass a list ([...set])',
}

function whatItIs(value: object): string {
  // Not by `constructor`: data from another realm has the name too, and an app's class could say anything.
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return tag === 'Object'
    ? 'is an instance of a class: pass plain data'
    : `is a ${tag}: ${INSTEAD[tag] ?? 'pass plain data, or bytes as Uint8Array'}`
}
