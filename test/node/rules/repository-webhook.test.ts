import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/node/errors.js'
import { readEvent } from '../../../src/node/rules/event.js'
import { fromRepositoryWebhook } from '../../../src/node/rules/repository-webhook.js'
import { thrown } from '../../protocol/thrown.js'
import { Desk, triage } from './kit.js'

const delivery = '72d3162e-cc78-11e3-81ab-4c9367dc0958'
const repository = { id: 1, full_name: 'octo/boat', private: true, description: 'secret plans' }
const sender = { login: 'ana', id: 2, avatar_url: 'https://example.org/ana.png' }

const issue = {
  number: 7,
  title: 'It leaks',
  body: 'secret story',
  state: 'open',
  html_url: 'https://example.org/octo/boat/issues/7',
  user: { login: 'ben' },
  labels: [{ name: 'bug' }, { name: 'hull' }],
  assignees: [{ login: 'cid' }],
  updated_at: '2026-01-01T12:00:00Z',
}
const pull = {
  ...issue,
  draft: false,
  merged: false,
  base: { ref: 'main', sha: 'b'.repeat(40) },
  head: { ref: 'fix', sha: 'a'.repeat(40) },
}
const workflow = {
  id: 30433642,
  name: 'ci',
  head_branch: 'main',
  head_sha: 'a'.repeat(40),
  event: 'push',
  run_attempt: 2,
  conclusion: 'failure',
  html_url: 'https://example.org/octo/boat/actions/runs/30433642',
  updated_at: '2026-01-01T12:00:00Z',
}

function hook(event: string, body: object): ReturnType<typeof fromRepositoryWebhook> {
  return fromRepositoryWebhook({ event, delivery, body: { repository, sender, ...body } })
}

describe('a repository’s webhook', () => {
  it('about an issue', () => {
    const event = hook('issues', { action: 'labeled', issue, label: { name: 'bug' } })
    expect(event).toEqual({
      id: delivery,
      type: 'issues.labeled',
      source: 'repository',
      occurredAt: '2026-01-01T12:00:00Z',
      subject: 'octo/boat',
      payload: {
        action: 'labeled',
        repository: 'octo/boat',
        private: true,
        sender: 'ana',
        number: 7,
        title: 'It leaks',
        state: 'open',
        author: 'ben',
        labels: ['bug', 'hull'],
        label: 'bug',
        assignees: ['cid'],
        url: 'https://example.org/octo/boat/issues/7',
      },
    })
    expect(readEvent(event)).toEqual(event)
  })

  it('about a pull request', () => {
    const opened = hook('pull_request', { action: 'opened', pull_request: pull })
    expect(opened).toMatchObject({
      type: 'pull_request.opened',
      payload: { number: 7, draft: false, merged: false, base: 'main', head: 'fix', sha: 'a'.repeat(40) },
    })
    const closed = { action: 'closed', pull_request: pull }
    expect(hook('pull_request', closed).type).toBe('pull_request.closed')
    const merged = { action: 'closed', pull_request: { ...pull, merged: true } }
    expect(hook('pull_request', merged)).toMatchObject({
      type: 'pull_request.merged',
      payload: { merged: true },
    })
  })

  it('about a workflow run', () => {
    const failed = hook('workflow_run', { action: 'completed', workflow_run: workflow })
    expect(failed).toMatchObject({
      type: 'workflow_run.failed',
      payload: { id: 30433642, name: 'ci', branch: 'main', cause: 'push', attempt: 2, conclusion: 'failure' },
    })
    const typeOf = (action: string, conclusion: string | null): string =>
      hook('workflow_run', { action, workflow_run: { ...workflow, conclusion } }).type
    expect(typeOf('completed', 'timed_out')).toBe('workflow_run.failed')
    expect(typeOf('completed', 'success')).toBe('workflow_run.completed')
    expect(typeOf('completed', 'cancelled')).toBe('workflow_run.completed')
    expect(typeOf('requested', null)).toBe('workflow_run.requested')
  })

  it('about anything else is who, what and where', () => {
    expect(hook('push', { ref: 'refs/heads/main', commits: [{ message: 'secret' }] })).toEqual({
      id: delivery,
      type: 'push',
      source: 'repository',
      subject: 'octo/boat',
      payload: { action: null, repository: 'octo/boat', private: true, sender: 'ana' },
    })
  })

  it('leaves bodies and descriptions where they are', () => {
    const events = [
      hook('issues', { action: 'opened', issue }),
      hook('pull_request', { action: 'opened', pull_request: pull }),
      hook('workflow_run', {
        action: 'completed',
        workflow_run: { ...workflow, head_commit: { message: 'secret' } },
      }),
    ]
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('may be odd, and long, and makes an event all the same', () => {
    const odd = {
      number: 'seven',
      title: `${'x'.repeat(255)}🜁`,
      labels: 'bug',
      user: null,
      updated_at: 'today',
    }
    const labels = Array.from({ length: 1000 }, (_, i) => ({ name: `label ${i}` }))
    for (const about of [odd, { ...odd, labels }, null, 17]) {
      const event = hook('issues', { action: 'opened', issue: about })
      expect(readEvent(event)).toEqual(event)
    }
    expect(hook('issues', { action: 'opened', issue: odd })).toMatchObject({
      payload: { number: null, title: 'x'.repeat(255), labels: [], author: null },
    })
    expect(hook('issues', { issue: odd })).not.toHaveProperty('occurredAt')
  })

  it.each([
    [{ event: '', delivery, body: {} }, 'event'],
    [{ event: undefined, delivery, body: {} }, 'event'],
    [{ event: 'issues', delivery: undefined, body: {} }, 'delivery'],
    [{ event: 'issues', delivery, body: null }, 'body'],
    [{ event: 'issues', delivery, body: [] }, 'body'],
    [{ event: 'issues', delivery, body: '{}' }, 'body'],
  ])('is refused as %o', (given, field) => {
    const call = (): unknown => fromRepositoryWebhook(given as Parameters<typeof fromRepositoryWebhook>[0])
    expect(thrown(InputError, call)).toMatchObject({ code: 'INVALID_EVENT', details: { field } })
  })

  it('that the host delivers again makes no second run', async () => {
    const desk = new Desk()
    desk.rules.set([
      {
        name: 'triage-bugs',
        match: { source: 'repository', type: 'issues.labeled', where: { label: 'bug' } },
        run: triage,
        priority: ({ payload }) => (JSON.stringify(payload).includes('crash') ? 'high' : 'normal'),
      },
      { name: 'fix-ci', match: { type: 'workflow_run.failed', where: { branch: 'main' } }, run: 'ci.fix' },
    ])
    const labeled = { action: 'labeled', issue, label: { name: 'bug' } }
    await desk.rules.ingest(hook('issues', labeled))
    const again = await desk.rules.ingest(hook('issues', labeled))
    expect(again).toMatchObject({ matched: [{ rule: 'triage-bugs', isNew: false }], skipped: 1 })
    expect(desk.submitted).toMatchObject([{ type: 'issue.triage', options: { priority: 'normal' } }])
  })
})
