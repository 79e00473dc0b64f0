/** Rules: which events become which runs. */
import { z } from 'zod'
import { FIELD_SCHEMAS } from '../../../protocol/index.js'
import { MAX_TYPE_LENGTH, type RunType } from '../define-run.js'
import { InputError } from '../errors.js'
import type { Priority } from '../run-settings.js'
import type { SubmitOptions } from '../submit-options.js'
import { MAX_CONDITIONS, MAX_RULES } from './constants.js'
import type { OutsideEvent } from './event.js'
import type { EventMatch } from './match.js'

/** The type of a run, or what `defineRun` returned. */
export type RuleRun = string | RunType

/** Further options of the submission. The key has a place of its own, `Rule.key`. */
export type RuleOptions = Omit<SubmitOptions, 'key'>

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
  /** @default that of the run type */
  readonly priority?: Priority | ((event: OutsideEvent) => Priority | undefined) | undefined
  /** @default that of the run type */
  readonly project?: string | ((event: OutsideEvent) => string | undefined) | undefined
  /** @default the event's payload */
  readonly input?: ((event: OutsideEvent) => unknown) | undefined
  /**
   * Events with one key make one run.
   *
   * @default made of the rule's name, the event's source and its id
   */
  readonly key?: ((event: OutsideEvent) => string) | undefined
  readonly options?: ((event: OutsideEvent) => RuleOptions) | undefined
}

const callable = z.custom<unknown>((value) => typeof value === 'function', 'is no function')
const oneOrMore = z.union([FIELD_SCHEMAS.name, z.array(FIELD_SCHEMAS.name).min(1).max(MAX_CONDITIONS)])
const where = z
  .record(z.string().min(1), FIELD_SCHEMAS.payload)
  .refine((paths) => Object.keys(paths).length <= MAX_CONDITIONS, `has over ${MAX_CONDITIONS} conditions`)
const runType = FIELD_SCHEMAS.name.refine((type) => type.length <= MAX_TYPE_LENGTH, 'is too long')
const schema = z.strictObject({
  name: FIELD_SCHEMAS.name,
  match: z.union([
    callable,
    z.strictObject({ source: oneOrMore.optional(), type: oneOrMore.optional(), where: where.optional() }),
  ]),
  run: z.union([runType, z.looseObject({ type: runType })]),
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
