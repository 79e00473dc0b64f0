/** What task distribution over agents does, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { quickGroup, Workshop } from '../group-kit.js'

describe('the query', () => {
  it('project scope and capabilities inside the query: a pull gets the next run that fits, however many others stand before it', async () => {
    const group = await quickGroup(1, { device: { capabilities: ['gpu', 'printer'] } })
    const { node } = group.device(0)
    const others = Array.from({ length: 90 }, () => ({
      type: 'job',
      options: { project: 'other', priority: 'high' as const },
    }))
    await group.during(node.submitMany(others))
    await group.during(node.submit('job', 'wants a gpu', { project: 'mine', requires: ['gpu'], priority: 5 }))
    await group.during(node.submit('job', 'plain', { project: 'mine' }))
    const plain = await group.during(node.leaseNext({ project: 'mine', capabilities: [] }))
    expect(plain?.input).toBe('plain')
    const strong = await group.during(node.leaseNext({ project: 'mine', capabilities: ['gpu'] }))
    expect(strong?.input).toBe('wants a gpu')
    expect(await group.during(node.leaseNext({ project: 'mine' }))).toBeNull()
    expect(await group.during(node.leaseNext({ type: 'nothing' }))).toBeNull()
  })

  it('project scope and capabilities inside the query: a device gets only runs of its projects and capabilities', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      device: (place) =>
        [{}, { projects: ['album'], capabilities: ['gpu'] }, { projects: ['mail'] }][place] ?? {},
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const { node } = group.device(0)
    await group.during(node.submit('job', 1, { project: 'mail' }))
    await group.during(node.submit('job', 2, { project: 'album', requires: ['gpu'] }))
    const none = await group.during(node.submit('job', 3, { project: 'mail', requires: ['gpu'] }))
    await group.advance(5000)
    expect(workshop.calls.map(({ place, input }) => [place, input])).toEqual([
      [2, 1],
      [1, 2],
    ])
    expect(none.state).toBe('created')
  })
})

describe('bulk creation', () => {
  it('bulk creation: under 100 items all are stored when it resolves, in one write', async () => {
    const group = await quickGroup(2)
    const { node } = group.device(0)
    const before = group.network.messages.batches
    const items = Array.from({ length: 99 }, (_, input) => ({ type: 'job', input }))
    const { runs, batch } = await group.during(node.submitMany(items))
    expect(batch).toBeNull()
    expect(runs?.map(({ view }) => view.created.input)).toEqual(items.map(({ input }) => input))
    expect(group.network.messages.batches - before).toBe(1)
  })

  it('bulk creation: a bad item among few refuses all of them', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const items = [{ type: 'job' }, { type: 'job', input: () => {} }]
    await expect(node.submitMany(items)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(node.runs.count()).toBe(0)
  })

  it('bulk creation: from 100 items on it answers with a batch that reports progress', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const items = Array.from({ length: 1200 }, (_, input) => ({ type: 'job', input }))
    const { runs, batch } = await group.during(node.submitMany(items, { name: 'import' }))
    expect(runs).toBeNull()
    const seen: number[] = []
    void (async () => {
      for await (const { submitted } of batch?.watch() ?? []) seen.push(submitted)
    })()
    const summary = await group.during(batch?.done ?? Promise.reject())
    await group.settle()
    expect(summary).toMatchObject({
      name: 'import',
      total: 1200,
      submitted: 1200,
      failed: 0,
      cancelled: false,
    })
    expect(seen.at(-1)).toBe(1200)
    expect(await batch?.runs()).toHaveLength(1200)
    expect(node.runs.count({ type: 'job' })).toBe(1200)
    expect(node.batches()).toMatchObject([{ id: batch?.id, done: true }])
  })

  it('bulk creation: a batch can be cancelled, with the runs that it made', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const items = Array.from({ length: 150 }, (_, input) => ({ type: 'job', input }))
    const { batch } = await group.during(node.submitMany(items))
    await group.during(batch?.cancel({ runs: true }) ?? Promise.reject())
    await group.advance(1000)
    expect(batch?.progress()).toMatchObject({ done: true })
    expect(node.runs.count({ state: 'created' })).toBe(0)
  })

  it('bulk creation: after a crash a batch goes on where it was, without duplicates', async () => {
    const group = await quickGroup(1)
    const items = Array.from({ length: 3000 }, (_, input) => ({ type: 'job', input }))
    const { batch } = await group.device(0).node.submitMany(items)
    const id = batch?.id ?? ''
    void batch?.done.catch(() => {})
    const node = await group.device(0).restart()
    expect(node.runs.count()).toBeLessThanOrEqual(3000)
    const summary = await group.during(node.batch(id).done)
    expect(summary).toMatchObject({ total: 3000, submitted: 3000 })
    expect(node.runs.count({ type: 'job' })).toBe(3000)
    const inputs = new Set<unknown>()
    for (const run of await node.batch(id).runs()) inputs.add(node.runs.view(run)?.created.input)
    expect(inputs.size).toBe(3000)
  })
})

describe('agents that go', () => {
  it('reassignment of offline agents: what a device that falls silent had goes to the others', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const { node } = group.device(0)
    const offline: string[] = []
    node.addEventListener('device:offline', ({ detail }) => void offline.push(detail.device))
    for (let i = 0; i < 6; i++) await group.during(node.submit('job', i))
    await group.until(() => workshop.calls.length === 6)
    const lost = workshop.calls.filter(({ place }) => place === 1).map(({ input }) => input)
    expect(lost.length).toBeGreaterThan(0)
    group.device(1).crash()
    await group.until(() => workshop.calls.length === 6 + lost.length)
    const again = workshop.calls.slice(6)
    expect(again.every(({ place }) => place === 2)).toBe(true)
    expect(again.map(({ input }) => input).sort()).toEqual(lost.sort())
    expect(offline).toEqual([group.device(1).id])
    expect(node.metrics().counts.group.timedOut).toBe(lost.length)
  })

  it('3 retries: a run that always fails is attempted four times, then it has failed', async () => {
    let attempts = 0
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async () => {
          attempts++
          throw new Error('no')
        }),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await expect(group.during(run.result())).rejects.toMatchObject({ code: 'RETRIES_EXHAUSTED' })
    expect(attempts).toBe(4)
    expect(run.view.attemptsAllowed).toBe(4)
  })

  it('high/normal/low: words and numbers are one scale', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const priorities = ['high', 'normal', 'low', 7, -1000] as const
    const runs = []
    for (const priority of priorities) runs.push(await group.during(node.submit('job', null, { priority })))
    expect(runs.map(({ view }) => view.priority)).toEqual([10, 0, -10, 7, -1000])
    expect(node.runs.count({ priority: 'normal' })).toBe(2)
    await expect(node.submit('job', null, { priority: 1001 })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    })
  })

  it('high-priority flag on the heartbeat: devices see that urgent work waits on another', async () => {
    const group = await quickGroup(2)
    await group.during(
      group.device(0).node.submit('job', null, { priority: 'high', privacy: ['local_only'] }),
    )
    await group.advance(3000)
    const seen = group.device(1).node.devices.get(group.device(0).id)
    expect(seen?.waiting).toEqual({ high: 1, normal: 0, low: 0 })
  })
})
