import { describe, expect, it } from 'vitest'
import { MAX_TEXT_LENGTH } from '../../protocol/index.js'
import { codeOf, quickGroup, Workshop } from './group-kit.js'

describe('a note that no record can carry as it is', () => {
  it('does not keep a run from being given back', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => void node.handle('job', workshop.at()) })
    const run = await group.during(group.node(0).submit('job'))
    await group.settle()
    const before = group.time.nowMs
    await group.during(run.release(`half \ud800 of it${'x'.repeat(MAX_TEXT_LENGTH)}`))
    expect(group.time.nowMs).toBe(before)
    expect(run.view.previousAssignments[0]?.reason).toBe('released')
  })

  it('is refused where it is no text, and the run goes on', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => void node.handle('job', workshop.at()) })
    const run = await group.during(group.node(0).submit('job'))
    await group.settle()
    expect(await codeOf(run.release(17 as never))).toBe('INVALID_OPTIONS')
    expect(workshop.last.reason()).toBeNull()
  })

  it('does not keep a device from declining', async () => {
    const group = await quickGroup(2, {
      device: (place) => (place === 1 ? { willing: () => `no \ud800 ${'x'.repeat(MAX_TEXT_LENGTH)}` } : {}),
      setUp: (node, place) => void (place === 1 && node.handle('job', () => 'done')),
    })
    const run = await group.during(group.node(0).submit('job'))
    await group.advance(500)
    expect(run.view.previousAssignments.at(-1) ?? run.view.assignment).toMatchObject({
      device: group.device(1).id,
    })
    expect(run.history().some(({ reason }) => reason === 'declined')).toBe(true)
  })
})
