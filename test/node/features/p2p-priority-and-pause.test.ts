/** Priority, preemption, pausing and retries of the p2p workflow-run assignment. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { PermanentError } from '../../../src/index.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

async function oneSlot(workshop: Workshop, more: Readonly<Record<string, unknown>> = {}) {
  return quickGroup(1, {
    device: { slots: 1, ...more },
    setUp: (node) => node.handle('job', workshop.at(0)),
  })
}

describe('priority and preemption', () => {
  it('priority and preemption: a more urgent run takes the slot of one that may be preempted, which goes on later from its checkpoint', async () => {
    const workshop = new Workshop()
    const group = await oneSlot(workshop)
    const { node } = group.device(0)
    const low = await group.during(node.submit('job', 'low', { priority: 'low', preemptible: true }))
    workshop.last.context.progress({ step: 4 })
    await group.advance(100)
    const high = await group.during(node.submit('job', 'high', { priority: 'high' }))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.call(0).reason()).toBe('preempted')
    expect(workshop.last.input).toBe('high')
    expect(low.state).toBe('reassigning')
    workshop.last.end('done')
    await group.during(high.result())
    await group.until(() => workshop.calls.length === 3)
    expect(workshop.last.input).toBe('low')
    expect(workshop.last.context).toMatchObject({ attempt: 1, checkpoint: { step: 4 } })
    expect(node.metrics().counts.device.preempted).toBe(1)
    expect(low.history()[0]?.reason).toBe('preempted')
  })

  it('priority and preemption: the more urgent run begins when the other has stopped, not before', async () => {
    const log: string[] = []
    let stop = (): void => {}
    const group = await quickGroup(1, {
      device: { slots: 1 },
      setUp: (node) =>
        node.handle('job', async (name) => {
          log.push(`${name} begins`)
          if (name === 'low')
            await new Promise<void>((resolve) => {
              stop = resolve
            })
          log.push(`${name} ends`)
        }),
    })
    const { node } = group.device(0)
    await group.during(node.submit('job', 'low', { priority: 'low', preemptible: true }))
    const high = await group.during(node.submit('job', 'high', { priority: 'high' }))
    await group.advance(5000)
    expect(log).toEqual(['low begins'])
    stop()
    await group.during(high.result())
    expect(log.slice(0, 4)).toEqual(['low begins', 'low ends', 'high begins', 'high ends'])
  })

  it('priority and preemption: on another device too', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      device: { slots: 1 },
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const { node } = group.device(0)
    await group.during(node.submit('job', 'low', { priority: 'low', preemptible: true }))
    await group.until(() => workshop.calls.length === 1)
    await group.during(node.submit('job', 'high', { priority: 'high' }))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.call(0).reason()).toBe('preempted')
    expect(workshop.last.input).toBe('high')
  })

  it('priority and preemption: a run that is not preemptible, or no less urgent, keeps its slot', async () => {
    const workshop = new Workshop()
    const group = await oneSlot(workshop)
    const { node } = group.device(0)
    await group.during(node.submit('job', 'first', { priority: 'low' }))
    await group.during(node.submit('job', 'second', { priority: 'high' }))
    await group.advance(10_000)
    expect(workshop.calls).toHaveLength(1)
    expect(workshop.last.reason()).toBeNull()
  })

  it('priority and preemption: the more urgent of two that wait goes first, and `expedite` changes it', async () => {
    const workshop = new Workshop()
    const group = await oneSlot(workshop)
    const { node } = group.device(0)
    await group.during(node.submit('job', 'first'))
    await group.during(node.submit('job', 'normal'))
    await group.during(node.submit('job', 'high', { priority: 'high' }))
    const low = await group.during(node.submit('job', 'low', { priority: 'low' }))
    await group.during(low.expedite(500))
    for (let i = 2; i <= 4; i++) {
      workshop.last.end()
      await group.until(() => workshop.calls.length === i)
    }
    expect(workshop.calls.map(({ input }) => input)).toEqual(['first', 'low', 'high', 'normal'])
  })

  it('ageing: a low one that has waited long enough passes new high ones, so that low never starves', async () => {
    const workshop = new Workshop()
    const group = await oneSlot(workshop, { ageStepMs: 1000 })
    const { node } = group.device(0)
    await group.during(node.submit('job', 'first'))
    await group.during(node.submit('job', 'low', { priority: 'low' }))
    await group.advance(15_000)
    await group.during(node.submit('job', 'young high', { priority: 'high' }))
    await group.advance(15_000)
    await group.during(node.submit('job', 'younger high', { priority: 'high' }))
    for (let i = 2; i <= 4; i++) {
      workshop.last.end()
      await group.until(() => workshop.calls.length === i)
    }
    expect(workshop.calls.map(({ input }) => input)).toEqual(['first', 'young high', 'low', 'younger high'])
  })
})

describe('pause', () => {
  it('pause: from another device stops a running handler, spends no attempt, and resume goes on from the checkpoint', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    workshop.last.context.progress({ step: 2 })
    await group.advance(100)
    await group.during(run.pause('lunch'))
    await group.advance(1000)
    expect(workshop.last.reason()).toBe('paused')
    expect(run.view.paused).toMatchObject({ by: group.device(0).id, reason: 'lunch' })
    expect(run.explain().waiting?.reason).toBe('paused')
    await group.advance(60_000)
    expect(workshop.calls).toHaveLength(1)
    await group.during(run.resume())
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.context).toMatchObject({ attempt: 1, checkpoint: { step: 2 } })
  })

  it('pause: a waiting run is not begun before it is resumed', async () => {
    const group = await quickGroup(2)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    await group.during(run.pause())
    group.device(1).node.handle('job', async () => 'done')
    await group.advance(30_000)
    expect(run.state).toBe('created')
    await group.during(group.device(1).node.runs.get(run.id)?.resume() ?? Promise.reject())
    expect(await group.during(run.result())).toBe('done')
  })
})

describe('retry cap', () => {
  it('retry cap: after the last attempt the run fails for good, with what the last one said', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(
      group.device(0).node.submit('job', null, { retry: { max: 2, backoffMs: 10 } }),
    )
    for (let i = 1; i <= 3; i++) {
      await group.until(() => workshop.calls.length === i)
      expect(workshop.last.context.attempt).toBe(i)
      workshop.last.fail(new Error(`no ${i}`))
    }
    expect(await codeOf(group.during(run.result()))).toBe('RETRIES_EXHAUSTED')
    await group.advance(60_000)
    expect(workshop.calls).toHaveLength(3)
    expect(run.view.error).toMatchObject({ code: 'HANDLER_ERROR', message: 'no 3' })
  })

  it('retry cap: a failure that says so is not tried again', async () => {
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async () => {
          throw new PermanentError('BAD_ADDRESS', 'no such place', { street: 'nowhere' })
        }),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    const error = await group.during(run.result()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'RUN_FAILED',
      details: { error: { code: 'BAD_ADDRESS', details: { street: 'nowhere' } }, attempts: 1 },
    })
  })

  it('retry cap: silence counts as an attempt too, and the last one ends the run', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job', null, { retry: { max: 0 } }))
    await group.until(() => workshop.calls.length === 1)
    group.device(workshop.last.place).crash()
    expect(await codeOf(group.during(run.result()))).toMatch(/RETRIES_EXHAUSTED|RUN_FAILED/)
    expect(run.view.error?.code).toBe('RETRIES_EXHAUSTED')
    expect(workshop.calls).toHaveLength(1)
  })
})
