import { describe, expect, it } from 'vitest'
import type { OutboxEvent, Run } from '../../../src/index.js'
import { codeOf, quickGroup, recordsSeen, Workshop } from '../group-kit.js'

describe('a handler that will not stop', () => {
  it('does not keep a node from closing: its run is handed back, and done elsewhere', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) =>
        node.handle('job', place === 0 ? () => new Promise(() => {}) : workshop.at(place)),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(group.device(0).close())
    await group.until(() => workshop.calls.length === 1)
    workshop.last.end('done')
    await group.until(() => group.device(1).node.runs.view(run.id)?.state === 'completed')
  })

  it('of a paused run is abandoned after the grace, and what it says later is let go', async () => {
    const ends: ((output: string) => void)[] = []
    const group = await quickGroup(1, {
      device: { abortGraceMs: 2000 },
      setUp: (node) => node.handle('job', () => new Promise<string>((resolve) => ends.push(resolve))),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.pause())
    await group.advance(3000)
    expect(run.state).toBe('reassigning')
    expect(group.device(0).node.metrics()).toMatchObject({ active: 0, unresponsive: 1 })
    ends[0]?.('too late')
    await group.advance(1000)
    expect(run.state).toBe('reassigning')
    await group.during(run.resume())
    await group.until(() => ends.length === 2)
    ends[1]?.('in time')
    expect(await group.during(run.result())).toBe('in time')
  })
})

describe('a lease', () => {
  it('whose run is paused is taken back, and can be pulled again after the resume', async () => {
    const group = await quickGroup(1, { device: { abortGraceMs: 2000 } })
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    const first = await group.during(node.leaseNext())
    await group.during(run.pause())
    await group.advance(3000)
    expect(first?.signal.reason?.code).toBe('paused')
    expect(await group.during(node.leaseNext())).toBeNull()
    await group.during(run.resume())
    const second = await group.during(node.leaseNext())
    expect(second).toMatchObject({ run: run.id, attempt: 1 })
    await group.during(second?.complete('done') ?? Promise.reject())
    expect(await run.result()).toBe('done')
  })

  it('of a process that died is over: the run can be pulled again', async () => {
    const group = await quickGroup(1)
    const run = await group.during(group.device(0).node.submit('job'))
    const first = await group.during(group.device(0).node.leaseNext())
    first?.progress({ step: 2 })
    await group.advance(100)
    const node = await group.device(0).restart()
    await group.advance(10_000)
    const second = await group.during(node.leaseNext())
    expect(second).toMatchObject({ run: run.id, attempt: 2, checkpoint: { step: 2 } })
  })

  it('of a device that fell silent is over: another device pulls the run', async () => {
    const group = await quickGroup(3)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(500)
    expect((await group.during(group.device(1).node.leaseNext()))?.run).toBe(run.id)
    await group.advance(500)
    group.device(1).crash()
    await group.advance(10_000)
    const second = await group.during(group.device(2).node.leaseNext())
    expect(second?.run).toBe(run.id)
  })
})

describe('a device that is put out', () => {
  it('loses its runs at once: they are done by those who are left', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    await group.during(group.device(0).node.group.revoke(group.device(first.place).id))
    await group.until(() => workshop.calls.length === 2, 2000)
    expect(workshop.last.place).toBe(3 - first.place)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
    first.end('too late')
    await group.advance(5000)
    expect(run.view.result?.output).toBe('done')
  })
})

describe('a device that comes back without its handler', () => {
  it('gives back what it was given before', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.device(0).node.submit('job')
    const target = group.devices.findIndex(({ id }) => id === run.view.assignment?.device)
    await group.device(target).restart()
    await group.until(() => workshop.calls.length === 1)
    expect(workshop.last.place).toBe(3 - target)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })
})

describe('a parent', () => {
  it('that is cancelled offline takes its children with it after the heal', async () => {
    const workshop = new Workshop()
    const children: Run[] = []
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('child', workshop.at(1))
        else
          node.handle('parent', async (_, { submit, signal }) => {
            children.push(await submit('child'))
            await new Promise((_, reject) => signal.addEventListener('abort', reject))
          })
      },
    })
    const parent = await group.during(group.device(0).node.submit('parent'))
    await group.until(() => workshop.calls.length === 1)
    group.partition([[0], [1]])
    await group.during(parent.cancel())
    await group.advance(1000)
    expect(workshop.last.reason()).toBeNull()
    group.heal()
    await group.advance(5000)
    expect(workshop.last.reason()).toBe('cancelled')
    expect(children[0]?.state).toBe('cancelled')
  })
})

describe('what everybody is told', () => {
  it('the outboxes of two devices tell the same events under the same keys', async () => {
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', async () => 'done')
      },
    })
    const told: OutboxEvent[][] = [[], []]
    for (const [place, node] of group.nodes.entries())
      await group.during(node.outbox.start((event) => void told[place]?.push(event)))
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.result())
    await group.advance(2000)
    const keys = told.map((events) => events.map(({ type, key }) => `${type} ${key}`).sort())
    expect(keys[0]).toHaveLength(5)
    expect(keys[0]).toEqual(keys[1])
  })

  it('an idle group writes nothing, for hours', async () => {
    const group = await quickGroup(3, {
      device: { heartbeat: { intervalMs: 30_000, timeoutMs: 90_000 } },
      setUp: (node) => node.handle('job', async () => 'done'),
    })
    await group.during(group.device(0).node.submit('nobody'))
    await group.advance(60_000)
    const before = group.network.messages.batches
    const seen = recordsSeen(group.device(1).node)
    await group.advance(3_600_000)
    expect(seen).toEqual([])
    expect(group.network.messages.batches).toBe(before)
  })

  it('what `evaluate` says is what happens', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(4, {
      device: (place) => ({ class: place === 2 ? 'server' : 'laptop', load: () => place / 10 }),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    await group.advance(6000)
    for (const options of [{}, { coordinator: true }, { priority: 'high' as const }]) {
      const { winner } = await group.device(0).node.evaluate('job', null, options)
      const run = await group.device(0).node.submit('job', null, options)
      expect(run.view.assignment?.device).toBe(winner)
      await group.advance(1000)
    }
  })

  it('a policy that throws takes nothing, and harms nobody', async () => {
    const group = await quickGroup(2, {
      device: (place) =>
        place === 0
          ? {
              willing: () => {
                throw new Error('oops')
              },
            }
          : {},
      setUp: (node, place) => node.handle('job', async () => place),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    expect(await group.during(run.result())).toBe(1)
  })

  it('nothing is done twice when close and submit meet', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', async () => 'done') })
    const { node } = group.device(0)
    const submits = Array.from({ length: 20 }, (_, i) => codeOf(node.submit('job', i)))
    const closing = group.device(0).close()
    const codes = await group.during(Promise.all(submits))
    await group.during(closing)
    const accepted = codes.filter((code) => code === 'nothing was thrown').length
    expect(codes.every((code) => code === 'NODE_CLOSED' || code === 'nothing was thrown')).toBe(true)
    const again = await group.device(0).restart()
    expect(again.runs.count()).toBe(accepted)
  })
})
