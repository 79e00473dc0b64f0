import { describe, expect, it } from 'vitest'
import { HEARTBEAT, quickGroup, Workshop } from '../group-kit.js'

describe('a clock that is set', () => {
  it.each([3_600_000, -3_600_000])('by %i ms is corrected, and others do its runs', async (ms) => {
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 0) node.handle('job', async () => 'done')
      },
    })
    group.device(2).jump(ms)
    await group.advance(15_000)
    const run = await group.during(group.device(2).node.submit('job'))
    await group.until(() => run.state === 'completed', 30_000)
    expect(Math.abs(run.view.createdAt - group.time.nowMs)).toBeLessThan(10_000)
  })

  it.each([3_600_000, -3_600_000])('by %i ms takes nothing from a handler that runs', async (ms) => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    group.device(workshop.last.place).jump(ms)
    await group.advance(30_000)
    expect(workshop.last.reason()).toBeNull()
    workshop.last.end('done')
    await group.until(() => run.state === 'completed', 30_000)
    expect(workshop.calls).toHaveLength(1)
  })

  it('a device that first starts an hour ahead is told the time before it writes', async () => {
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 0) node.handle('job', async () => 'done')
      },
    })
    const late = await group.add({ heartbeat: HEARTBEAT, skewMs: 3_600_000 })
    await group.advance(5000)
    const run = await group.during(late.node.submit('job'))
    expect(await group.during(run.result({ timeoutMs: 30_000 }))).toBe('done')
    expect(run.view.createdAt).toBeLessThanOrEqual(group.time.nowMs)
  })
})
