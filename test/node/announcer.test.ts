import { describe, expect, it } from 'vitest'
import { quickGroup } from './group-kit.js'

describe('loop lag', () => {
  it('of a process that stood still for a night keeps nobody from work in the morning', async () => {
    const group = await quickGroup(1, { setUp: (node) => void node.handle('job', () => 'done') })
    const node = group.node(0)
    group.device(0).block(8 * 3_600_000)
    await group.advance(8 * 3_600_000)
    expect(node.metrics().loopLagMs).toBeGreaterThan(0)
    const run = await group.during(node.submit('job'))
    await group.advance(10_000)
    expect(run.state).toBe('completed')
    expect(node.metrics().loopLagMs).toBe(0)
  })
})
