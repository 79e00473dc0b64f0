import { describe, expect, it } from 'vitest'
import { isApproved, waitingFor } from '../../../protocol/index.js'
import { ana, ben, START, Story } from '../story.js'

describe('what a run waits for', () => {
  it('is a device, where nothing else keeps it', () => {
    const s = new Story()
    s.created(ana)
    expect(waitingFor(s.view, s.nowMs)).toMatchObject({ reason: 'no_device', until: null })
  })

  it('is its time, until that has come', () => {
    const s = new Story()
    s.created(ana, { notBefore: START + 5000 })
    expect(waitingFor(s.view, START + 4999)).toMatchObject({ reason: 'not_before', until: START + 5000 })
    expect(waitingFor(s.view, START + 5000)?.reason).toBe('no_device')
  })

  it('is an approval, again once the last has expired', () => {
    const s = new Story()
    const run = s.created(ana, { approval: 'members' })
    expect(waitingFor(s.view, s.nowMs)?.reason).toBe('approval')
    expect(isApproved(s.view, s.nowMs)).toBe(false)
    s.write(ben, { kind: 'approved', run: run.run, by: 'Ben', expiresAt: START + 5000 })
    expect(waitingFor(s.view, START + 4999)?.reason).toBe('no_device')
    expect(waitingFor(s.view, START + 5000)?.reason).toBe('approval')
    s.write(ben, { kind: 'approved', run: run.run, by: 'Ben' })
    expect(isApproved(s.view, START + 10 ** 9)).toBe(true)
  })

  it('is a person, while it is paused, whatever else', () => {
    const s = new Story()
    const run = s.created(ana, { approval: 'members', notBefore: START + 10 ** 6 })
    s.write(ben, { kind: 'paused', run: run.run, reason: 'lunch' })
    expect(waitingFor(s.view, s.nowMs)).toMatchObject({
      reason: 'paused',
      sentence: 'It is paused: lunch. Resume it to let it go on.',
    })
  })

  it('is nothing, while someone has it or it has ended', () => {
    const s = new Story()
    const run = s.created(ana)
    const first = s.taken(ana, run)
    expect(waitingFor(s.view, s.nowMs)).toBeNull()
    s.completed(ana, first)
    expect(waitingFor(s.view, s.nowMs)).toBeNull()
  })
})
