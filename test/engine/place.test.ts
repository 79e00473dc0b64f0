import { describe, expect, it } from 'vitest'
import type { RunNeeds } from '../../protocol/index.js'
import { type Forgiving, placementFor } from '../../src/engine/place.js'
import { ana, ben, cid, GROUP } from '../protocol/story.js'
import { Desk, HEARTBEAT } from './desk.js'

const JOB: RunNeeds = {
  run: GROUP,
  type: 'test.job',
  priority: 0,
  requires: [],
  prefers: [],
  privacy: [],
  creator: ana,
  approved: true,
  coordinator: false,
  minBattery: 0,
  exclusions: [],
}

function among(...args: ConstructorParameters<typeof Desk>): Desk {
  const desk = new Desk(...args)
  desk.alive.add(ben)
  desk.wait(2000)
  return desk
}

function placed(desk: Desk, needs: Partial<RunNeeds> = {}, forgiving?: Forgiving): string {
  const placement = placementFor(desk.state, { ...JOB, ...needs }, forgiving)
  return placement.type === 'other' ? placement.device : placement.type
}

describe('a run goes', () => {
  it('to its creator if that can and will', () => {
    expect(placed(among())).toBe('self')
  })

  it('to another if the creator is full, draining, unwilling, or its policy throws', () => {
    const full = among({}, { slots: 1 })
    full.submit()
    const refuses = (): never => {
      throw new Error('no')
    }
    for (const desk of [
      full,
      among({}, { draining: true }),
      among({ willing: () => 'no' }),
      among({ willing: refuses }),
    ])
      expect(placed(desk)).toBe(ben)
  })

  it('to nobody where none has the handler, and waits where all are full', () => {
    const desk = among(
      {},
      {
        slots: 1,
        handles: new Map([
          ['test.job', 1],
          ['mine.job', 1],
        ]),
      },
    )
    expect(placed(desk, { type: 'other.job' })).toBe('nobody')
    desk.submit()
    expect(placed(desk, { type: 'mine.job' })).toBe('full')
  })

  it('to nobody who was not heard lately', () => {
    const desk = among({}, { handles: new Map() })
    desk.alive.clear()
    desk.wait(HEARTBEAT.timeoutMs + 1000)
    expect(placed(desk)).toBe('nobody')
  })

  it('never to the one that it is taken from', () => {
    const desk = among({}, { handles: new Map() })
    expect(placementFor(desk.state, JOB, 'all', ben)).toEqual({ type: 'nobody' })
  })
})

describe('who failed or refused it', () => {
  function asked(why: 'failed' | 'declined', forgiving: Forgiving): string {
    const desk = among({}, { handles: new Map() })
    return placed(desk, { exclusions: [{ device: ben, at: desk.story.nowMs, why }] }, forgiving)
  }

  it('is asked again as far as that is forgiven', () => {
    expect([asked('failed', 'nothing'), asked('failed', 'failures'), asked('failed', 'all')]).toEqual([
      'nobody',
      ben,
      ben,
    ])
    expect([asked('declined', 'failures'), asked('declined', 'all')]).toEqual(['nobody', ben])
  })

  it('is asked after those who did not', () => {
    const desk = among({}, { handles: new Map() })
    desk.alive.add(cid)
    desk.wait(2000)
    expect(placed(desk, { exclusions: [{ device: ben, at: desk.story.nowMs, why: 'failed' }] }, 'all')).toBe(
      cid,
    )
  })
})

describe('where there is no slot', () => {
  it('something less urgent makes room, but nothing that is as urgent, or may not be preempted', () => {
    for (const [priority, preemptible, expected] of [
      [-5, true, 'preempt'],
      [5, true, 'full'],
      [-5, false, 'full'],
    ] as const) {
      const desk = new Desk({}, { slots: 1 })
      desk.submit({ priority, ...(preemptible && { preemptible }) })
      expect(placed(desk, { priority: 5 })).toBe(expected)
    }
  })

  it('reserved ones are for the urgent', () => {
    const desk = new Desk({}, { slots: 2, reserved: 1 })
    desk.submit()
    expect([placed(desk), placed(desk, { priority: 10 })]).toEqual(['full', 'self'])
  })

  it('nothing makes room that would not be enough', () => {
    const desk = new Desk({}, { slots: 2, reserved: 1 })
    desk.submit({ priority: -5, preemptible: true })
    desk.submit({ priority: 10 })
    expect(desk.state.used).toBe(2)
    expect(placed(desk)).toBe('full')
  })
})
