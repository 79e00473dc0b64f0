import { describe, expect, it } from 'vitest'
import type { DibsNode } from '../../../src/index.js'
import { quickGroup, Workshop } from '../group-kit.js'

/** A group of three in which devices 1 and 2 can do `job`, and 0 gives it away. */
async function twoWorkers(workshop: Workshop) {
  return quickGroup(3, {
    setUp: (node, place) => {
      if (place > 0) node.handle('job', workshop.at(place))
    },
  })
}

const other = (place: number): number => 3 - place

describe('a device killed mid-run', () => {
  it('loses nothing: the run ends elsewhere, from its checkpoint', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job', 'film'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    expect(first.context).toMatchObject({ attempt: 1, checkpoint: null })
    first.context.progress({ step: 7 })
    await group.advance(1000)
    group.device(first.place).crash()
    await group.until(() => workshop.calls.length === 2)
    const second = workshop.last
    expect(second.place).toBe(other(first.place))
    expect(second.input).toBe('film')
    expect(second.context).toMatchObject({ attempt: 2, checkpoint: { step: 7 } })
    expect(second.context.fence).toBeGreaterThan(first.context.fence)
    second.end('done')
    expect(await group.during(run.result())).toBe('done')
    expect(run.history().map(({ reason }) => reason)).toEqual(['timeout', 'completed'])
  })

  it('after it is back it takes nothing from who went on', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.device(first.place).crash()
    await group.until(() => workshop.calls.length === 2)
    const node = await group.device(first.place).restart()
    node.handle('job', workshop.at(first.place))
    await group.advance(30_000)
    expect(workshop.calls).toHaveLength(2)
    expect(run.view.owner).toBe(group.device(other(first.place)).id)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })

  it('with the assigner dead too, one of the others takes over', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(4, {
      setUp: (node, place) => {
        if (place > 0) node.handle('job', workshop.at(place))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const { place } = workshop.last
    group.device(0).crash()
    group.device(place).crash()
    await group.until(() => workshop.calls.length === 2)
    workshop.last.end('done')
    const [node] = group.nodes
    await group.until(() => node?.runs.view(run.id)?.state === 'completed')
    expect(workshop.calls).toHaveLength(2)
  })
})

describe('a device that wakes up', () => {
  it('does not take work back: its handler is told that the claim lapsed', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    const sleeper = group.device(first.place)
    const gaps: number[] = []
    sleeper.node.addEventListener('node:sleep', ({ detail }) => void gaps.push(detail.gapMs))
    sleeper.sleep()
    await group.until(() => workshop.calls.length === 2)
    await group.advance(60_000)
    expect(first.reason()).toBeNull()
    sleeper.wake()
    await group.advance(3000)
    expect(gaps).toHaveLength(1)
    expect(first.reason()).toBe('lapsed')
    expect(run.view.owner).toBe(group.device(other(first.place)).id)
    workshop.last.end('second')
    expect(await group.during(run.result())).toBe('second')
    expect(workshop.calls).toHaveLength(2)
    expect(run.view.conflicts).toEqual([])
  })

  it('does not take work back after a nap that was just long enough for the others to move on', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.device(first.place).sleep()
    await group.until(() => workshop.calls.length === 2)
    group.device(first.place).wake()
    await group.advance(5000)
    expect([first.reason(), workshop.last.reason()]).toEqual(['lapsed', null])
    expect(run.view.owner).toBe(group.device(other(first.place)).id)
  })

  it('freezes what a handler says until it has synced: a result from before the sleep does not count', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    const sleeper = group.device(first.place)
    sleeper.sleep()
    await group.until(() => workshop.calls.length === 2)
    workshop.last.end('second')
    await group.until(() => run.state === 'completed')
    sleeper.wake()
    first.end('first')
    await group.advance(10_000)
    expect(run.view.result?.output).toBe('second')
    for (const node of group.nodes) expect(node.runs.view(run.id)?.result?.output).toBe('second')
  })

  it('after a short nap goes on: nothing moved', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.device(first.place).sleep()
    await group.advance(1000)
    group.device(first.place).wake()
    await group.advance(5000)
    expect(first.reason()).toBeNull()
    first.end('done')
    expect(await group.during(run.result())).toBe('done')
    expect(workshop.calls).toHaveLength(1)
  })

  it('with nobody else there keeps its work', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job'))
    group.device(0).sleep()
    await group.advance(600_000)
    group.device(0).wake()
    await group.advance(10_000)
    expect(workshop.last.reason()).toBeNull()
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
  })
})

describe('a blocked event loop', () => {
  it('is not mistaken for death before its time', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.device(first.place).block(1800)
    await group.advance(10_000)
    expect(workshop.calls).toHaveLength(1)
    expect(first.reason()).toBeNull()
    first.end('done')
    expect(await group.during(run.result())).toBe('done')
    expect(run.history()).toHaveLength(1)
  })

  it('is told to the app, and in the figures', async () => {
    const group = await quickGroup(2)
    const { node } = group.device(1)
    const lags: number[] = []
    node.addEventListener('node:lag', ({ detail }) => void lags.push(detail.lagMs))
    group.device(1).block(1500)
    await group.advance(1600)
    expect(lags.length).toBeGreaterThan(0)
    expect(node.metrics().loopLagMs).toBeGreaterThan(0)
  })

  it('of the one who watches does not make the others look dead', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    group.device(0).block(60_000)
    await group.advance(90_000)
    expect(workshop.calls).toHaveLength(1)
    expect(workshop.last.reason()).toBeNull()
  })
})

describe('shutdown', () => {
  it('hands work back and spends no attempt: another goes on from the checkpoint', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    first.context.progress({ step: 3 })
    await group.during(group.device(first.place).close())
    expect(first.reason()).toBe('shutdown')
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.context).toMatchObject({ attempt: 1, checkpoint: { step: 3 } })
    expect(run.view.attemptsSpent).toBeLessThanOrEqual(1)
    workshop.last.end('done')
    expect(await group.during(run.result())).toBe('done')
    expect(run.history()[0]).toMatchObject({ reason: 'released' })
  })

  it('as `drain`, waits for handlers to end by themselves, and takes nothing new', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    await group.during(group.device(0).node.submit('job', 1))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    let isDrained = false
    const draining = group.device(first.place).node.drain({ timeoutMs: 60_000 })
    void draining.then(() => {
      isDrained = true
    })
    await group.advance(5000)
    expect([isDrained, first.reason()]).toEqual([false, null])
    for (let i = 0; i < 5; i++) await group.during(group.device(0).node.submit('job', 2))
    await group.advance(1000)
    expect(workshop.places.slice(1).every((place) => place === other(first.place))).toBe(true)
    first.end('done')
    await group.during(draining)
    expect(isDrained).toBe(true)
  })

  it('as `drain`, stops what does not end in time and hands it back', async () => {
    const workshop = new Workshop()
    const group = await twoWorkers(workshop)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    const { node } = group.device(first.place)
    await group.during(node.drain({ timeoutMs: 1000 }))
    expect(first.reason()).toBe('shutdown')
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.place).toBe(other(first.place))
    expect(run.view.assignment?.attempt).toBe(1)
    // It still knows, and can still submit.
    const second = await group.during((node satisfies DibsNode).submit('job'))
    await group.until(() => workshop.calls.length === 3)
    expect(workshop.last.place).toBe(other(first.place))
    expect(second.state).toBe('processing')
  })
})
