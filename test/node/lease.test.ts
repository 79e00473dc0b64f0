import { describe, expect, it } from 'vitest'
import { codeOf, quickGroup } from './group-kit.js'

describe('a lease', () => {
  it('is not handed out by a node that began to close, and its run is given back', async () => {
    const group = await quickGroup(1)
    const node = group.node(0)
    const run = await group.during(node.submit('job'))
    const leased = node.leaseNext()
    const before = group.time.nowMs
    const closed = node.close()
    expect(await leased).toBeNull()
    await group.during(closed)
    expect(group.time.nowMs).toBe(before)
    expect(run.view).toMatchObject({ state: 'reassigning', attemptsSpent: 0 })
  })

  it('is told to stop even if the reason came before its holder had it', async () => {
    const group = await quickGroup(1)
    const node = group.node(0)
    const run = await group.during(node.submit('job'))
    const [lease] = await group.during(Promise.all([node.leaseNext(), run.pause()]))
    expect(lease?.signal.reason?.code).toBe('paused')
  })

  it.each([
    { capabilities: 'gpu' },
    { capabilities: 7 },
    { project: 5 },
    { type: '' },
    { leaseMs: 0 },
    { typ: 'job' },
    null,
  ])('is refused for options that are none: %j', async (options) => {
    const group = await quickGroup(1)
    const node = group.node(0)
    await group.during(node.submit('job', null, { requires: ['gpu'] }))
    expect(await codeOf(() => node.leaseNext(options as never))).toBe('INVALID_OPTIONS')
  })
})
