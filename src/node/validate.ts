/** Holds inputs and outputs against the schema of their run type, and makes payloads of them. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Payload } from '../../protocol/index.js'
import type { RunType } from './define-run.js'
import { InputError } from './errors.js'
import { type Issue, plainData } from './plain-data.js'
import { schemaIssues } from './schema-issues.js'

/**
 * What to store for this input: what the schema made of it, as plain data of our own. A type that is known by name only
 * takes any payload.
 *
 * Throws `INVALID_INPUT`, with `details.issues`.
 */
export function validateInput(type: RunType | string, value: unknown): Promise<Payload> {
  return validate('input', type, value)
}

/** What to store for what a handler returned. Throws `INVALID_OUTPUT`, with `details.issues`. */
export function validateOutput(type: RunType | string, value: unknown): Promise<Payload> {
  return validate('output', type, value)
}

type Side = 'input' | 'output'

async function validate(side: Side, type: RunType | string, value: unknown): Promise<Payload> {
  const name = typeof type === 'string' ? type : type.type
  const schema = typeof type === 'string' ? null : type[side]
  const data = plainData(schema === null ? value : await throughSchema(side, name, schema, value))
  if (data.issues !== null) throw refusal(side, name, 'is no payload', data.issues)
  return data.payload
}

async function throughSchema(
  side: Side,
  name: string,
  schema: StandardSchemaV1,
  value: unknown,
): Promise<unknown> {
  let result: StandardSchemaV1.Result<unknown>
  try {
    const answer = schema['~standard'].validate(value)
    result = answer instanceof Promise ? await answer : answer
  } catch (error) {
    // Not as the cause: what a schema throws may hold the value.
    const thrown = error instanceof Error ? error.name : typeof error
    throw refusal(side, name, 'could not be checked', [{ path: [], message: `the schema threw ${thrown}` }])
  }
  if (result.issues) {
    throw refusal(side, name, 'does not match its schema', schemaIssues(result.issues, value))
  }
  return result.value
}

function refusal(side: Side, name: string, what: string, issues: readonly Issue[]): InputError {
  const [first] = issues
  const where = first === undefined || first.path.length === 0 ? '' : `${first.path.join('.')}: `
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new InputError(
    side === 'input' ? 'INVALID_INPUT' : 'INVALID_OUTPUT',
    `The ${side} of “${name}” ${what}. ${where}${first?.message ?? 'no reason given'}${more}. Nothing was written.`,
    { type: name, issues },
  )
}
