/** What is wrong with a script, and where. */
import type { JsonPath } from './json-scan.js'

export const SCRIPT_ERROR_CODES = {
  SCRIPT_NOT_JSON: 'The file is no JSON.',
  SCRIPT_INVALID: 'A field is missing, unknown, out of its range, or does not go with the others.',
} as const
export type ScriptErrorCode = keyof typeof SCRIPT_ERROR_CODES

export interface ScriptProblem {
  readonly path: JsonPath
  /** From 1. */
  readonly line: number
  /** What is wrong, and what to write instead. */
  readonly message: string
}

/** Problems that the message shows. All of them are in `problems`. */
const SHOWN = 8

/** A script that cannot be played. Nothing was. */
export class ScriptError extends Error {
  readonly code: ScriptErrorCode
  /** The file. */
  readonly file: string
  readonly problems: readonly ScriptProblem[]

  constructor(code: ScriptErrorCode, file: string, problems: readonly ScriptProblem[]) {
    const lines = problems.slice(0, SHOWN).map((problem) => `${file}:${problem.line}: ${problem.message}`)
    if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`)
    super(lines.join('\n'))
    this.name = 'ScriptError'
    this.code = code
    this.file = file
    this.problems = problems
  }
}

/** `steps[3].device` */
export function pathText(path: JsonPath): string {
  let text = ''
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : text === '' ? key : `.${key}`
  return text === '' ? 'The file' : text
}
