/** Run handles, queries, devices, events and the life of a node. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import type { RunView } from '../../../protocol/index.js'
import { createNode } from '../../../src/index.js'
import { systemClock } from '../../../src/platform/index.js'
import { MemoryNetwork } from '../../../src/testing/index.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

describe('run handles', () => {
  it('result: waits as long as it is told to, and the run goes on', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job'))
    expect(await codeOf(group.during(run.result({ timeoutMs: 1000 })))).toBe('TIMEOUT')
    const { signal, abort } = abortable()
    const waiting = codeOf(run.result({ signal }))
    abort()
    expect(await waiting).toBe('ABORTED')
    workshop.last.end({ ok: 1 })
    expect(await group.during(run.result())).toEqual({ ok: 1 })
    expect(await run.result()).toEqual({ ok: 1 })
  })

  it('watch: the first item is the current state, the last one the end', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job'))
    const states: unknown[] = []
    const reading = (async () => {
      for await (const { state, progress } of run.watch()) states.push([state, progress])
    })()
    await group.settle()
    workshop.last.context.progress('half')
    await group.advance(1000)
    workshop.last.end()
    await group.during(reading)
    expect(states).toEqual([
      ['processing', null],
      ['processing', 'half'],
      ['completed', 'half'],
    ])
  })

  it('release: only by its owner, and spends no attempt', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    expect(await codeOf(run.release())).toBe('NOT_OWNER')
    await group.during(group.device(1).node.runs.get(run.id)?.release('tired') ?? Promise.reject())
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.call(0).reason()).toBe('released')
    expect(workshop.last.context.attempt).toBe(1)
  })

  it('reassign: to the device that a person names, or to the best other one', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.reassign({ to: group.device(2).id }))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.call(0).reason()).toBe('superseded')
    expect(workshop.last).toMatchObject({ place: 2, context: { attempt: 1 } })
    await group.during(run.reassign())
    await group.until(() => workshop.calls.length === 3)
    expect(workshop.last.place).not.toBe(2)
    expect(run.history().map(({ reason }) => reason)).toEqual(['manual', 'manual', null])
    const lonely = await group.during(group.device(0).node.submit('nobody'))
    expect(await codeOf(lonely.reassign())).toBe('NO_CAPABLE_DEVICE')
    expect(await codeOf(lonely.reassign({ to: group.device(1).id }))).toBe('NO_CAPABLE_DEVICE')
  })

  it('history: every assignment in order, each with how it ended', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', async () => 1) })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.result())
    expect(run.history()).toMatchObject([
      { device: group.device(0).id, attempt: 1, reason: 'completed', durationMs: 0 },
    ])
  })

  it('view: a run that is not known here says so', async () => {
    const group = await quickGroup(2)
    group.partition([[0], [1]])
    const run = await group.during(group.device(0).node.submit('job'))
    expect(group.device(1).node.runs.get(run.id)).toBeNull()
    expect(group.device(1).node.runs.view(run.id)).toBeNull()
  })
})

describe('runs', () => {
  it('runs.list and runs.count: by state, type, project, priority, owner and more, in pages', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('done', async () => 1) })
    const { node } = group.device(0)
    for (let i = 0; i < 12; i++)
      await group.during(node.submit('wait', i, { project: i % 2 === 0 ? 'even' : 'odd', priority: i % 3 }))
    await group.during(node.submit('done'))
    await group.advance(1000)
    expect(node.runs.count({ state: 'created' })).toBe(12)
    expect(node.runs.count({ state: ['completed', 'failed'] })).toBe(1)
    expect(node.runs.count({ project: 'odd', waiting: 'no_device' })).toBe(6)
    const inputs: unknown[] = []
    let cursor: string | null | undefined
    do {
      const page = node.runs.list(
        { type: 'wait' },
        { limit: 5, order: 'oldest', ...(cursor != null && { cursor }) },
      )
      inputs.push(...page.runs.map(({ created }) => created.input))
      cursor = page.cursor
    } while (cursor !== null)
    expect(inputs).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const [first] = node.runs.list({ type: 'wait' }, { order: 'priority', limit: 1 }).runs
    expect(first).toMatchObject({ priority: 2, created: { input: 2 } })
  })

  it('runs.watch: views of runs that fit, as they change, from any device', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const { signal, abort } = abortable()
    const seen: RunView[] = []
    const reading = (async () => {
      for await (const view of group.device(0).node.runs.watch({ type: 'job' }, { signal })) seen.push(view)
    })()
    await group.settle()
    await group.during(group.device(1).node.submit('other'))
    const run = await group.during(group.device(1).node.submit('job'))
    await group.advance(100)
    workshop.last.end()
    await group.advance(100)
    abort()
    await reading
    expect(new Set(seen.map((view) => view.run))).toEqual(new Set([run.id]))
    expect(seen.at(-1)?.state).toBe('completed')
  })
})

describe('a node', () => {
  it('devices: every member, with its name, role and whether it is there', async () => {
    const group = await quickGroup(2, { device: (place) => (place === 1 ? { role: 'admin' } : {}) })
    const { devices, device } = group.device(0).node
    expect(devices.list()).toMatchObject([
      { device, name: 'device-0', role: 'admin', isThis: true, isOnline: true },
      { device: group.device(1).id, name: 'device-1', role: 'admin', isThis: false, isOnline: true },
    ])
    expect(devices.get('nobody')).toBeNull()
    expect([device, group.device(1).id]).toContain(devices.coordinator)
  })

  it('typed events: what happens to runs and devices is told once, with record and view', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    const told: string[] = []
    node.addEventListener('device:joined', ({ detail }) => void told.push(`joined ${detail.device}`))
    node.addEventListener('device:online', ({ detail }) => void told.push(`online ${detail.device}`))
    node.addEventListener('run:completed', ({ detail }) => {
      told.push(`${detail.record.kind} ${detail.view.state} ${detail.own}`)
    })
    const next = node.once('run:claimed')
    const { id } = await group.add()
    await group.advance(5000)
    expect(told).toEqual([`joined ${id}`, `online ${id}`])
    const run = await group.during(node.submit('job'))
    expect((await group.during(next)).run).toBe(run.id)
    workshop.last.end()
    await group.advance(1000)
    expect(told.slice(2)).toEqual(['completed completed true'])
  })

  it('clock skew: a device whose clock is off is told, and writes with the corrected time', async () => {
    const group = await quickGroup(3, { device: (place) => (place === 2 ? { skewMs: 20_000 } : {}) })
    const { node } = group.device(2)
    const skews: number[] = []
    node.addEventListener('node:skew', ({ detail }) => void skews.push(detail.skewMs))
    // What it wrote with its wrong clock stands: time does not go back, and waits for the others to come up.
    await group.advance(60_000)
    const run = await group.during(node.submit('job'))
    expect(Math.abs(run.view.createdAt - group.time.nowMs)).toBeLessThan(2000)
    expect(Math.abs(node.metrics().clockSkewMs ?? 0)).toBeGreaterThan(15_000)
  })

  it('sleep detection: the app is told, and it is counted', async () => {
    const group = await quickGroup(2)
    const { node } = group.device(1)
    const gaps: number[] = []
    node.addEventListener('node:sleep', ({ detail }) => void gaps.push(detail.gapMs))
    group.device(1).sleep()
    await group.advance(600_000)
    group.device(1).wake()
    await group.advance(2000)
    expect(gaps).toHaveLength(1)
    expect(gaps[0]).toBeGreaterThanOrEqual(590_000)
    expect(node.metrics().sleeps).toBe(1)
  })

  it('private group: a node alone, offline, in one line', async () => {
    await using node = await createNode()
    node.handle('greet', async (name) => `Hello, ${name}!`)
    const run = await node.submit('greet', 'world')
    expect(await run.result()).toBe('Hello, world!')
    expect(run.view.starts).toBe(1)
    expect(node.group.isMember).toBe(true)
    expect(node.devices.list()).toHaveLength(1)
  })

  it('asyncDispose: closes the node, and what it held is handed back', async () => {
    const workshop = new Workshop()
    {
      await using node = await createNode({ storage: 'memory' })
      node.handle('job', workshop.at(0))
      await node.submit('job')
    }
    expect(workshop.last.reason()).toBe('shutdown')
  })

  it('several nodes in one process: through the network in memory they are one group', async () => {
    const network = new MemoryNetwork({ clock: systemClock })
    await using ana = await createNode({ transport: network.transport() })
    await using ben = await createNode({ transport: network.transport(), group: ana.group })
    await ana.group.admit(ben.device)
    ben.handle('greet', async (name) => `Hello, ${name}!`)
    const run = await ana.submit('greet', 'ana')
    expect(await run.result()).toBe('Hello, ana!')
    expect(run.view.result?.device).toBe(ben.device)
  })
})

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
