/**
 * What a schema found wrong, made fit to be logged: bounded, and without the value. Payload bodies never reach logs, and
 * some libraries quote what they were given (“received "…"”).
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type Issue, MAX_ISSUES } from './plain-data.js'

const MAX_MESSAGE_LENGTH = 200
const MAX_STEPS = 32
const MAX_STEP_LENGTH = 64
/** Texts and numbers of the value that messages are searched for. */
const MAX_LEAVES = 2000
/** A library may quote only the beginning of a text. */
const QUOTED_LENGTH = 12
const UNSAID = 'does not match the schema'

export function schemaIssues(issues: readonly StandardSchemaV1.Issue[], value: unknown): readonly Issue[] {
  const leaves = new Set<string>()
  const complete = collectLeaves(value, leaves, 0)
  return issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: (path ?? []).slice(0, MAX_STEPS).map(stepOf),
    message: complete && !quotes(String(message), leaves) ? cut(String(message), MAX_MESSAGE_LENGTH) : UNSAID,
  }))
}

function stepOf(segment: PropertyKey | StandardSchemaV1.PathSegment): string | number {
  const key = typeof segment === 'object' ? segment.key : segment
  return typeof key === 'number' ? key : cut(String(key), MAX_STEP_LENGTH)
}

/** False if there were too many to look for. */
function collectLeaves(value: unknown, leaves: Set<string>, depth: number): boolean {
  if (leaves.size >= MAX_LEAVES || depth > MAX_STEPS) return false
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value)
    leaves.add(text.slice(0, QUOTED_LENGTH))
    leaves.add(JSON.stringify(text).slice(1, -1).slice(0, QUOTED_LENGTH))
    return true
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  return Object.values(value).every((member) => collectLeaves(member, leaves, depth + 1))
}

/** Whether one of the texts stands in the message, not as a part of a longer word. */
function quotes(message: string, leaves: ReadonlySet<string>): boolean {
  for (const leaf of leaves) {
    if (leaf.trim() === '') continue
    for (let at = message.indexOf(leaf); at !== -1; at = message.indexOf(leaf, at + 1)) {
      const end = at + leaf.length
      const isWord = !isWordCharacter(message[at - 1]) && !isWordCharacter(message[end])
      if (isWord || leaf.length >= QUOTED_LENGTH) return true
    }
  }
  return false
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
