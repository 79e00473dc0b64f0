import { describe, expect, it } from 'vitest'
import { COUNTED, type Counts } from '../../../src/node/metrics/index.js'
import { ana, ben, cid } from '../../protocol/story.js'
import { GAUGES, Observed } from './kit.js'

const NOTHING = Object.fromEntries(Object.keys(COUNTED).map((name) => [name, 0]))

function counted(counts: Partial<Counts>): object {
  return { ...NOTHING, ...counts }
}

describe('the depth', () => {
  it('is told by state, and by priority for what is open and what waits', () => {
    const observed = new Observed()
    const { story } = observed
    story.created(ana, { priority: 10 })
    story.created(ana, { priority: 9 })
    story.created(ana, { priority: -10 })
    story.taken(ana, story.created(ana))
    story.completed(ana, story.taken(ana, story.created(ana)))
    const { depth } = observed.tell().now
    expect(depth.byState).toMatchObject({ created: 3, processing: 1, completed: 1, assigned: 0, failed: 0 })
    expect(depth.open).toEqual({ high: 1, normal: 2, low: 1 })
    expect(depth.waiting).toEqual({ high: 1, normal: 1, low: 1 })
  })

  it('moves with a change of priority', () => {
    const observed = new Observed()
    const { run } = observed.story.created(ana)
    observed.tell()
    observed.story.write(ben, { kind: 'expedited', run, priority: 50 })
    expect(observed.tell().now.depth.waiting).toEqual({ high: 1, normal: 0, low: 0 })
  })

  it('does not hold a run that was dropped', () => {
    const observed = new Observed()
    const run = observed.story.created(ana)
    observed.story.taken(ana, run)
    observed.tell()
    const view = observed.table.view(run.run)
    if (view !== null) observed.metrics.forget(view)
    const { depth, claims } = observed.now
    expect(Object.values(depth.byState).every((count) => count === 0)).toBe(true)
    expect([depth.open.normal, claims.count]).toEqual([0, 0])
  })

  it('is all that a restart brings back', () => {
    const observed = new Observed()
    observed.story.taken(ana, observed.story.created(ana))
    const { depth, counts, seconds, claims } = observed.tell({ restored: true }).now
    expect(depth.byState.processing).toBe(1)
    expect(counts).toEqual({ group: NOTHING, device: NOTHING })
    expect(seconds.timeToClaim.count).toBe(0)
    expect(claims.count).toBe(1)
  })
})

describe('the counts', () => {
  it('tell what happened in the group, and what this device did', () => {
    const observed = new Observed(ben)
    const { story } = observed
    const first = story.assigned(ana, ben, story.created(ana))
    story.declined(ben, first)
    const second = story.reassigned(ana, cid, first, 'declined')
    story.claimed(cid, second)
    story.started(cid, second)
    story.released(cid, second, 'preempted')
    const third = story.wait(1000).reassigned(ana, ben, second, 'preempted')
    story.claimed(ben, third)
    story.started(ben, third)
    story.held(ben, third)
    story.completed(ben, third)
    const { group, device } = observed.tell().now.counts
    expect(group).toEqual(
      counted({
        created: 1,
        declined: 1,
        reassigned: 2,
        claimed: 2,
        started: 2,
        preempted: 1,
        released: 1,
        held: 1,
        completed: 1,
      }),
    )
    expect(device).toEqual(counted({ declined: 1, claimed: 1, started: 1, held: 1, completed: 1 }))
  })

  it('tell failed attempts from failed runs, and silence from other reasons to move on', () => {
    const observed = new Observed()
    const { story } = observed
    const first = story.taken(ana, story.created(ana))
    story.failed(ana, first)
    const second = story.wait(5000).reassigned(ana, ben, first, 'failed')
    const third = story.wait(90_000).reassigned(ana, cid, second, 'timeout')
    story.claimed(cid, third)
    story.failed(cid, third, { final: true })
    expect(observed.tell().now.counts.group).toMatchObject({
      attemptsFailed: 2,
      failed: 1,
      reassigned: 2,
      timedOut: 1,
    })
  })

  it('count an end once, however many devices write it', () => {
    const observed = new Observed()
    const { story } = observed
    const { run } = story.created(ana)
    for (const who of [ana, ben, cid]) story.write(who, { kind: 'cancelled', run })
    expect(observed.tell().now.counts).toMatchObject({ group: { cancelled: 1 }, device: { cancelled: 1 } })
  })

  it('leave out what has no effect', () => {
    const observed = new Observed()
    const { story } = observed
    const assignment = story.assigned(ana, ben, story.created(ana))
    story.claimed(cid, assignment)
    expect(observed.tell().now.counts.group.claimed).toBe(0)
  })

  it('are the same when a whole life arrives at once', () => {
    const tellBoth = [false, true].map((together) => {
      const observed = new Observed()
      const { story } = observed
      const first = story.taken(ana, story.created(ana))
      story.wait(500).failed(ana, first)
      const second = story.wait(5000).reassigned(ana, ben, first, 'failed')
      story.claimed(ben, second)
      story.started(ben, second)
      story.wait(700).completed(ben, second)
      const { counts, seconds } = observed.tell({ together }).now
      return { counts, seconds }
    })
    expect(tellBoth[1]).toEqual(tellBoth[0])
  })
})

