import { describe, expect, test } from 'vitest'
import { choose, exclusionsOf, needsOf } from '../../../protocol/index.js'
import { ana, ben, cid, Story } from '../story.js'
import { candidate, choice } from './candidates.js'

describe('what a run asks of a device', () => {
  test('a run that says nothing asks for nothing', () => {
    const story = new Story()
    const run = story.created(ben)
    expect(needsOf(story.view, story.nowMs)).toEqual({
      run: run.run,
      type: 'test.job',
      priority: 0,
      requires: [],
      prefers: [],
      privacy: [],
      creator: ben,
      approved: true,
      coordinator: false,
      minBattery: 0,
      exclusions: [],
    })
  })

  test('what a run says is what it asks for', () => {
    const story = new Story()
    const asks = {
      project: 'atlas',
      priority: 7,
      requires: ['gpu'],
      prefers: ['disk'],
      privacy: ['trusted_only'],
      minBattery: 0.5,
    }
    story.created(ben, { ...asks, coordinator: true })
    expect(needsOf(story.view, story.nowMs)).toMatchObject({ ...asks, coordinator: true })
  })

  test('an expedited run has its new priority', () => {
    const story = new Story()
    const { run } = story.created(ben)
    story.write(cid, { kind: 'expedited', run, priority: 10 })
    expect(needsOf(story.view, story.nowMs).priority).toBe(10)
  })

  test('a run that needs an approval is approved from its approval to its expiry', () => {
    const story = new Story()
    const { run } = story.created(ben, { approval: 'members' })
    expect(needsOf(story.view, story.nowMs).approved).toBe(false)
    const expiresAt = story.nowMs + 10_000
    story.write(cid, { kind: 'approved', run, by: 'Cid', expiresAt })
    expect(needsOf(story.view, expiresAt - 1).approved).toBe(true)
    expect(needsOf(story.view, expiresAt).approved).toBe(false)
  })
})

describe('who is excluded from a run', () => {
  test('a device that declined, and when', () => {
    const story = new Story()
    const first = story.assigned(ana, ben, story.created(ana))
    story.wait(500).declined(ben, first)
    expect(exclusionsOf(story.view)).toEqual([{ device: ben, at: story.nowMs, why: 'declined' }])
  })

  test('a device that failed, also after another took over', () => {
    const story = new Story()
    const first = story.taken(ben, story.created(ana))
    story.failed(ben, first)
    const failedAt = story.nowMs
    const second = story.wait(5000).reassigned(ana, cid, first, 'failed')
    story.wait(1).claimed(cid, second)
    expect(exclusionsOf(story.view)).toEqual([{ device: ben, at: failedAt, why: 'failed' }])
  })

  test('a device that declined twice, twice', () => {
    const story = new Story()
    const first = story.assigned(ana, ben, story.created(ana))
    story.wait(1).declined(ben, first)
    const second = story.wait(1).reassigned(ana, ben, first, 'declined')
    story.wait(1).declined(ben, second)
    expect(exclusionsOf(story.view).map(({ device }) => device)).toEqual([ben, ben])
  })

  test('not a device that released it, nor one that timed out', () => {
    const story = new Story()
    const first = story.taken(ben, story.created(ana))
    story.wait(1).released(ben, first, 'drain')
    const second = story.wait(1).reassigned(ana, cid, first, 'released')
    story.wait(1).claimed(cid, second)
    story.wait(90_000).reassigned(ana, ben, second, 'timeout')
    expect(exclusionsOf(story.view)).toEqual([])
  })

  test('a new round begins with a clean sheet', () => {
    const story = new Story()
    const { run, ...created } = story.created(ana)
    const first = story.taken(ben, { run, ...created })
    const end = story.failed(ben, first, { final: true })
    expect(exclusionsOf(story.view)).toHaveLength(1)
    story.wait(1).write(ana, { kind: 'retried', run, round: 1, ended: end.id })
    expect(exclusionsOf(story.view)).toEqual([])
  })

  test('a device that declined is asked again once the exclusion has decayed', () => {
    const story = new Story()
    const first = story.assigned(ana, ben, story.created(ana))
    story.wait(500).declined(ben, first)
    const ask = (nowMs: number): ReturnType<typeof choose> =>
      choose(choice([candidate({ device: ben })], needsOf(story.view, nowMs), { nowMs }))
    expect(ask(story.nowMs + 299_999).winner).toBeNull()
    expect(ask(story.nowMs + 300_000).winner).toBe(ben)
  })
})
