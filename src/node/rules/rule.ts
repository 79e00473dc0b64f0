/** Rules: which events become which runs. */
import { z } from 'zod'
import { FIELD_SCHEMAS, type PRIORITIES } from '../../../protocol/index.js'
import { InputError } from '../errors.js'
import { MAX_CONDITIONS, MAX_RULES } from './constants.js'
import type { OutsideEvent } from './event.js'
import type { EventMatch } from './match.js'

/** A word, or any integer within the cap; higher first. */
export type RulePriority = keyof typeof PRIORITIES | number

/** The type of a run, or what `defineRun` returned. */
export type RuleRun = string | { readonly type: string }

/** Further options of the submission. */
export type RuleOptions = Readonly<Record<string, unknown>>

/**
 * Makes one run of each event that matches.
 *
 * @example
 * ```ts
 * const triage: Rule = {
 *   name: 'triage-bugs',
 *   match: { source: 'repository', type: 'issues.labeled', where: { label: 'bug' } },
 *   run: 'issue.triage',
 *   priority: 8,
 * }
 * ```
 */
export interface Rule {
  /** Tells rules apart, in results and in idempotency keys. */
  readonly name: string
  readonly match: EventMatch | ((event: OutsideEvent) => boolean)
  readonly run: RuleRun
  readonly priority?: RulePriority | ((event: OutsideEvent) => RulePriority)
  readonly project?: string | ((event: OutsideEvent) => string | undefined)
  /** @default the event's payload */
  readonly input?: (event: OutsideEvent) => unknown
  /**
   * Events with one key make one run.
   *
   * @default `${rule.name}:${event.id}`
   */
  readonly key?: (event: OutsideEvent) => string
  readonly options?: (event: OutsideEvent) => RuleOptions
}

const callable = z.custom<unknown>((value) => typeof value === 'function', 'is no function')
const oneOrMore = z.union([FIELD_SCHEMAS.name, z.array(FIELD_SCHEMAS.name).min(1).max(MAX_CONDITIONS)])
const where = z
  .record(z.string().min(1), FIELD_SCHEMAS.payload)
  .refine((paths) => Object.keys(paths).length <= MAX_CONDITIONS, `has over ${MAX_CONDITIONS} conditions`)
const schema = z.strictObject({
  name: FIELD_SCHEMAS.name,
  match: z.union([
    callable,
    z.strictObject({ source: oneOrMore.optional(), type: oneOrMore.optional(), where: where.optional() }),
  ]),
  run: z.union([FIELD_SCHEMAS.name, z.looseObject({ type: FIELD_SCHEMAS.name })]),
  priority: z.union([z.enum(['low', 'normal', 'high']), FIELD_SCHEMAS.priority, callable]).optional(),
  project: z.union([FIELD_SCHEMAS.name, callable]).optional(),
  input: callable.optional(),
  key: callable.optional(),
  options: callable.optional(),
})

/** A copy of rules that are fit for use. Throws `INVALID_OPTIONS`, naming rule and field. */
export function checkRules(rules: readonly Rule[]): readonly Rule[] {
  if (!Array.isArray(rules) || rules.length > MAX_RULES)
    throw invalid(`Rules come as a list of at most ${MAX_RULES}`, { field: 'rules' })
  const names = new Set<string>()
  rules.forEach((rule: Rule, i) => {
    const issue = schema.safeParse(rule).error?.issues[0]
    if (issue !== undefined) {
      const field = ['rules', i, ...issue.path].join('.')
      throw invalid(`${field} is wrong: ${issue.message}`, { field })
    }
    if (names.has(rule.name))
      throw invalid(`Two rules are called “${rule.name}”`, { field: `rules.${i}.name` })
    names.add(rule.name)
  })
  return rules.map((rule: Rule) => ({ ...rule }))
}

function invalid(what: string, details: { readonly field: string }): InputError {
  return new InputError('INVALID_OPTIONS', `${what}. The rules before stay in force.`, details)
}
