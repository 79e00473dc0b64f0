import { describe, expect, it } from 'vitest'
import { msOf } from '../../protocol/index.js'
import { Device, signerOf } from './devices.js'

describe('incarnations', () => {
  it('grow from start to start, even if the clock is set back and nothing was written', async () => {
    const ana = await new Device('ana', await signerOf('ana')).found()
    const group = ana.journals.group.id
    let last = ana.journals.incarnation
    for (const setBackMs of [0, 3_600_000, 86_400_000]) {
      await ana.journals.close()
      ana.clock.nowMs -= setBackMs
      await ana.open(group)
      expect(ana.journals.incarnation).toBeGreaterThan(last)
      last = ana.journals.incarnation
    }
  })

  it('do not hold the clock: what is written after a correction has the corrected time', async () => {
    const founder = await new Device('ana', await signerOf('ana')).found()
    const late = new Device('ben', await signerOf('ben'))
    const trueMs = late.clock.nowMs
    late.clock.nowMs += 3_600_000
    await late.open(founder.journals.group.id)
    await founder.journals.commit(
      (write) => void write({ kind: 'admitted', device: late.id, role: 'member' }),
    )
    for (const message of founder.published) await late.journals.receive(message, founder.id)
    late.clock.nowMs = trueMs
    const [created] = await late.journals.commit((write) => void write({ kind: 'created', type: 'job' }))
    expect(msOf(created?.stamp ?? 0)).toBeLessThan(trueMs + 1000)
    expect(late.journals.incarnation).toBeGreaterThan(created?.stamp ?? 0)
  })
})
