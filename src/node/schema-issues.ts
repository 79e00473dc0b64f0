/**
 * What a schema found wrong, made fit to be logged: bounded, and without the value. Payload bodies never reach logs, and
 * some libraries quote what they were given (“received "…"”).
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { cut } from './cut.js'
import { type Issue, MAX_ISSUES, stepOf } from './plain-data.js'

/** Characters of a message: a sentence or two. */
const MAX_MESSAGE_LENGTH = 200
/** Steps of a path, and levels of the value that are searched. */
const MAX_STEPS = 32
/** Members of the value that messages are searched for. Beyond, no message is let through. */
const MAX_MEMBERS = 2000
/** A library may quote only the beginning of a text. */
const QUOTED_LENGTH = 12
const UNSAID = 'does not match the schema'

export function schemaIssues(issues: readonly StandardSchemaV1.Issue[], value: unknown): readonly Issue[] {
  const texts = new Leaves('texts')
  texts.add(value)
  return issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const steps = (path ?? []).slice(0, MAX_STEPS).map(keyOf)
    // Numbers only where the issue is: or a 1 anywhere in the value would hide “at least 1 character”.
    const numbers = new Leaves('numbers')
    numbers.add(valueAt(value, steps))
    const isQuoting = texts.areIn(String(message)) || numbers.areIn(String(message))
    return { path: steps.map(stepOf), message: isQuoting ? UNSAID : cut(String(message), MAX_MESSAGE_LENGTH) }
  })
}

function keyOf(segment: PropertyKey | StandardSchemaV1.PathSegment): PropertyKey {
  return typeof segment === 'object' ? segment.key : segment
}

function valueAt(value: unknown, steps: readonly PropertyKey[]): unknown {
  let at = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) return at
    at = (at as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return at
}

/** All texts, or all numbers, that stand in a value. */
class Leaves {
  readonly #isOne: (value: unknown) => boolean
  readonly #found = new Set<string>()
  #members = 0
  #isComplete = true

  constructor(which: 'texts' | 'numbers') {
    const types = which === 'texts' ? ['string'] : ['number', 'bigint']
    this.#isOne = (value) => types.includes(typeof value)
  }

  add(value: unknown, depth = 0): void {
    if (++this.#members > MAX_MEMBERS || depth > MAX_STEPS) this.#isComplete = false
    if (!this.#isComplete) return
    if (this.#isOne(value)) this.#addLeaf(String(value))
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      if (hidesMembers(value)) this.#isComplete = false
      for (const member of Object.values(value)) this.add(member, depth + 1)
    }
  }

  // As schemas quote it: trimmed, in some other case, or escaped. In upper case: lower case depends on what comes next.
  #addLeaf(text: string): void {
    const begin = text.trimStart().slice(0, QUOTED_LENGTH).trimEnd().toUpperCase()
    this.#found.add(begin)
    this.#found.add(JSON.stringify(begin).slice(1, -1).slice(0, QUOTED_LENGTH))
  }

  /** Whether one of them stands in the message, not as a part of a longer word. True if there were too many to look for. */
  areIn(message: string): boolean {
    if (!this.#isComplete) return true
    const said = message.slice(0, MAX_MESSAGE_LENGTH + QUOTED_LENGTH).toUpperCase()
    for (const leaf of this.#found) if (leaf !== '' && isQuoted(leaf, said)) return true
    return false
  }
}

/** Maps, sets, dates: what they hold is none of their own properties. */
function hidesMembers(value: object): boolean {
  return !Array.isArray(value) && (Symbol.iterator in value || 'toJSON' in value)
}

function isQuoted(leaf: string, said: string): boolean {
  for (let at = said.indexOf(leaf); at !== -1; at = said.indexOf(leaf, at + 1)) {
    const isWord = !isWordCharacter(said[at - 1]) && !isWordCharacter(said[at + leaf.length])
    if (isWord || leaf.length >= QUOTED_LENGTH) return true
  }
  return false
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}
