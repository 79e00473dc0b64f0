import { describe, expect, it } from 'vitest'
import type { RunRecord } from '../../../protocol/index.js'
import { eventOf, isTold, type OutboxEvent } from '../../../src/node/outbox/events.js'
import { ana, ben, cid, eve, Story } from '../../protocol/story.js'

function eventsOf(story: Story, payloads = false): (OutboxEvent | 'later' | 'none')[] {
  return story.runRecords.filter(isTold).map((record) => eventOf(record, story.view, { payloads }))
}

function typesOf(story: Story): string[] {
  return eventsOf(story).map((event) => (typeof event === 'string' ? event : event.type))
}

function lastOf(story: Story, payloads = false): OutboxEvent {
  const event = eventsOf(story, payloads).pop()
  if (event === undefined || typeof event === 'string') throw new Error(`There is no event: ${event}.`)
  return event
}

describe('what the outbox tells', () => {
  it('a run from its creation to its result', () => {
    const story = new Story()
    const assignment = story.taken(ana, story.created(ana))
    story.completed(ana, assignment, 'done')
    expect(typesOf(story)).toEqual([
      'run.created',
      'run.assigned',
      'run.claimed',
      'run.started',
      'run.completed',
    ])
  })

  it('progress is not told', () => {
    const story = new Story()
    const progressed: RunRecord = story.progressed(ana, story.taken(ana, story.created(ana)), 1)
    expect(isTold(progressed)).toBe(false)
  })

  it('a run that moves on is reassigned', () => {
    const story = new Story()
    const first = story.assigned(ana, ben, story.created(ana))
    story.declined(ben, first, 'busy')
    story.reassigned(ana, cid, first, 'declined')
    expect(typesOf(story)).toEqual(['run.created', 'run.assigned', 'run.declined', 'run.reassigned'])
    expect(lastOf(story).data).toMatchObject({ target: cid, reason: 'declined' })
  })

  it('a release, a hold, and what people do to a run', () => {
    const story = new Story()
    const run = story.created(ana)
    const assignment = story.taken(ana, run)
    story.held(ana, assignment)
    story.write(ben, { kind: 'expedited', run: run.run, priority: 7 })
    story.write(ben, { kind: 'approved', run: run.run, by: 'Ben' })
    story.write(ben, { kind: 'paused', run: run.run, reason: 'lunch' })
    story.write(ben, { kind: 'resumed', run: run.run })
    story.released(ana, assignment)
    const cancelled = story.write(ben, { kind: 'cancelled', run: run.run })
    story.write(ben, { kind: 'retried', run: run.run, round: 1, ended: cancelled.id })
    expect(typesOf(story).slice(4)).toEqual([
      'run.held',
      'run.expedited',
      'run.approved',
      'run.paused',
      'run.resumed',
      'run.released',
      'run.cancelled',
      'run.retried',
    ])
  })

  it('an attempt that failed is not a run that failed', () => {
    const story = new Story()
    const first = story.taken(ana, story.created(ana))
    story.failed(ana, first)
    const second = story.wait(5000).reassigned(ana, ana, first, 'failed')
    story.claimed(ana, second)
    story.failed(ana, second, { final: true })
    const failures = eventsOf(story).filter((event) => typeof event !== 'string' && event.data.error)
    expect(failures).toMatchObject([
      { type: 'run.attempt_failed', data: { error: { code: 'BROKEN', message: 'It broke.' } } },
      { type: 'run.failed', data: { state: 'failed', attempt: 2 } },
    ])
  })

  it('of two results one is the result, the other a conflict', () => {
    const story = new Story()
    const run = story.created(ana)
    const first = story.assigned(ana, ben, run)
    const second = story.wait(1).assigned(cid, cid, run)
    story.claimed(ben, first)
    story.claimed(cid, second)
    story.completed(cid, second)
    story.completed(ben, first)
    expect(typesOf(story).slice(-2)).toEqual(['run.conflict', 'run.completed'])
  })

  it('a second submission under one key is told only if it asked for something else', () => {
    const story = new Story()
    story.created(ana, { key: 'one', input: 1 })
    story.created(ben, { key: 'one', input: 1 })
    story.created(cid, { key: 'one', input: 2 })
    expect(typesOf(story)).toEqual(['run.created', 'none', 'run.conflict'])
  })

  it('what a stranger writes waits to be told', () => {
    const story = new Story()
    const run = story.created(ana)
    story.write(eve, { kind: 'cancelled', run: run.run })
    expect(typesOf(story)).toEqual(['run.created', 'later'])
  })

  it('an event names run, project, author and time, and its key is its record', () => {
    const story = new Story()
    const run = story.created(ben, { project: 'films', priority: 3 })
    expect(lastOf(story)).toEqual({
      id: run.id,
      key: run.id,
      type: 'run.created',
      run: run.run,
      project: 'films',
      runType: 'test.job',
      at: story.nowMs,
      device: ben,
      data: { state: 'created', round: 0, attempt: 0, priority: 3 },
    })
  })

  it('inputs, outputs and error details are told only if asked for', () => {
    const story = new Story()
    const assignment = story.taken(ana, story.created(ana, { input: 'secret' }))
    story.failed(ana, assignment, { error: { code: 'X', message: 'x', details: 'secret' } })
    story.completed(ana, assignment, 'secret')
    expect(JSON.stringify(eventsOf(story))).not.toContain('secret')
    const events = JSON.stringify(eventsOf(story, true))
    for (const field of ['input', 'output', 'details']) expect(events).toContain(`"${field}":"secret"`)
  })
})
