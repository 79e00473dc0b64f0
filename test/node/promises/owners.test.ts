import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/index.js'
import { HEARTBEAT, quickGroup, Workshop } from '../group-kit.js'

describe('one owner each', () => {
  it('ten devices and 1,000 runs: one start and one result each, and all devices agree', async () => {
    const starts = new Map<string, number>()
    const group = await quickGroup(10, {
      setUp: (node, place) =>
        node.handle('count', async (input, { run }) => {
          starts.set(run, (starts.get(run) ?? 0) + 1)
          return { input, place }
        }),
    })
    const runs: Run[] = []
    for (let i = 0; i < 1000; i++) runs.push(await group.device(i % 10).node.submit('count', i))
    for (const run of runs) await group.during(run.result())
    await group.advance(1000)
    expect(starts.size).toBe(1000)
    expect([...starts.values()].every((count) => count === 1)).toBe(true)
    for (const node of group.nodes) {
      expect(node.runs.count({ state: 'completed' })).toBe(1000)
      expect(node.metrics().counts.group.doubleExecutions).toBe(0)
    }
    for (const { id, view } of runs) {
      expect(view).toMatchObject({ starts: 1, conflicts: [], previousAssignments: [] })
      for (const node of group.nodes) expect(node.runs.view(id)?.result).toEqual(view.result)
    }
  })

  it('a burst that one device cannot do alone is spread over all, and still each run starts once', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(4, {
      device: { slots: 2 },
      setUp: (node, place) => node.handle('job', workshop.at(place)),
    })
    const { runs } = await group.during(
      group.device(0).node.submitMany(Array.from({ length: 20 }, (_, input) => ({ type: 'job', input }))),
    )
    await group.until(() => {
      for (const call of workshop.calls) call.end(call.place)
      return (runs ?? []).every(({ state }) => state === 'completed')
    })
    expect(new Set(workshop.places)).toEqual(new Set([0, 1, 2, 3]))
    expect(new Set(workshop.calls.map(({ context }) => context.run)).size).toBe(20)
    expect(workshop.calls).toHaveLength(20)
  })

  it('on a slow network that loses one message in ten every run is done, and all devices agree in the end', async () => {
    const group = await quickGroup(5, {
      latencyMs: 50,
      loss: 0.1,
      device: { slots: 4 },
      setUp: (node) => node.handle('job', async (input) => input),
    })
    const items = Array.from({ length: 99 }, (_, input) => ({ type: 'job', input }))
    const { runs } = await group.during(group.device(0).node.submitMany(items))
    for (const [input, run] of (runs ?? []).entries()) expect(await group.during(run.result())).toBe(input)
    await group.until(
      () => group.nodes.every((node) => node.runs.count({ state: 'completed' }) === 99),
      600_000,
    )
  })

  it('two devices that submit one key make one run, done once', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const first = await group.during(group.device(0).node.submit('job', 1, { key: 'k' }))
    await group.advance(100)
    const second = await group.during(group.device(1).node.submit('job', 1, { key: 'k' }))
    expect(second.id).toBe(first.id)
    expect([first.isNew, second.isNew]).toEqual([true, false])
    workshop.last.end('once')
    expect(await group.during(second.result())).toBe('once')
    expect(workshop.calls).toHaveLength(1)
  })
})

describe('nobody capable', () => {
  it('the run waits, and starts at once when a capable device joins', async () => {
    const group = await quickGroup(2)
    const run = await group.during(group.device(0).node.submit('print', 'page', { requires: ['printer'] }))
    await group.advance(600_000)
    expect(run.state).toBe('created')
    expect(run.explain().waiting?.reason).toBe('no_device')
    const printer = await group.add({ heartbeat: HEARTBEAT, capabilities: ['printer'] })
    printer.node.handle('print', async (page) => `printed ${page}`)
    expect(await group.during(run.result())).toBe('printed page')
    expect(run.view.result?.device).toBe(printer.id)
  })

  it('the run waits, and starts when a device that is there gets a handler', async () => {
    const group = await quickGroup(2)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(60_000)
    expect(run.state).toBe('created')
    group.device(1).node.handle('job', async () => 'done')
    expect(await group.during(run.result())).toBe('done')
  })

  it('an owner dies and nobody else can: the run waits, and goes on at once when a capable device joins', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    workshop.last.context.progress('half')
    await group.advance(1000)
    group.device(1).crash()
    await group.advance(600_000)
    const newcomer = await group.add({ heartbeat: HEARTBEAT })
    newcomer.node.handle('job', workshop.at(3))
    await group.until(() => workshop.calls.length === 2, 10_000)
    expect(workshop.last).toMatchObject({ place: 3, context: { checkpoint: 'half', attempt: 2 } })
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })

  it('an owner dies and nobody else can: the run goes on when the owner is back', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    group.device(1).crash()
    await group.advance(600_000)
    expect(run.explain().sentences.join(' ')).toContain('device-1')
    const node = await group.device(1).restart()
    node.handle('job', workshop.at(1))
    await group.until(() => workshop.calls.length === 2, 30_000)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })

  it('the creator dies before a device is found: another places the run when one joins', async () => {
    const group = await quickGroup(3)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(1000)
    group.device(0).crash()
    await group.advance(60_000)
    group.device(1).node.handle('job', async () => 'done')
    await group.until(() => group.device(2).node.runs.view(run.id)?.state === 'completed', 30_000)
  })
})
