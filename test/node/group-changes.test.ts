import { describe, expect, it } from 'vitest'
import { quickGroup } from './group-kit.js'

describe('device:changed', () => {
  it('tells of a new role, of new handlers and of a device that was put out, and of no other device', async () => {
    const group = await quickGroup(3)
    const [founder, other] = [group.node(0), group.node(1)]
    const changed: string[] = []
    founder.addEventListener('device:changed', ({ detail }) => void changed.push(detail.device))
    await group.during(founder.group.admit(other.device, { role: 'observer' }))
    expect(changed.splice(0)).toEqual([other.device])
    await group.during(founder.group.admit(other.device, { role: 'member' }))
    other.handle('job', () => null)
    await group.advance(3000)
    expect(new Set(changed.splice(0))).toEqual(new Set([other.device]))
    await group.during(founder.group.revoke(other.device))
    expect(changed).toEqual([other.device])
  })
})
