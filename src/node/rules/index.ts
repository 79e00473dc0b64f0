/**
 * Rules: outside events become runs by policy.
 *
 * @module
 */
export type { OutsideEvent } from './event.js'
export type { EventMatch } from './match.js'
export { fromRepositoryWebhook, type RepositoryWebhook } from './repository-webhook.js'
export type { Rule, RuleOptions, RuleRun } from './rule.js'
export { type IngestResult, type RuleSubmission, Rules, type SubmitRun } from './rules.js'
