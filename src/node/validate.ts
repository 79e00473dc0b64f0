/**
 * Holds inputs and outputs against the schema of their run type, on both ends. What is stored is what was given, as plain
 * data of our own; who reads it gets what the schema makes of that, which may be no plain data at all, such as a date.
 *
 * Each gives a promise only if the schema does: one for each submit would cost more than the check itself.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Payload } from '../../protocol/index.js'
import type { RunType } from './define-run.js'
import { InputError } from './errors.js'
import { type Issue, plainData } from './plain-data.js'
import { schemaIssues } from './schema-issues.js'
import { isThenable } from './thenable.js'

/**
 * What to store for this input. A type that is known by name only takes any payload. Throws `INVALID_INPUT`, or rejects
 * with it, with `details.issues`.
 */
export function validateInput(type: RunType | string, value: unknown): Payload | Promise<Payload> {
  return validate('input', type, value)
}

/** What to store for what a handler returned. Throws `INVALID_OUTPUT`, or rejects with it, with `details.issues`. */
export function validateOutput(type: RunType | string, value: unknown): Payload | Promise<Payload> {
  return validate('output', type, value)
}

/** What a handler gets for an input that is stored. Throws `INVALID_INPUT`: whoever submitted it had another schema. */
export function readInput(type: RunType | string, stored: Payload): unknown {
  return read('input', type, stored)
}

/** What `result()` gives for an output that is stored. Throws `INVALID_OUTPUT`: whoever made it had another schema. */
export function readOutput(type: RunType | string, stored: Payload): unknown {
  return read('output', type, stored)
}

/** What to store for what a handler reports. Throws `INVALID_PROGRESS`. */
export function checkProgress(type: RunType | string, data: unknown): unknown {
  const schema = typeof type === 'string' ? null : type.progress
  if (schema === null) return data
  const answer = ask(schema, data, 'progress', type)
  // A handler reports on the run, and waits for nothing: what cannot be told at once is let pass.
  if (!isThenable(answer)) accepted(answer, data, 'progress', type)
  return data
}

/** What a handler finds of an earlier report; null if it is none that this version of the type understands. */
export function readCheckpoint(type: RunType | string, stored: Payload): unknown {
  const schema = typeof type === 'string' ? null : type.progress
  if (schema === null || stored === null) return stored
  try {
    const answer = ask(schema, stored, 'progress', type)
    return isThenable(answer) ? stored : accepted(answer, stored, 'progress', type)
  } catch {
    return null
  }
}

type Side = 'input' | 'output' | 'progress'
type Result = StandardSchemaV1.Result<unknown>

function validate(
  side: 'input' | 'output',
  type: RunType | string,
  value: unknown,
): Payload | Promise<Payload> {
  const { payload, issues } = plainData(value)
  if (issues !== null) throw refusal(side, type, 'is no payload', issues)
  // The copy and not the value: it is what will be read.
  const made = read(side, type, payload)
  return isThenable(made) ? Promise.resolve(made).then(() => payload) : payload
}

function read(side: 'input' | 'output', type: RunType | string, stored: Payload): unknown {
  const schema = typeof type === 'string' ? null : type[side]
  if (schema === null) return stored
  const answer = ask(schema, stored, side, type)
  if (stored === null) return readNothing(schema, answer, side, type)
  if (!isThenable(answer)) return accepted(answer, stored, side, type)
  return answer.then((result) => accepted(result, stored, side, type))
}

type Answer = Result | Promise<Result>

/** A record has one word for nothing. Schemas have two: what is not null may be undefined. */
function readNothing(schema: StandardSchemaV1, first: Answer, side: Side, type: RunType | string): unknown {
  if (isThenable(first)) return first.then((result) => readNothing(schema, result, side, type))
  if (!first?.issues) return accepted(first, null, side, type)
  const second = ask(schema, undefined, side, type)
  const better = (result: Result): unknown => accepted(result?.issues ? first : result, null, side, type)
  return isThenable(second) ? second.then(better) : better(second)
}

function ask(schema: StandardSchemaV1, value: unknown, side: Side, type: RunType | string): Answer {
  try {
    const answer = schema['~standard'].validate(value)
    if (!isThenable(answer)) return answer
    return Promise.resolve(answer).catch((error: unknown) => {
      throw unchecked(error, side, type)
    })
  } catch (error) {
    throw unchecked(error, side, type)
  }
}

// Not as the cause: what a schema throws may hold the value.
function unchecked(error: unknown, side: Side, type: RunType | string): InputError {
  const thrown = error instanceof Error ? error.name : typeof error
  return refusal(side, type, 'could not be checked', [{ path: [], message: `the schema threw ${thrown}` }])
}

function accepted(result: Result, stored: unknown, side: Side, type: RunType | string): unknown {
  if (typeof result !== 'object' || result === null)
    throw refusal(side, type, 'could not be checked', [{ path: [], message: 'the schema gave no result' }])
  if (result.issues)
    throw refusal(side, type, 'does not match its schema', schemaIssues(result.issues, stored))
  return result.value
}

const CODES = { input: 'INVALID_INPUT', output: 'INVALID_OUTPUT', progress: 'INVALID_PROGRESS' } as const

function refusal(side: Side, type: RunType | string, what: string, issues: readonly Issue[]): InputError {
  const name = typeof type === 'string' ? type : type.type
  const [first] = issues
  const where = first === undefined || first.path.length === 0 ? '' : `${first.path.join('.')}: `
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new InputError(
    CODES[side],
    `The ${side} of “${name}” ${what}. ${where}${first?.message ?? 'no reason given'}${more}.`,
    { type: name, issues },
  )
}
