/** What the p2p workflow-run assignment does, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { codeOf, HEARTBEAT, quickGroup, recordsSeen, Workshop } from '../group-kit.js'

describe('states', () => {
  it('states: a run that is given away goes through assigned, claimed and processing to completed', async () => {
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', async () => 'done')
      },
    })
    const seen = recordsSeen(group.device(0).node)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.result())
    expect(seen.map(({ kind }) => kind)).toEqual(['created', 'assigned', 'claimed', 'started', 'completed'])
    expect(run.state).toBe('completed')
  })

  it('self-assignment: created, assigned, claimed and started are one batch, published once', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const seen = recordsSeen(group.device(1).node)
    const before = group.network.messages.batches
    const run = await group.during(group.device(0).node.submit('job'))
    await group.settle()
    expect(group.network.messages.batches - before).toBe(1)
    expect(seen.map(({ kind }) => kind)).toEqual(['created', 'assigned', 'claimed', 'started'])
    expect(new Set(seen.map(({ author }) => author))).toEqual(new Set([group.device(0).id]))
    expect(run.state).toBe('processing')
  })

  it('a completed run is read-only, and a failed one until it is retried', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    const run = await group.during(node.submit('job', null, { retry: { max: 0 } }))
    workshop.last.fail(new Error('no'))
    await group.until(() => run.state === 'failed')
    expect(await codeOf(run.pause())).toBe('RUN_TERMINAL')
    await group.during(run.retry('once more'))
    await group.until(() => workshop.calls.length === 2)
    expect(run.view.round).toBe(1)
    workshop.last.end('done')
    await group.during(run.result())
    for (const act of [() => run.retry(), () => run.cancel(), () => run.pause(), () => run.reassign()])
      expect(await codeOf(act)).toBe('RUN_TERMINAL')
  })
})

describe('giving work away', () => {
  it('delegation: who cannot do a run gives it to who can', async () => {
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 2) node.handle('job', async () => 'by ben')
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    expect(await group.during(run.result())).toBe('by ben')
    expect(run.view.assignment).toMatchObject({
      device: group.device(2).id,
      assignedBy: group.device(0).id,
      madeFor: 'created',
    })
  })

  it('decline: the `willing` policy says no with a reason, and another gets the run', async () => {
    const workshop = new Workshop()
    const offers: string[] = []
    const group = await quickGroup(3, {
      device: (place) =>
        place === 0
          ? {}
          : {
              willing: ({ type }) => {
                offers.push(`${place}:${type}`)
                return offers.length > 1 || 'the fan is loud'
              },
            },
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const [declined] = run.history()
    expect(declined).toMatchObject({ reason: 'declined', detail: expect.stringContaining('UNWILLING') })
    expect(run.view.assignment?.madeFor).toBe('declined')
    expect(run.view.owner).not.toBe(declined?.device)
    expect(run.view.assignment?.attempt).toBe(1)
    expect(run.explain().sentences.join(' ')).toContain('declined')
  })

  it('decline: the creator’s own policy sends its run elsewhere', async () => {
    const group = await quickGroup(2, {
      device: (place) => (place === 0 ? { willing: () => 'on battery' } : {}),
      setUp: (node, place) => node.handle('job', async () => place),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    expect(await group.during(run.result())).toBe(1)
    expect(run.history()).toHaveLength(1)
  })

  it('all-decline backoff: it waits longer each time, is asked again, and does not fail', async () => {
    const asked: number[] = []
    let isWilling = false
    const group = await quickGroup(2, {
      device: (place) =>
        place === 0
          ? {}
          : {
              willing: () => {
                asked.push(group.time.nowMs)
                return isWilling || 'not now'
              },
            },
      setUp: (node, place) => {
        if (place === 1) node.handle('job', async () => 'at last')
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(120_000)
    const times = [...new Set(asked)]
    const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0))
    expect(waits.length).toBeGreaterThan(3)
    expect(waits.every((wait, i) => wait >= (waits[i - 1] ?? 0))).toBe(true)
    expect(waits.at(-1)).toBeGreaterThan(waits[0] ?? 0)
    expect(run.state).toBe('reassigning')
    expect(run.view.attemptsSpent).toBe(0)
    isWilling = true
    expect(await group.during(run.result())).toBe('at last')
  })

  it('selection: the less loaded of equal devices is chosen', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      device: (place) => (place === 1 ? { load: () => 0.9 } : {}),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    await group.advance(10_000)
    await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    expect(workshop.places).toEqual([2])
  })

  it('selection: a device that has what the run prefers is chosen among equals', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(4, {
      device: (place) => (place === 2 ? { capabilities: ['gpu'] } : {}),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    await group.during(group.device(0).node.submit('job', null, { prefers: ['gpu'] }))
    await group.until(() => workshop.calls.length === 1)
    expect(workshop.places).toEqual([2])
  })

  it('selection: work that is assigned and not claimed yet counts, so that a burst does not pile on one device', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(5, {
      device: { slots: 2 },
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const items = Array.from({ length: 8 }, () => ({ type: 'job' }))
    await group.during(group.device(0).node.submitMany(items))
    await group.until(() => workshop.calls.length === 8)
    for (const place of [1, 2, 3, 4]) expect(workshop.places.filter((each) => each === place)).toHaveLength(2)
  })

  it('election: all devices name the same coordinator, the one that stays, and a run can ask for it', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      device: (place) => ({ class: place === 1 ? 'server' : 'phone' }),
      setUp: (node, place) => node.handle('job', workshop.at(place)),
    })
    for (const node of group.nodes) expect(node.devices.coordinator).toBe(group.device(1).id)
    await group.during(group.device(0).node.submit('job', null, { coordinator: true }))
    await group.until(() => workshop.calls.length === 1)
    expect(workshop.places).toEqual([1])
    group.device(1).crash()
    await group.advance(10_000)
    const [left, right] = [group.device(0).node.devices.coordinator, group.device(2).node.devices.coordinator]
    expect(left).toBe(right)
    expect(left).not.toBe(group.device(1).id)
  })
})

describe('history', () => {
  it('audit: every assignment is in the history, with device, time, reason and duration', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    await group.advance(5000)
    workshop.last.fail(Object.assign(new Error('no paper'), { code: 'PAPER' }))
    await group.until(() => workshop.calls.length === 2)
    const [first, second] = run.history()
    expect(first).toMatchObject({
      device: group.device(1).id,
      assignedBy: group.device(0).id,
      attempt: 1,
      reason: 'failed',
      detail: expect.stringContaining('no paper'),
    })
    expect(first?.durationMs).toBeGreaterThanOrEqual(5000)
    expect(second).toMatchObject({ attempt: 2, reason: null, durationMs: null })
  })

  it('progress: what a handler reports is seen on every device, and is the checkpoint', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    workshop.last.context.progress({ step: 1, total: 3 })
    await group.advance(2000)
    expect(run.view.progress).toEqual({ step: 1, total: 3 })
    expect(run.view.checkpoint).toEqual({ step: 1, total: 3 })
  })
})

describe('splits and newcomers', () => {
  it('split brain: two claims of one run heal to the earlier one', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    group.partition([[0], [1]])
    const run = await group.during(group.device(1).node.submit('job', null, { key: 'k' }))
    await group.advance(100)
    await group.during(group.device(0).node.submit('job', null, { key: 'k' }))
    group.heal()
    await group.advance(3000)
    expect(run.view.owner).toBe(group.device(1).id)
    expect(workshop.calls.map((call) => call.reason())).toEqual([null, 'superseded'])
  })

  it('joining mid-way: a newcomer respects what others have, and watches a whole timeout before it takes over', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    // The newcomer never heard the owner, who is cut off: that alone is no reason.
    group.network.disconnect(group.device(1).id)
    const newcomer = await group.add({ heartbeat: HEARTBEAT })
    newcomer.node.handle('job', workshop.at(2))
    await group.advance(1000)
    expect(newcomer.node.runs.view(run.id)?.owner).toBe(group.device(1).id)
    group.network.connect(group.device(1).id)
    await group.advance(20_000)
    expect(workshop.places).toEqual([1])
    expect(run.view.owner).toBe(group.device(1).id)
    // From then on it is a candidate like any other.
    group.device(1).crash()
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.place).toBe(2)
  })

  it('incarnations: a device that restarts counts its own unfinished run as failed, and it goes on', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const node = await group.device(1).restart()
    node.handle('job', workshop.at(1))
    await group.until(() => workshop.calls.length === 2)
    expect(run.history()[0]).toMatchObject({
      reason: 'failed',
      detail: expect.stringContaining('INTERRUPTED'),
    })
    expect(workshop.last.context.attempt).toBe(2)
  })
})
