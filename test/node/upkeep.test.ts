import { describe, expect, it } from 'vitest'
import { createTestGroup } from '../../src/testing/index.js'

const DAY_MS = 86_400_000

/** So that days pass quickly. */
const RARE = { intervalMs: 600_000, timeoutMs: 1_800_000 }

describe('upkeep', () => {
  it('drops runs that ended before the retention, and keeps those that are open', async () => {
    const group = await createTestGroup(1, { device: () => ({ retentionMs: 2 * DAY_MS, slots: 1 }) })
    const [node] = group.nodes
    if (node === undefined) throw new Error('There is no node.')
    node.handle('quick', async () => 'done')
    const ended = await group.during(node.submit('quick'))
    await group.during(ended.result())
    const later = { notBefore: group.time.nowMs + 30 * DAY_MS }
    await group.advance(DAY_MS)
    const open = await group.during(node.submit('quick', null, later))
    await group.advance(4 * DAY_MS)
    expect(node.runs.get(ended.id)).toBeNull()
    expect(node.runs.get(open.id)?.state).toBe('created')
    expect(node.runs.count()).toBe(1)
    expect(() => ended.view).toThrow(expect.objectContaining({ code: 'RUN_NOT_FOUND' }))
    await group.close()
  })

  it('keeps all of a run whose key was used on two days, until both are over', async () => {
    const group = await createTestGroup(2, { device: () => ({ retentionMs: DAY_MS, heartbeat: RARE }) })
    const [ana, ben] = group.nodes
    if (ana === undefined || ben === undefined) throw new Error('There are too few nodes.')
    group.partition([[0], [1]])
    const run = await group.during(ana.submit('quick', 'of ana', { key: 'album' }))
    await group.advance(2 * DAY_MS)
    ben.handle('quick', async () => 'done')
    await group.during((await group.during(ben.submit('quick', 'of ben', { key: 'album' }))).result())
    group.heal()
    await group.advance(DAY_MS / 4)
    const before = ana.runs.view(run.id)
    expect(before).toMatchObject({ state: 'completed', created: { input: 'of ana' } })
    await group.device(0).restart()
    expect(group.device(0).node.runs.view(run.id)).toEqual(before)
    await group.advance(2.5 * DAY_MS)
    expect(group.device(0).node.runs.count()).toBe(0)
    await group.close()
  })

  it('adds nothing to any journal while a device is idle', async () => {
    const group = await createTestGroup(2)
    await group.advance(60_000)
    const before = group.network.messages.batches
    await group.advance(DAY_MS)
    expect(group.network.messages.batches).toBe(before)
    await group.close()
  })
})
