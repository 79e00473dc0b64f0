import { describe, expect, it } from 'vitest'
import { runEventOf } from '../../src/node/node-events.js'
import { ana, ben, cid, Story } from '../protocol/story.js'

function eventsOf(story: Story): (string | null)[] {
  return story.runRecords.map((record) => runEventOf(record, story.view))
}

describe('the event that a record is', () => {
  it('names each step of a run, progress too', () => {
    const story = new Story()
    const run = story.created(ana)
    const first = story.taken(ana, run)
    story.progressed(ana, first, 1)
    story.failed(ana, first)
    const second = story.wait(5000).reassigned(ana, ben, first, 'failed')
    story.claimed(ben, second)
    story.write(cid, { kind: 'paused', run: run.run })
    story.completed(ben, second)
    expect(eventsOf(story)).toEqual([
      'run:created',
      'run:assigned',
      'run:claimed',
      'run:started',
      'run:progressed',
      'run:attempt-failed',
      'run:reassigned',
      'run:claimed',
      'run:paused',
      'run:completed',
    ])
  })

  it('is a conflict if there is a result already', () => {
    const story = new Story()
    const run = story.created(ana)
    const first = story.assigned(ana, ben, run)
    const second = story.wait(1).assigned(cid, cid, run)
    story.claimed(ben, first)
    story.claimed(cid, second)
    story.completed(ben, first)
    story.completed(cid, second)
    expect(eventsOf(story).slice(-2)).toEqual(['run:completed', 'run:conflict'])
  })

  it('is none if the record has no effect, or the run is not known yet', () => {
    const story = new Story()
    const claimed = story.claimed(cid, story.assigned(ana, ben, story.created(ana)))
    expect(runEventOf(claimed, story.view)).toBe(null)
    expect(runEventOf(claimed, null)).toBe(null)
  })
})
