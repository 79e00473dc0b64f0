/** What a lease queue on PostgreSQL does, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { type DibsNode, fromRepositoryWebhook, type Lease } from '../../../src/index.js'
import type { TestGroup } from '../../../src/testing/index.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

async function lease(group: TestGroup, node: DibsNode, options = {}): Promise<Lease> {
  const leased = await group.during(node.leaseNext(options))
  if (leased === null) throw new Error('There was nothing to lease.')
  return leased
}

describe('leases', () => {
  it('priority desc then age: the most urgent first, of equals the oldest', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    for (const [name, priority] of [
      ['b', 'normal'],
      ['d', 'low'],
      ['a', 'high'],
      ['c', 'normal'],
    ] as const) {
      await group.during(node.submit('job', name, { priority }))
      await group.advance(10)
    }
    const order: unknown[] = []
    for (let i = 0; i < 4; i++) order.push((await lease(group, node)).input)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(await group.during(node.leaseNext())).toBeNull()
  })

  it('lease/release/complete: whoever pulled a run says how it ended', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job', { n: 1 }, { project: 'album' }))
    const first = await lease(group, node)
    expect(first).toMatchObject({
      run: run.id,
      type: 'job',
      project: 'album',
      input: { n: 1 },
      attempt: 1,
      checkpoint: null,
    })
    expect(run.view).toMatchObject({ state: 'processing', owner: node.device })
    first.progress({ step: 1 })
    await group.during(first.release('not mine'))
    expect(run.state).toBe('reassigning')
    const second = await lease(group, node)
    // Giving back spends no attempt, and loses no progress.
    expect(second).toMatchObject({ attempt: 1, checkpoint: { step: 1 } })
    expect(second.fence).toBeGreaterThan(first.fence)
    await group.during(second.complete({ ok: true }))
    expect(await run.result()).toEqual({ ok: true })
  })

  it('lease/release/complete: a failure is retried as the run’s policy says', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job', null, { retry: { max: 1, backoffMs: 5000 } }))
    await group.during((await lease(group, node)).fail(new Error('once')))
    expect(run.explain().waiting?.reason).toBe('backoff')
    expect(await group.during(node.leaseNext())).toBeNull()
    await group.advance(5000)
    const second = await lease(group, node)
    expect(second.attempt).toBe(2)
    await group.during(second.fail({ code: 'TWICE', message: 'again' }))
    expect(run.view).toMatchObject({ state: 'failed', error: { code: 'TWICE', message: 'again' } })
  })

  it('lease/release/complete: a lease without a heartbeat runs out, and its holder’s word no longer counts', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    const first = await lease(group, node, { leaseMs: 5000 })
    for (let i = 0; i < 5; i++) {
      await group.advance(4000)
      first.heartbeat()
    }
    expect(first.signal.aborted).toBe(false)
    await group.advance(6000)
    expect(first.signal.reason?.code).toBe('lapsed')
    expect(await codeOf(first.complete('late'))).toBe('STALE_FENCE')
    expect(await codeOf(() => first.heartbeat())).toBe('STALE_FENCE')
    await group.advance(5000)
    const second = await lease(group, node)
    expect(second.attempt).toBe(2)
    await group.during(second.complete('in time'))
    expect(await run.result()).toBe('in time')
  })

  it('lease/release/complete: a cancel from another device reaches the holder', async () => {
    const group = await quickGroup(2)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(1000)
    const leased = await lease(group, group.device(1).node)
    await group.during(run.cancel('changed my mind'))
    await group.advance(1000)
    expect(leased.signal.reason?.code).toBe('cancelled')
    expect(await codeOf(leased.complete('too late'))).toBe('STALE_FENCE')
    expect(await codeOf(run.result())).toBe('RUN_CANCELLED')
  })

  it('one owner under concurrency: two devices that pull at once get different runs', async () => {
    const group = await quickGroup(3, { latencyMs: 20 })
    for (let i = 0; i < 4; i++) await group.during(group.device(0).node.submit('job', i))
    await group.advance(1000)
    const pulls = [1, 2, 1, 2].map((place) => group.device(place).node.leaseNext())
    const leases = await group.during(Promise.all(pulls))
    const runs = leases.filter((each) => each !== null).map(({ run }) => run)
    expect(runs).toHaveLength(4)
    expect(new Set(runs).size).toBe(4)
    await group.advance(2000)
    for (const leased of leases) {
      expect(leased?.signal.aborted).toBe(false)
      await group.during(leased?.complete(leased.run) ?? Promise.reject())
    }
    await group.advance(1000)
    expect(group.device(0).node.runs.count({ state: 'completed' })).toBe(4)
    expect(group.device(0).node.metrics().counts.group.doubleExecutions).toBe(0)
  })

  it('one owner under concurrency: workers on three devices, on a slow network, do each run once', async () => {
    const group = await quickGroup(4, { latencyMs: 30 })
    const items = Array.from({ length: 40 }, (_, input) => ({ type: 'job', input }))
    await group.during(group.device(0).node.submitMany(items))
    await group.advance(5000)
    const done: string[] = []
    const work = async (place: number): Promise<void> => {
      const { node } = group.device(place)
      for (let next = await node.leaseNext(); next !== null; next = await node.leaseNext()) {
        done.push(next.run)
        await next.complete(place)
      }
    }
    await group.during(Promise.all([1, 2, 3, 1, 2, 3].map(work)))
    await group.advance(1000)
    expect(done).toHaveLength(40)
    expect(group.device(0).node.runs.count({ state: 'completed' })).toBe(40)
  })

  it('one owner under concurrency: a hundred pulls of one device get a hundred runs', async () => {
    const group = await quickGroup(1, { device: { slots: 100 } })
    const { node } = group.device(0)
    for (let i = 0; i < 99; i++) await group.during(node.submit('job', i))
    const leases = await group.during(Promise.all(Array.from({ length: 100 }, () => node.leaseNext())))
    const runs = leases.filter((each) => each !== null).map(({ run }) => run)
    expect(runs).toHaveLength(99)
    expect(new Set(runs).size).toBe(99)
  })

  it('runs history: what every attempt was, who had it and why it ended', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job', null, { retry: { backoffMs: 10 } }))
    await group.during((await lease(group, node)).release('tea'))
    await group.during((await lease(group, node)).fail(new Error('spilled')))
    await group.advance(100)
    await group.during((await lease(group, node)).complete('done'))
    expect(run.history().map(({ reason, detail }) => [reason, detail])).toEqual([
      ['released', expect.stringContaining('tea')],
      ['failed', expect.stringContaining('spilled')],
      ['completed', null],
    ])
    expect(run.view.starts).toBe(3)
  })

  it('per-agent concurrency: a device pulls no more than it has slots for', async () => {
    const group = await quickGroup(1, { device: { slots: 2 } })
    const { node } = group.device(0)
    for (let i = 0; i < 3; i++) await group.during(node.submit('job', i))
    const first = await lease(group, node)
    await lease(group, node)
    expect(await group.during(node.leaseNext())).toBeNull()
    await group.during(first.complete())
    expect(await group.during(node.leaseNext())).not.toBeNull()
  })
})

describe('metrics', () => {
  it('metrics: depth by state and by priority', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, {
      device: { slots: 1 },
      setUp: (node) => node.handle('job', workshop.at(0)),
    })
    const { node } = group.device(0)
    for (const priority of ['low', 'high', 'normal', 'high'] as const)
      await group.during(node.submit('job', null, { priority }))
    const { depth } = node.metrics()
    expect(depth.byState).toMatchObject({ processing: 1, created: 3, completed: 0 })
    expect(depth.open).toEqual({ high: 2, normal: 1, low: 1 })
    expect(depth.waiting).toEqual({ high: 2, normal: 1, low: 0 })
  })

  it('metrics: claim, completion and failure rate, and counts of what the device and the group did', async () => {
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1)
          node.handle('job', async (input) => {
            if (input === 'bad') throw Object.assign(new Error('no'), { retry: false })
            return input
          })
      },
    })
    const { node } = group.device(0)
    for (const input of ['good', 'good', 'good', 'bad']) await group.during(node.submit('job', input))
    await group.advance(10_000)
    const { counts, rates } = node.metrics()
    expect(counts.group).toMatchObject({ created: 4, claimed: 4, started: 4, completed: 3, failed: 1 })
    expect(counts.device).toMatchObject({ created: 4, claimed: 0, completed: 0 })
    expect(group.device(1).node.metrics().counts.device).toMatchObject({
      claimed: 4,
      completed: 3,
      failed: 1,
    })
    expect(rates.completed.last1).toBeGreaterThan(0)
    expect(rates.claimed.last1).toBeGreaterThan(rates.completed.last1)
    expect(rates.failureShare.last1).toBe(0.25)
  })

  it('metrics: time to claim, processing time and lock duration as histograms in seconds', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, {
      device: { slots: 1 },
      setUp: (node) => node.handle('job', workshop.at(0)),
    })
    const { node } = group.device(0)
    await group.during(node.submit('job'))
    await group.during(node.submit('job'))
    await group.advance(4000)
    workshop.last.end()
    await group.until(() => workshop.calls.length === 2)
    await group.advance(6000)
    workshop.last.end()
    await group.advance(100)
    const { timeToClaim, processing, lease: lock } = node.metrics().seconds
    expect(timeToClaim.count).toBe(2)
    expect(timeToClaim.sum).toBeCloseTo(4, 0)
    expect(processing).toMatchObject({ count: 2 })
    expect(processing.sum).toBeCloseTo(10, 0)
    expect(lock.sum).toBeCloseTo(10, 0)
    expect(processing.p90).toBeGreaterThan(3)
  })

  it('metrics: current locks, by device and one by one', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    await group.advance(5000)
    const { claims } = node.metrics()
    expect(claims).toMatchObject({
      count: 1,
      byDevice: [{ device: group.device(1).id, count: 1 }],
      current: [{ run: run.id, device: group.device(1).id }],
    })
    expect(claims.current[0]?.sinceMs).toBeGreaterThanOrEqual(4000)
  })

  it('metrics: reassignments, timeouts, declines, double executions, sleeps, lag and unresponsive handlers are counted', async () => {
    const group = await quickGroup(1)
    const snapshot = group.device(0).node.metrics()
    for (const name of [
      'reassigned',
      'timedOut',
      'declined',
      'preempted',
      'held',
      'doubleExecutions',
    ] as const)
      expect(snapshot.counts.group[name]).toBe(0)
    expect(snapshot).toMatchObject({
      unresponsive: 0,
      loopLagMs: 0,
      clockSkewMs: null,
      sleeps: 0,
      slots: 10,
      active: 0,
      peers: 0,
      storeErrors: 0,
    })
    // Plain data: an exporter can print it as it is.
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
  })
})

describe('events', () => {
  it('events → work by policy: an outside event becomes the runs that the rules ask for, once', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    node.rules([
      {
        name: 'triage',
        match: { source: 'tracker', type: 'issue.opened', where: { label: 'bug' } },
        run: 'issue.triage',
        priority: 'high',
        project: ({ subject }) => subject,
        input: ({ payload }) => ({ title: (payload as { readonly title: string }).title }),
      },
      { name: 'count', match: ({ type }) => type.startsWith('issue.'), run: 'issue.count' },
      { name: 'mail', match: { type: 'mail.received' }, run: 'mail.read' },
    ])
    const event = {
      id: 'e-1',
      type: 'issue.opened',
      source: 'tracker',
      subject: 'album',
      payload: { title: 'It is slow', label: 'bug' },
    }
    const first = await group.during(node.ingest(event))
    expect(first).toMatchObject({
      event: 'e-1',
      matched: [
        { rule: 'triage', isNew: true },
        { rule: 'count', isNew: true },
      ],
      failed: [],
      skipped: 1,
    })
    expect(node.runs.view(first.matched[0]?.run ?? '')).toMatchObject({
      priority: 10,
      created: { type: 'issue.triage', project: 'album', input: { title: 'It is slow' } },
    })
    const again = await group.during(node.ingest(event))
    expect(again.matched).toEqual(first.matched.map((each) => ({ ...each, isNew: false })))
    expect(node.runs.count()).toBe(2)
    expect(await codeOf(() => node.ingest({ id: 1 }))).toBe('INVALID_EVENT')
  })

  it('events → work by policy: a repository’s webhooks make runs for issues, pull requests and failed workflow runs', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    node.rules([
      { name: 'triage', match: { type: 'issues.opened' }, run: 'issue.triage', priority: 'normal' },
      { name: 'review', match: { type: 'pull_request.opened' }, run: 'pr.review', priority: 'high' },
      { name: 'repair', match: { type: 'workflow_run.failed' }, run: 'ci.repair', priority: 'high' },
    ])
    const repository = { full_name: 'ana/album' }
    const hooks = [
      { event: 'issues', body: { action: 'opened', repository, issue: { number: 7, title: 'Slow' } } },
      { event: 'pull_request', body: { action: 'opened', repository, pull_request: { number: 8 } } },
      {
        event: 'workflow_run',
        body: { action: 'completed', repository, workflow_run: { id: 9, conclusion: 'failure' } },
      },
      {
        event: 'workflow_run',
        body: { action: 'completed', repository, workflow_run: { id: 10, conclusion: 'success' } },
      },
    ]
    for (const [i, { event, body }] of hooks.entries()) {
      const outside = fromRepositoryWebhook({ event, delivery: `d-${i}`, body })
      // The host delivers at least once.
      await group.during(node.ingest(outside))
      await group.during(node.ingest(outside))
    }
    const made = node.runs.list({}, { order: 'oldest' }).runs.map(({ created }) => created.type)
    expect(made).toEqual(['issue.triage', 'pr.review', 'ci.repair'])
    expect(node.runs.list({ type: 'issue.triage' }).runs[0]?.created.input).toMatchObject({
      repository: 'ana/album',
      number: 7,
      title: 'Slow',
    })
  })
})
