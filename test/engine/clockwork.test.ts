import { describe, expect, it } from 'vitest'
import { MIN_BEACON_GAP_MS, type RunView } from '../../protocol/index.js'
import { ben, cid } from '../protocol/story.js'
import { Desk } from './desk.js'

const FRANTIC = { intervalMs: 1, timeoutMs: 2 }

/** A desk at which ben and cid have been heard for longer than any timeout. */
function among(...args: ConstructorParameters<typeof Desk>): Desk {
  const desk = new Desk(...args)
  desk.alive.add(ben).add(cid)
  desk.wait(4000)
  desk.take('beacon')
  return desk
}

describe('beacons are never sent faster than the group can bear', () => {
  it('by a device that has a run which asks for it, also after a tick', () => {
    const desk = among()
    desk.submit({ heartbeat: FRANTIC })
    desk.wait(10_000)
    const beacons = desk.take('beacon').length
    expect(beacons).toBeLessThanOrEqual(10_000 / MIN_BEACON_GAP_MS + 1)
    expect(beacons).toBeGreaterThan(10_000 / MIN_BEACON_GAP_MS / 2)
  })

  it('by a device that is set to', () => {
    const desk = among({ heartbeat: FRANTIC })
    desk.wait(10_000)
    expect(desk.take('beacon').length).toBeLessThanOrEqual(10_000 / MIN_BEACON_GAP_MS + 1)
  })
})

describe('a run that allows no silence at all', () => {
  function bensRun(desk: Desk): RunView {
    const created = desk.story.created(ben, { heartbeat: FRANTIC })
    desk.story.taken(ben, created)
    desk.tell()
    return desk.view(created.run) as RunView
  }

  it('stays with an owner that beats as fast as it may', () => {
    const desk = among()
    const { run } = bensRun(desk)
    for (let i = 0; i < 40; i++) {
      desk.wait(MIN_BEACON_GAP_MS)
      desk.beacon(ben)
    }
    expect(desk.view(run)?.owner).toBe(ben)
    expect(desk.take('append')).toEqual([])
  })

  it('is taken from one that is silent', () => {
    const desk = among()
    const { run } = bensRun(desk)
    desk.alive.delete(ben)
    desk.wait(10_000)
    expect(desk.view(run)?.owner).not.toBe(ben)
  })
})
