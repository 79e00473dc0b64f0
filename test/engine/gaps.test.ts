import { describe, expect, it } from 'vitest'
import { gapSince } from '../../src/engine/gaps.js'
import { ben, cid } from '../protocol/story.js'
import { Desk, HEARTBEAT } from './desk.js'

function beating(): Desk {
  const desk = new Desk()
  desk.alive.add(ben).add(cid)
  desk.wait(10_000)
  return desk
}

describe('the longest silence of this device', () => {
  it('is no more than its interval while it beats', () => {
    const desk = beating()
    expect(gapSince(desk.state, 0)).toBe(HEARTBEAT.intervalMs)
  })

  it('goes from beacon to beacon, sleep included', () => {
    const desk = beating()
    desk.wait(600)
    desk.sleep(2900)
    desk.wait(2000)
    expect(gapSince(desk.state, 0)).toBeGreaterThan(HEARTBEAT.timeoutMs)
  })

  it('counts from the shortest silence on that a run allows, however little that is', () => {
    const desk = beating()
    desk.submit({ heartbeat: { intervalMs: 900, timeoutMs: 1000 } })
    desk.wait(5000)
    expect(gapSince(desk.state, 0)).toBeLessThanOrEqual(HEARTBEAT.intervalMs)
    desk.sleep(300)
    desk.wait(5000)
    expect(gapSince(desk.state, 0)).toBeGreaterThan(1000)
  })

  it('counts at once, before the next beacon', () => {
    const desk = beating()
    desk.sleep(5000)
    desk.step({ type: 'connection', device: ben, quality: 1 })
    expect(gapSince(desk.state, 0)).toBeGreaterThanOrEqual(5000)
  })

  it('does not count what was before a claim', () => {
    const desk = beating()
    desk.sleep(5000)
    desk.wait(3000)
    expect(gapSince(desk.state, desk.now.monoMs - 1000)).toBe(HEARTBEAT.intervalMs)
  })
})
