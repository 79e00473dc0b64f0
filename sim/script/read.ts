/** Reads a script that somebody wrote by hand: what is wrong with it is said with its line, and with what to write. */
import type { z } from 'zod'
import { JsonError, type JsonPath, lineAt, offsetOf, scan } from './json-scan.js'
import { type JsonSchema, namesOf, schemaAt, scriptJsonSchema, wordsOf } from './json-schema.js'
import { nearest } from './nearest.js'
import { SCRIPT_SCHEMA } from './schema.js'
import { pathText, ScriptError, type ScriptProblem } from './script-error.js'
import { nonsenseIn } from './sense.js'
import type { Script } from './types.js'

/** Problems that are told of one script: to find the line of each takes a walk through the file. */
const MAX_PROBLEMS = 50

/**
 * Reads a script from JSON. `name` is the file, for messages.
 *
 * Throws a `ScriptError`: `SCRIPT_NOT_JSON`, or `SCRIPT_INVALID` with every problem.
 */
export function readScript(given: string, name: string): Script {
  const text = withoutMark(given)
  const script = readJson(text, name, SCRIPT_SCHEMA, scriptJsonSchema())
  checkSense(script, text, name)
  return script
}

/** Throws a `ScriptError` if steps of a script do not go with the rest. `within` says where in the file it stands. */
export function checkSense(script: Script, text: string, name: string, within: JsonPath = []): void {
  const problems = nonsenseIn(script)
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) =>
      problemAt(text, [...within, ...path], `${pathText([...within, ...path])} ${message}`),
    )
  if (problems.length > 0) throw new ScriptError('SCRIPT_INVALID', name, problems)
}

/** Reads JSON of any schema, with the same care. */
export function readJson<T>(given: string, name: string, schema: z.ZodType<T>, json: JsonSchema): T {
  const text = withoutMark(given)
  const value = parsed(text, name)
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  const problems = checked.error.issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => problemsOf(issue, text, value, json))
  throw new ScriptError('SCRIPT_INVALID', name, problems)
}

/** An editor's byte order mark is no JSON, and no fault of whoever wrote it. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw notJson(text, name)
  }
}

function notJson(text: string, name: string): ScriptError {
  let problem: ScriptProblem = { path: [], line: 1, message: 'This is no JSON.' }
  try {
    scan(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    problem = { path: [], line: lineAt(text, error.offset), message: `This is no JSON. ${error.message}` }
  }
  return new ScriptError('SCRIPT_NOT_JSON', name, [problem])
}

type Issue = z.core.$ZodIssue

function problemsOf(issue: Issue, text: string, value: unknown, json: JsonSchema): readonly ScriptProblem[] {
  const path = issue.path as JsonPath
  const schema = schemaAt(json, path, value)
  if (issue.code === 'unrecognized_keys') {
    const known = schema === null ? [] : namesOf(schema)
    return issue.keys.map((key) =>
      problemAt(text, [...path, key], `${pathText([...path, key])} is unknown${instead(key, known)}`),
    )
  }
  const given = valueAt(value, path)
  const what = given === undefined ? 'is missing' : `is ${shown(given)}`
  const kinds = 'options' in issue ? (issue.options as readonly string[]) : null
  const message =
    kinds !== null && typeof given === 'string'
      ? `${what}, which is no step${instead(given, kinds)}`
      : `${what}: write ${kinds !== null ? `one of ${kinds.join(', ')}` : schema === null ? issue.message : wordsOf(schema)}.`
  return [problemAt(text, path, `${pathText(path)} ${message}`)]
}

/** `: did you mean “device”? There are do, at, device.` */
function instead(given: string, known: readonly string[]): string {
  const near = nearest(given, known)
  const all = known.length === 0 ? 'Take it away.' : `There are ${known.join(', ')}.`
  return near === null ? `. ${all}` : `: did you mean “${near}”? ${all}`
}

function problemAt(text: string, path: JsonPath, message: string): ScriptProblem {
  return { path, line: lineAt(text, offsetOf(text, path)), message }
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<string | number, unknown>> | null | undefined)?.[key],
    value,
  )
}

function shown(value: unknown): string {
  const json = JSON.stringify(value)
  if (json.length <= 60) return json
  return Array.isArray(value) ? `a list of ${value.length}` : `${json.slice(0, 57)}…`
}
