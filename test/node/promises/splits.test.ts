import { describe, expect, it } from 'vitest'
import type { DibsNode } from '../../../src/index.js'
import { quickGroup, recordsSeen, Workshop } from '../group-kit.js'

/** Two devices that both can do `job`. */
async function twins(workshop: Workshop) {
  return quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
}

describe('a split heals to the earliest', () => {
  it('both sides make one run and take it: the earlier keeps it, the later is told that it is superseded', async () => {
    const workshop = new Workshop()
    const group = await twins(workshop)
    group.partition([[0], [1]])
    const mine = await group.during(group.device(0).node.submit('job', 'x', { key: 'k' }))
    await group.advance(500)
    const theirs = await group.during(group.device(1).node.submit('job', 'x', { key: 'k' }))
    expect(theirs.id).toBe(mine.id)
    expect(workshop.places).toEqual([0, 1])
    const [winner, loser] = [workshop.call(0), workshop.call(1)]
    const shown = loser.context.fence
    expect(shown).toBeGreaterThan(winner.context.fence)
    group.heal()
    await group.advance(5000)
    expect([winner.reason(), loser.reason()]).toEqual([null, 'superseded'])
    for (const { view } of [mine, theirs])
      expect(view).toMatchObject({ owner: group.device(0).id, state: 'processing' })
    // The winner stands above whatever the loser may have shown to the outside.
    expect(winner.context.fence).toBeGreaterThan(shown)
    winner.end('first')
    expect(await group.during(theirs.result())).toBe('first')
    expect(workshop.calls).toHaveLength(2)
    expect(theirs.view.starts).toBe(2)
    expect(group.device(1).node.metrics().counts.group.doubleExecutions).toBe(1)
  })

  it('the later finishes in the split: its result is taken, for work that is done is not done again', async () => {
    const workshop = new Workshop()
    const group = await twins(workshop)
    group.partition([[0], [1]])
    const mine = await group.during(group.device(0).node.submit('job', 'x', { key: 'k' }))
    await group.advance(500)
    await group.during(group.device(1).node.submit('job', 'x', { key: 'k' }))
    workshop.call(1).end('second')
    await group.advance(500)
    group.heal()
    await group.advance(5000)
    expect(workshop.call(0).reason()).toBe('superseded')
    expect(await group.during(mine.result())).toBe('second')
  })

  it('both finish in the split: the result of the earlier is taken, the other is kept as a conflict and told', async () => {
    const workshop = new Workshop()
    const group = await twins(workshop)
    const conflicts: string[] = []
    for (const node of group.nodes)
      node.addEventListener('run:conflict', ({ detail }) => void conflicts.push(detail.run))
    group.partition([[0], [1]])
    const mine = await group.during(group.device(0).node.submit('job', 'x', { key: 'k' }))
    await group.advance(500)
    const theirs = await group.during(group.device(1).node.submit('job', 'x', { key: 'k' }))
    workshop.call(1).end('second')
    await group.advance(500)
    workshop.call(0).end('first')
    await group.advance(500)
    expect([mine.view.result?.output, theirs.view.result?.output]).toEqual(['first', 'second'])
    group.heal()
    await group.advance(5000)
    for (const { view } of [mine, theirs]) {
      expect(view.result?.output).toBe('first')
      expect(view.conflicts).toContainEqual(expect.objectContaining({ type: 'completed', output: 'second' }))
    }
    expect(conflicts).toContain(mine.id)
  })
})

describe('an owner cut off without sleeping', () => {
  async function cutOff(workshop: Workshop, node?: (node: DibsNode) => void) {
    const group = await quickGroup(3, {
      setUp: (each, place) => {
        if (place > 0) each.handle('job', workshop.at(place))
        node?.(each)
      },
    })
    return group
  }

  it('keeps its run by `held` after the heal, and the other’s handler is superseded', async () => {
    const workshop = new Workshop()
    const group = await cutOff(workshop)
    const seen = recordsSeen(group.device(0).node)
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.partition([[0, 3 - first.place], [first.place]])
    await group.until(() => workshop.calls.length === 2)
    const second = workshop.last
    const shown = second.context.fence
    await group.advance(500)
    expect(first.reason()).toBeNull()
    group.heal()
    await group.advance(5000)
    expect([first.reason(), second.reason()]).toEqual([null, 'superseded'])
    expect(run.view.owner).toBe(group.device(first.place).id)
    expect(seen.map(({ kind }) => kind)).toContain('held')
    expect(first.context.fence).toBeGreaterThan(shown)
    first.end('first')
    expect(await group.during(run.result())).toBe('first')
    expect(workshop.calls).toHaveLength(2)
  })

  it('loses it if the run says `reconcile: latest`', async () => {
    const workshop = new Workshop()
    const group = await cutOff(workshop)
    const run = await group.during(group.device(0).node.submit('job', null, { reconcile: 'latest' }))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    group.partition([[0, 3 - first.place], [first.place]])
    await group.until(() => workshop.calls.length === 2)
    const second = workshop.last
    group.heal()
    await group.advance(5000)
    expect([first.reason(), second.reason()]).toEqual(['superseded', null])
    second.end('second')
    expect(await group.during(run.result())).toBe('second')
  })

  it('a run made and done offline is known to all after the heal', async () => {
    const workshop = new Workshop()
    const group = await cutOff(workshop)
    group.partition([[0, 1], [2]])
    const run = await group.during(group.device(2).node.submit('job'))
    workshop.last.end('offline')
    expect(await group.during(run.result())).toBe('offline')
    expect(group.device(0).node.runs.get(run.id)).toBeNull()
    group.heal()
    await group.advance(2000)
    expect(group.device(0).node.runs.view(run.id)?.result?.output).toBe('offline')
    expect(workshop.calls).toHaveLength(1)
  })
})
