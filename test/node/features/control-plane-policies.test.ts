/** What an assignment control plane does: policies, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

describe('policies', () => {
  it('approval with expiry: nobody begins before it, and it counts only until it expires', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job', null, { approval: 'admins' }))
    await group.advance(10_000)
    expect(workshop.calls).toHaveLength(0)
    expect(run.explain().waiting?.reason).toBe('approval')
    expect(await codeOf(run.reassign())).toBe('APPROVAL_REQUIRED')
    const elsewhere = group.device(1).node.runs.get(run.id)
    expect(await codeOf(elsewhere?.approve() ?? Promise.resolve())).toBe('NOT_APPROVER')
    // It expires while the run is paused.
    await group.during(run.pause())
    await group.during(run.approve({ by: 'Ana', reason: 'looks right', expiresInMs: 5000 }))
    expect(run.view.approval).toMatchObject({ by: 'Ana', device: group.device(0).id })
    await group.advance(6000)
    await group.during(run.resume())
    await group.advance(5000)
    expect(workshop.calls).toHaveLength(0)
    expect(run.explain().waiting?.sentence).toContain('expired')
    await group.during(run.approve({ expiresInMs: 60_000 }))
    await group.until(() => workshop.calls.length === 1)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })

  it('approval with expiry: only the devices that the run names may give it', async () => {
    const group = await quickGroup(3, { setUp: (node) => node.handle('job', async () => 'done') })
    const named = group.device(2)
    const run = await group.during(group.device(0).node.submit('job', null, { approval: [named.id] }))
    expect(await codeOf(run.approve())).toBe('NOT_APPROVER')
    await group.advance(1000)
    await group.during(named.node.runs.get(run.id)?.approve() ?? Promise.reject())
    expect(await group.during(run.result())).toBe('done')
  })

  it('privacy labels: `local_only` stays on its device, others need a clearance', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      device: (place) => (place === 2 ? { clearances: ['health'] } : {}),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const { node } = group.device(0)
    const local = await group.during(node.submit('job', 'diary', { privacy: ['local_only'] }))
    const health = await group.during(node.submit('job', 'x-ray', { privacy: ['health'] }))
    await group.until(() => workshop.calls.length === 1)
    await group.advance(10_000)
    expect(workshop.calls.map(({ place, input }) => [place, input])).toEqual([[2, 'x-ray']])
    expect(health.view.owner).toBe(group.device(2).id)
    expect(local.state).toBe('created')
    expect(await codeOf(local.reassign({ to: group.device(1).id }))).toBe('NO_CAPABLE_DEVICE')
    node.handle('job', workshop.at(0))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last).toMatchObject({ place: 0, input: 'diary' })
  })

  it('leases: a claim lasts while its device shows that it lives, and no longer', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    await group.advance(120_000)
    expect(run.view.owner).toBe(group.device(workshop.last.place).id)
    group.device(workshop.last.place).crash()
    await group.until(() => workshop.calls.length === 2)
    expect(run.history()[0]?.reason).toBe('timeout')
  })

  it('idempotency: one key makes one run, on one device or on two, offline too', async () => {
    const group = await quickGroup(2)
    const [ana, ben] = [group.device(0).node, group.device(1).node]
    const both = await group.during(
      Promise.all([ana.submit('job', 1, { key: 'k' }), ana.submit('job', 1, { key: 'k' })]),
    )
    expect(both.map(({ isNew }) => isNew)).toEqual([true, false])
    group.partition([[0], [1]])
    const mine = await group.during(ana.submit('job', 2, { key: 'offline' }))
    const theirs = await group.during(ben.submit('job', 2, { key: 'offline' }))
    expect(theirs.id).toBe(mine.id)
    group.heal()
    await group.advance(3000)
    expect(ana.runs.count()).toBe(2)
    expect(ben.runs.count()).toBe(2)
    // Another project or type is another run.
    const other = await group.during(ana.submit('job', 2, { key: 'offline', project: 'p' }))
    expect(other.isNew).toBe(true)
  })

  it('quotas and circuits: per-type concurrency and slots are kept', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, {
      device: { slots: 3 },
      setUp: (node) => {
        node.handle('few', workshop.at(0), { concurrency: 1 })
        node.handle('many', workshop.at(0))
      },
    })
    const { node } = group.device(0)
    for (let i = 0; i < 3; i++) await group.during(node.submit('few', 'few'))
    for (let i = 0; i < 3; i++) await group.during(node.submit('many', 'many'))
    await group.advance(1000)
    expect(workshop.calls.map(({ input }) => input).sort()).toEqual(['few', 'many', 'many'])
    expect(node.metrics()).toMatchObject({ slots: 3, active: 3 })
  })

  it('quotas and circuits: reserved slots are for high priority only', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, {
      device: { slots: 3, reserved: 1 },
      setUp: (node) => node.handle('job', workshop.at(0)),
    })
    const { node } = group.device(0)
    for (let i = 0; i < 3; i++) await group.during(node.submit('job', 'normal'))
    await group.advance(1000)
    expect(workshop.calls).toHaveLength(2)
    await group.during(node.submit('job', 'high', { priority: 'high' }))
    await group.until(() => workshop.calls.length === 3)
    expect(workshop.last.input).toBe('high')
  })

  it('quotas and circuits: a device that keeps failing a type is left alone with it for a while', async () => {
    let isBroken = true
    const done: number[] = []
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 1)
          node.handle('job', async () => {
            if (isBroken) throw Object.assign(new Error('no'), { retry: false })
            done.push(place)
          })
      },
    })
    const { node } = group.device(0)
    for (let i = 0; i < 5; i++)
      await group.during((await group.during(node.submit('job'))).result()).catch(() => {})
    const decision = await node.evaluate('job')
    const gates = decision.candidates.find(({ device }) => device === group.device(1).id)?.gates
    expect(gates?.map(({ code }) => code)).toEqual(['CIRCUIT_OPEN'])
    isBroken = false
    const run = await group.during(node.submit('job'))
    await group.advance(30_000)
    expect(run.state).toBe('created')
    await group.during(run.result())
    expect(done).toEqual([1])
  })

  it('exclusions that decay: who failed a run is passed over for it, and asked again if nobody else can', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job', null, { retry: { backoffMs: 100 } }))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last.place
    workshop.last.fail(new Error('no'))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.place).toBe(3 - first)
    workshop.last.fail(new Error('no'))
    await group.until(() => workshop.calls.length === 3)
    expect(run.view.assignment?.attempt).toBe(3)
  })

  it('exclusions that decay: when somebody joins or goes, those who refused are asked again', async () => {
    let isWilling = false
    const group = await quickGroup(2, {
      device: (place) => (place === 1 ? { willing: () => isWilling || 'not now' } : {}),
      setUp: (node, place) => {
        if (place === 1) node.handle('job', async () => 'done')
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(120_000)
    expect(run.state).toBe('reassigning')
    isWilling = true
    await group.add()
    await group.advance(1000)
    expect(run.state).toBe('completed')
  })

  it('overload: a device whose loop lags takes no new work', async () => {
    const workshop = new Workshop()
    const load = [0, 1, 0]
    const group = await quickGroup(3, {
      device: (place) => ({ load: () => load[place] ?? 0 }),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    await group.advance(6000)
    for (let i = 0; i < 4; i++) await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 4)
    expect(new Set(workshop.places)).toEqual(new Set([2]))
  })
})