describe('double executions', () => {
  it('are begun off the path that won, or brought a further result; each counts once', () => {
    const observed = new Observed(cid)
    const { story } = observed
    const run = story.created(ana)
    const first = story.assigned(ana, ben, run)
    const second = story.wait(1).assigned(cid, cid, run)
    for (const [who, assignment] of [
      [ben, first],
      [cid, second],
    ] as const) {
      story.claimed(who, assignment)
      story.started(who, assignment)
    }
    expect(observed.tell().now.counts.group.doubleExecutions).toBe(1)
    story.completed(cid, second)
    story.completed(ben, first)
    const { group, device } = observed.tell().now.counts
    expect([group.doubleExecutions, device.doubleExecutions]).toEqual([1, 1])
  })

  it('are none if the loser only claimed, or began alone', () => {
    const observed = new Observed()
    const { story } = observed
    const run = story.created(ana)
    const first = story.assigned(ana, ben, run)
    const second = story.wait(1).assigned(cid, cid, run)
    story.claimed(ben, first)
    story.claimed(cid, second)
    expect(observed.tell().now.counts.group.doubleExecutions).toBe(0)
    story.started(cid, second)
    expect(observed.tell().now.counts.group.doubleExecutions).toBe(0)
    story.started(ben, first)
    expect(observed.tell().now.counts.group.doubleExecutions).toBe(1)
  })

  it('are none when a run moved on from a device that fell silent', () => {
    const observed = new Observed()
    const { story } = observed
    const first = story.taken(ana, story.created(ana))
    const second = story.wait(90_000).reassigned(ben, ben, first, 'timeout')
    story.claimed(ben, second)
    story.started(ben, second)
    story.completed(ben, second)
    expect(observed.tell().now.counts.group.doubleExecutions).toBe(0)
  })
})

