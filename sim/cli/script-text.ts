/** Scripts, and failures, as files that people read: a line for each device and each step. */
import { z } from 'zod'
import { INVARIANTS, type InvariantName } from '../oracles/names.js'
import type { Outcome } from '../outcome.js'
import { jsonSchemaOf } from '../script/json-schema.js'
import { checkSense, readJson, readScript } from '../script/read.js'
import { SCRIPT_SCHEMA } from '../script/schema.js'
import type { Script } from '../script/types.js'
import { readText } from './files.js'

/** What a script is known to lead to. */
export interface Expected {
  readonly digest: string
  readonly logDigest: string
  readonly violated: readonly InvariantName[]
}

/** A script that went wrong, and how. */
export interface Failure {
  readonly expected: Expected
  readonly script: Script
}

const FAILURE_SCHEMA: z.ZodType<Failure> = z.strictObject({
  expected: z.strictObject({
    digest: z.string(),
    logDigest: z.string(),
    violated: z.array(z.enum(Object.keys(INVARIANTS) as [InvariantName, ...InvariantName[]])),
  }),
  script: SCRIPT_SCHEMA,
})

/** Reads a script, or a failure. */
export function readPlayable(file: string): { readonly script: Script; readonly expected: Expected | null } {
  const text = readText(file)
  if (!/^\s*\{\s*"expected"/.test(text)) return { script: readScript(text, file), expected: null }
  const failure = readJson(text, file, FAILURE_SCHEMA, jsonSchemaOf(FAILURE_SCHEMA))
  checkSense(failure.script, text, file, ['script'])
  return failure
}

export function scriptText(script: Script): string {
  return `${objectText(script, '')}\n`
}

export function failureText({ expected, script }: Failure): string {
  return `{\n  "expected": ${JSON.stringify(expected)},\n  "script": ${objectText(script, '  ')}\n}\n`
}

function objectText(value: object, indent: string): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const lines = fields.map(([name, field]) => {
    const text =
      name === 'steps' || name === 'devices'
        ? listText(field as readonly unknown[], `${indent}  `)
        : JSON.stringify(field)
    return `${indent}  ${JSON.stringify(name)}: ${text}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function listText(items: readonly unknown[], indent: string): string {
  if (items.length === 0) return '[]'
  return `[\n${items.map((item) => `${indent}  ${JSON.stringify(item)}`).join(',\n')}\n${indent}]`
}

export function failureOf(script: Script, { digest, logDigest, violations }: Outcome): Failure {
  return {
    expected: { digest, logDigest, violated: [...new Set(violations.map(({ invariant }) => invariant))] },
    script,
  }
}
