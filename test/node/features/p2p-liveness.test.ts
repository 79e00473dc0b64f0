/** Timeouts and heartbeats of the p2p workflow-run assignment. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { codeOf, HEARTBEAT, quickGroup, recordsSeen, Workshop } from '../group-kit.js'

describe('timeouts and heartbeats', () => {
  it('timeouts: a target that does not answer in time loses the run to another', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group
      .device(0)
      .node.submit('job', null, { assignmentTimeoutMs: 2000, heartbeat: { timeoutMs: 60_000 } })
    expect(run.state).toBe('assigned')
    const target = run.view.assignment?.device
    const place = group.devices.findIndex(({ id }) => id === target)
    group.device(place).sleep()
    await group.until(() => workshop.calls.length === 1)
    expect(workshop.last.place).toBe(3 - place)
    expect(run.history()[0]).toMatchObject({ device: target, reason: 'timeout' })
    expect(run.view.assignment?.madeFor).toBe('timeout')
  })

  it('timeouts: an attempt that takes too long is stopped, counts as failed and is tried again', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job', null, { timeoutMs: 5000 }))
    await group.advance(4900)
    expect(workshop.last.reason()).toBeNull()
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.call(0).reason()).toBe('timeout')
    expect(run.history()[0]).toMatchObject({ reason: 'failed', detail: expect.stringContaining('TIMEOUT') })
  })

  it('timeouts: a run that is not done by its deadline fails, running or waiting', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    const running = await group.during(node.submit('job', null, { deadlineInMs: 5000 }))
    const waiting = await group.during(node.submit('nobody', null, { deadlineInMs: 5000 }))
    expect(await codeOf(group.during(running.result()))).toBe('DEADLINE')
    expect(await codeOf(group.during(waiting.result()))).toBe('DEADLINE')
    expect(workshop.last.reason()).toBe('timeout')
    expect(workshop.calls).toHaveLength(1)
  })

  it('heartbeats: one beacon a device and interval, however many runs it has; nothing is written for them', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    for (let i = 0; i < 9; i++) await group.during(group.device(0).node.submit('job', i))
    await group.advance(1000)
    const before = group.network.messages
    await group.advance(30_000)
    const after = group.network.messages
    expect(after.beacons - before.beacons).toBe(60)
    expect(after.batches - before.batches).toBe(0)
  })

  it('staggered reassignment: of many who could, one writes one record', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(6, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const seen = recordsSeen(group.device(workshop.last.place === 1 ? 2 : 1).node)
    group.device(workshop.last.place).crash()
    group.device(0).crash()
    await group.until(() => workshop.calls.length === 2)
    await group.advance(30_000)
    const assigned = seen.filter(({ kind }) => kind === 'assigned')
    expect(assigned).toHaveLength(1)
    expect(assigned[0]).toMatchObject({ run: run.id, reason: 'timeout' })
    expect(workshop.calls).toHaveLength(2)
  })

  it('per-type heartbeat: a run with a shorter one is taken over sooner than the others', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      device: { heartbeat: { intervalMs: 10_000, timeoutMs: 30_000 } },
      setUp: (node, place) => {
        if (place > 0) {
          node.handle('urgent', workshop.at(place))
          node.handle('usual', workshop.at(place))
        }
      },
    })
    await group.advance(60_000)
    const { node } = group.device(0)
    const quick = await group.during(node.submit('urgent', null, { heartbeat: HEARTBEAT }))
    await group.advance(1000)
    const owner = group.devices.findIndex(({ id }) => id === quick.view.owner)
    const usual = await group.during(node.submit('usual'))
    await group.advance(1000)
    if (usual.view.owner !== quick.view.owner)
      await group.during(usual.reassign({ to: group.device(owner).id }))
    await group.advance(5000)
    expect(usual.view.owner).toBe(quick.view.owner)
    group.device(owner).crash()
    await group.advance(8000)
    expect(quick.view.owner).toBe(group.device(3 - owner).id)
    expect(usual.view.owner).toBe(group.device(owner).id)
    await group.advance(40_000)
    expect(usual.view.owner).toBe(group.device(3 - owner).id)
  })

  it('suspicion: who is cut off from one device but heard by another keeps its run', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    group.network.sever(group.device(0).id, group.device(workshop.last.place).id)
    await group.advance(60_000)
    expect(workshop.calls).toHaveLength(1)
    expect(workshop.last.reason()).toBeNull()
  })
})