describe('how long things take', () => {
  it('from creation to claim, at work, and held, in seconds', () => {
    const observed = new Observed()
    const { story } = observed
    const run = story.created(ana)
    const assignment = story.wait(2000).assigned(ana, ana, run)
    story.claimed(ana, assignment)
    story.wait(1000).started(ana, assignment)
    story.wait(4000).completed(ana, assignment)
    const { timeToClaim, processing, lease } = observed.tell().now.seconds
    expect([timeToClaim.sum, processing.sum, lease.sum]).toEqual([2, 4, 5])
    expect([timeToClaim.count, processing.count, lease.count]).toEqual([1, 1, 1])
    expect(timeToClaim.mean).toBe(2)
  })

  it('a run that may not begin yet does not wait for a claim', () => {
    const observed = new Observed()
    const { story } = observed
    const run = story.created(ana, { notBefore: story.nowMs + 60_000 })
    story.claimed(ana, story.wait(61_000).assigned(ana, ana, run))
    expect(observed.tell().now.seconds.timeToClaim.sum).toBe(1)
  })

  it('every attempt is measured, and one that was cancelled too', () => {
    const observed = new Observed()
    const { story } = observed
    const run = story.created(ana)
    const first = story.taken(ana, run)
    story.wait(1000).released(ana, first)
    const second = story.reassigned(ana, ben, first, 'released')
    story.claimed(ben, second)
    story.started(ben, second)
    story.wait(3000).write(cid, { kind: 'cancelled', run: run.run })
    const { processing, timeToClaim } = observed.tell().now.seconds
    expect([processing.count, processing.sum, timeToClaim.count]).toEqual([2, 4, 1])
  })
})

describe('current claims', () => {
  it('are counted by device, and listed with how long they are held', () => {
    const observed = new Observed()
    const { story, clock } = observed
    const first = story.created(ana)
    story.taken(ben, first)
    for (let i = 0; i < 2; i++) story.taken(cid, story.created(ana))
    story.completed(ben, story.taken(ben, story.created(ana)))
    clock.nowMs = story.nowMs + 5000
    const { count, byDevice, current } = observed.tell().now.claims
    expect(count).toBe(3)
    expect(byDevice).toEqual([
      { device: cid, count: 2 },
      { device: ben, count: 1 },
    ])
    expect(current[0]).toEqual({ run: first.run, device: ben, sinceMs: 5000 })
  })

  it('are listed up to a hundred', () => {
    const observed = new Observed()
    for (let i = 0; i < 120; i++) observed.story.taken(ana, observed.story.created(ana))
    const { count, current } = observed.tell().now.claims
    expect([count, current.length]).toEqual([120, 100])
  })
})

describe('rates', () => {
  function complete(observed: Observed, times: number): void {
    const { story, clock } = observed
    story.nowMs = clock.nowMs
    for (let i = 0; i < times; i++) story.completed(ana, story.taken(ana, story.created(ana)))
    observed.tell()
  }

  it('are per minute, over the last 1, 5 and 15 minutes', () => {
    const observed = new Observed()
    observed.clock.advance(15 * 60_000)
    complete(observed, 30)
    expect(observed.now.rates.completed).toEqual({ last1: 30, last5: 6, last15: 2 })
    observed.clock.advance(30_000)
    expect(observed.now.rates.completed.last1).toBe(30)
    observed.clock.advance(60_000)
    expect(observed.now.rates.completed).toEqual({ last1: 15, last5: 6, last15: 2 })
    observed.clock.advance(60 * 60_000)
    expect(observed.now.rates.claimed).toEqual({ last1: 0, last5: 0, last15: 0 })
  })

  it('are over the time since the start while that is shorter', () => {
    const observed = new Observed()
    complete(observed, 10)
    observed.clock.advance(2 * 60_000)
    expect(observed.now.rates.completed.last15).toBe(5)
  })

  it('say which share of the runs that ended failed', () => {
    const observed = new Observed()
    expect(observed.now.rates.failureShare.last1).toBe(null)
    complete(observed, 3)
    const { story } = observed
    story.failed(ana, story.taken(ana, story.created(ana)), { final: true })
    expect(observed.tell().now.rates.failureShare).toEqual({ last1: 0.25, last5: 0.25, last15: 0.25 })
  })
})

describe('a snapshot', () => {
  it('is plain data, with what the node measures', () => {
    const observed = new Observed()
    observed.story.taken(ana, observed.story.created(ana))
    const snapshot = observed.tell().metrics.snapshot({ ...GAUGES, sleeps: 2, loopLagMs: 7 })
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    expect(snapshot).toMatchObject({ sleeps: 2, loopLagMs: 7, slots: 10 })
  })
})
