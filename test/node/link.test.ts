import { describe, expect, it } from 'vitest'
import { quickGroup } from './group-kit.js'

describe('a message that was lost', () => {
  it('is noticed with the next beacon, though nothing came after it', async () => {
    const group = await quickGroup(2)
    const [ana, ben] = [group.device(0), group.device(1)]
    group.network.setLoss(1)
    const run = await group.during(ana.node.submit('job'))
    group.network.setLoss(0)
    expect(ben.node.runs.view(run.id)).toBeNull()
    await group.advance(2000)
    expect(ben.node.runs.view(run.id)?.state).toBe('created')
    await group.close()
  })

  it('is asked for once, and not at every beacon after', async () => {
    const group = await quickGroup(2)
    group.network.setLoss(1)
    await group.during(group.device(0).node.submit('job'))
    group.network.setLoss(0)
    await group.advance(3000)
    const before = group.network.messages.channels
    await group.advance(10_000)
    expect(group.network.messages.channels).toBe(before)
    await group.close()
  })
})
