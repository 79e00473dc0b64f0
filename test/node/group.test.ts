import { describe, expect, it } from 'vitest'
import { createTestGroup } from '../../src/testing/index.js'

const HEARTBEAT = { intervalMs: 1000, timeoutMs: 3000 }

describe('a group', () => {
  it('lets a device in by an admin’s word, and not before', async () => {
    const group = await createTestGroup(1)
    const [founder] = group.nodes
    const stranger = await createTestGroup(1, { seed: 2 })
    expect(founder?.group.view.members.has(stranger.device(0).id)).toBe(false)
    const late = await group.add()
    expect(late.node.group.isMember).toBe(true)
    expect(founder?.devices.list().map(({ device }) => device)).toEqual([group.device(0).id, late.id])
    await group.close()
    await stranger.close()
  })

  it('does not let a member admit or revoke', async () => {
    const group = await createTestGroup(2)
    const { node } = group.device(1)
    const refused = { code: 'NOT_AN_ADMIN' }
    await expect(node.group.admit(group.device(0).id)).rejects.toMatchObject(refused)
    await expect(node.group.revoke(group.device(0).id)).rejects.toMatchObject(refused)
    await group.close()
  })

  it('puts a device out at once: its runs move on, and it can write nothing more', async () => {
    const group = await createTestGroup(3, { device: () => ({ heartbeat: HEARTBEAT }) })
    const [founder, thief] = [group.device(0).node, group.device(1).node]
    const reasons: unknown[] = []
    thief.handle(
      'hold',
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason?.code)
            reject(signal.reason)
          })
        }),
    )
    await group.advance(2500)
    const run = await group.during(founder.submit('hold'))
    await group.until(() => run.state === 'processing')
    expect(run.view.owner).toBe(thief.device)
    group.device(2).node.handle('hold', async () => 'done')
    await group.advance(2500)
    await group.during(founder.group.revoke(thief.device, 'stolen'))
    expect(await group.during(run.result())).toBe('done')
    await group.advance(5000)
    expect(founder.devices.get(thief.device)).toMatchObject({ revoked: true })
    await expect(group.during(founder.submit('hold'))).resolves.toBeDefined()
    await group.close()
  })

  it('keeps those whom a revoked admin had let in', async () => {
    const group = await createTestGroup(2, { device: (place) => (place === 1 ? { role: 'admin' } : {}) })
    const [founder, second] = [group.device(0).node, group.device(1).node]
    const third = await group.add()
    await group.during(second.group.admit(third.id, { role: 'member', clearances: ['secret'] }))
    await group.during(founder.group.revoke(second.device))
    await group.settle()
    expect(founder.devices.get(third.id)).toMatchObject({
      role: 'member',
      clearances: ['secret'],
      revoked: false,
    })
    await group.close()
  })

  it('shows an observer everything and gives it nothing', async () => {
    const group = await createTestGroup(2, { device: (place) => (place === 1 ? { role: 'observer' } : {}) })
    const [founder, observer] = [group.device(0).node, group.device(1).node]
    observer.handle('work', async () => 'observed')
    await group.advance(2500)
    const run = await group.during(founder.submit('work'))
    await group.advance(60_000)
    expect(run.state).toBe('created')
    expect(observer.runs.view(run.id)?.state).toBe('created')
    expect(run.explain().sentences.join(' ')).toContain('observer')
    await group.close()
  })
})
