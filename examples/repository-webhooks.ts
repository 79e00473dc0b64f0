/**
 * Events of a repository become work, by rules: issues, pull requests, workflow runs.
 * `npm run example repository-webhooks`
 *
 * In your app the webhooks come from your HTTP server, which has checked their signature.
 */
import { z } from 'zod'
import { createNode, defineRun, fromRepositoryWebhook, type Rule } from '../src/index.js'

const triage = defineRun({
  type: 'issue.triage',
  input: z.object({ repository: z.string(), number: z.int(), title: z.string() }),
  output: z.string(),
})
const review = defineRun({
  type: 'pull.review',
  input: z.object({ repository: z.string(), number: z.int(), sha: z.string() }),
  output: z.string(),
  timeoutMs: 600_000,
})
const repair = defineRun({
  type: 'workflow.repair',
  input: z.object({ repository: z.string(), name: z.string(), branch: z.string() }),
  output: z.string(),
  priority: 'high',
})

const rules: readonly Rule[] = [
  {
    name: 'triage-bugs',
    match: {
      source: 'repository',
      type: ['issues.opened', 'issues.labeled'],
      where: { labels: ['bug', 'crash'] },
    },
    run: triage,
    project: ({ subject }) => subject,
    input: ({ payload }) => pick(payload, ['repository', 'number', 'title']),
    // One triage for each issue, however many events it has.
    key: ({ payload }) => `triage ${JSON.stringify(pick(payload, ['repository', 'number']))}`,
  },
  {
    name: 'review-pulls',
    match: {
      source: 'repository',
      type: ['pull_request.opened', 'pull_request.synchronize'],
      where: { draft: false, base: 'main' },
    },
    run: review,
    project: ({ subject }) => subject,
    input: ({ payload }) => pick(payload, ['repository', 'number', 'sha']),
    options: () => ({ deadlineInMs: 86_400_000 }),
  },
  {
    name: 'repair-main',
    match: { source: 'repository', type: 'workflow_run.failed', where: { branch: 'main' } },
    run: repair,
    project: ({ subject }) => subject,
    input: ({ payload }) => pick(payload, ['repository', 'name', 'branch']),
  },
]

const node = await createNode({ name: 'build-box' })
node.rules(rules)
node.handle(triage, ({ number, title }) => `#${number} “${title}” looks like a bug`)
node.handle(review, ({ number, sha }) => `#${number} at ${sha} looks good`)
node.handle(repair, ({ name, branch }) => `“${name}” on ${branch} was flaky, started again`)

const repository = { full_name: 'ana/album', private: false }
const crash = { number: 17, title: 'It crashes', state: 'open', labels: [{ name: 'crash' }] }
const pull = {
  number: 18,
  title: 'Fix the crash',
  draft: false,
  base: { ref: 'main' },
  head: { ref: 'fix', sha: 'c0ffee' },
}
const build = {
  id: 1,
  name: 'build',
  head_branch: 'main',
  head_sha: 'c0ffee',
  conclusion: 'failure',
  run_attempt: 1,
}

const webhooks = [
  { event: 'issues', delivery: 'a1', body: { action: 'opened', repository, issue: crash } },
  // The host delivers twice.
  { event: 'issues', delivery: 'a1', body: { action: 'opened', repository, issue: crash } },
  {
    event: 'issues',
    delivery: 'a2',
    body: { action: 'labeled', repository, issue: crash, label: { name: 'crash' } },
  },
  { event: 'pull_request', delivery: 'a3', body: { action: 'opened', repository, pull_request: pull } },
  {
    event: 'pull_request',
    delivery: 'a4',
    body: { action: 'opened', repository, pull_request: { ...pull, draft: true } },
  },
  { event: 'workflow_run', delivery: 'a5', body: { action: 'completed', repository, workflow_run: build } },
]

for (const webhook of webhooks) {
  const event = fromRepositoryWebhook(webhook)
  const { matched, failed } = await node.ingest(event)
  const outcome = matched.map(({ rule, isNew }) => (isNew ? rule : `${rule}, known already`)).join('; ')
  console.log(`${webhook.delivery} ${event.type}: ${outcome || 'no rule is about it'}`)
  for (const { rule, error } of failed) console.log(`  ${rule} failed: ${error.message}`)
}

console.log()
for (const { run, created, priority } of node.runs.list({ project: 'ana/album' }, { order: 'oldest' }).runs) {
  console.log(`${created.type}, priority ${priority}: ${await node.runs.get(run)?.result()}`)
}
await node.close()

/** Some fields of a payload. The run type's schema checks them. */
function pick(payload: unknown, names: readonly string[]): Record<string, unknown> {
  const fields = payload as Record<string, unknown>
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
