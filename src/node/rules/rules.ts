/** Holds the rules, and turns each outside event into the runs that they ask for. */
import type { RunId } from '../../../protocol/index.js'
import { InputError } from '../errors.js'
import { type Fault, faultOf } from '../fault.js'
import type { SubmitOptions } from '../submit-options.js'
import { type OutsideEvent, readEvent } from './event.js'
import { keyOf } from './key.js'
import { matches } from './match.js'
import { checkRules, type Rule, type RuleRun } from './rule.js'

/** What a rule asks for besides type and input. */
export interface RuleSubmission extends SubmitOptions {
  /** The idempotency key: one key, one run. */
  readonly key: string
}

/** Submits a run, or finds the one that has the key. */
export type SubmitRun = (
  type: RuleRun,
  input: unknown,
  options: RuleSubmission,
) => Promise<{ readonly run: RunId; readonly isNew: boolean }>

export interface IngestResult {
  readonly event: string
  /** The runs, in the order of the rules. Not new: the event had come before. */
  readonly matched: readonly { readonly rule: string; readonly run: RunId; readonly isNew: boolean }[]
  /** Rules that threw, or whose run was refused. Bring the event again to try again: it makes no run twice. */
  readonly failed: readonly { readonly rule: string; readonly error: Fault }[]
  /** How many rules are about other events. */
  readonly skipped: number
}

export class Rules {
  readonly #submit: SubmitRun
  #rules: readonly Rule[] = []

  constructor(submit: SubmitRun) {
    this.#submit = submit
  }

  /** Puts these rules in the place of all before. Throws `INVALID_OPTIONS`. */
  set(rules: readonly Rule[]): void {
    this.#rules = checkRules(rules)
  }

  /**
   * Makes a run for each rule that matches. The same event may come any number of times. Throws `INVALID_EVENT`.
   *
   * @example
   * ```ts
   * const { matched } = await rules.ingest({ id: '17', type: 'mail.received', source: 'inbox', payload: { from } })
   * ```
   */
  async ingest(value: unknown): Promise<IngestResult> {
    const event = readEvent(value)
    const outcomes = await Promise.all(this.#rules.map((rule) => this.#apply(rule, event)))
    return {
      event: event.id,
      matched: outcomes.filter((outcome) => outcome !== null && 'run' in outcome),
      failed: outcomes.filter((outcome) => outcome !== null && 'error' in outcome),
      skipped: outcomes.filter((outcome) => outcome === null).length,
    }
  }

  async #apply(
    rule: Rule,
    event: OutsideEvent,
  ): Promise<IngestResult['matched'][number] | IngestResult['failed'][number] | null> {
    try {
      if (!isAbout(rule, event)) return null
      const input = rule.input === undefined ? event.payload : rule.input(event)
      const { run, isNew } = await this.#submit(rule.run, input, submissionOf(rule, event))
      return { rule: rule.name, run, isNew }
    } catch (error) {
      return { rule: rule.name, error: faultOf(error, 'RULE_ERROR') }
    }
  }
}

function isAbout({ match }: Rule, event: OutsideEvent): boolean {
  if (typeof match !== 'function') return matches(match, event)
  const answer: unknown = match(event)
  if (typeof answer === 'boolean') return answer
  // A promise, most likely: it would match everything.
  throw new InputError('INVALID_OPTIONS', `The rule’s match returned a ${typeof answer}, and no boolean.`)
}

function submissionOf(rule: Rule, event: OutsideEvent): RuleSubmission {
  const further = rule.options?.(event) ?? {}
  const priority = typeof rule.priority === 'function' ? rule.priority(event) : rule.priority
  const project = typeof rule.project === 'function' ? rule.project(event) : rule.project
  // A rule may add labels, and never take away those of the event.
  const privacy = [...new Set([...(event.privacy ?? []), ...[further.privacy ?? []].flat()])]
  return {
    ...further,
    key: rule.key === undefined ? keyOf(rule.name, event) : rule.key(event),
    ...(priority !== undefined && { priority }),
    ...(project !== undefined && { project }),
    ...(privacy.length > 0 && { privacy }),
  }
}
