import { beforeEach, describe, expect, it } from 'vitest'
import { START_MS } from '../../../sim/constants.js'
import type { DeviceClock } from '../../../sim/world/device-clock.js'
import { Notebook } from './kit.js'

let book: Notebook
let clock: DeviceClock

beforeEach(() => {
  book = new Notebook()
  clock = book.world.clock()
})

/** What both clocks of the device say, the wall clock since the world began. */
function times(): readonly [wall: number, monotonic: number] {
  return [clock.wallMs() - START_MS, clock.monotonicMs()]
}

describe('timers', () => {
  it('fire when they are due; those of one moment in the order in which they were set', async () => {
    clock.setTimer(20, book.note('late'))
    clock.setTimer(10, book.note('one'))
    clock.setTimer(10, book.note('two'))
    clock.setTimer(-5, book.note('now'))
    await book.advance(100)
    expect(book.lines).toEqual(['now at 0', 'one at 10', 'two at 10', 'late at 20'])
  })

  it('that are taken back do not fire', async () => {
    const cancel = clock.setTimer(10, book.note('never'))
    cancel()
    cancel()
    await book.advance(100)
    expect(book.lines).toEqual([])
  })

  it('never fire within the call that sets them', async () => {
    clock.setTimer(0, book.note('later'))
    expect(book.lines).toEqual([])
  })
})

describe('a device that sleeps', () => {
  it('has no monotonic time and no timers; its wall clock goes on, and timers go on with what was left', async () => {
    clock.setTimer(100, book.note('timer'))
    await book.advance(40)
    clock.sleep()
    expect(clock.isAsleep).toBe(true)
    await book.advance(1000)
    expect(times()).toEqual([1040, 40])
    expect(book.lines).toEqual([])
    clock.wake()
    await book.advance(59)
    expect(book.lines).toEqual([])
    await book.advance(1)
    expect(book.lines).toEqual(['timer at 1100'])
    expect(times()).toEqual([1100, 100])
  })

  it('keeps the order of its timers, those set in its sleep included', async () => {
    clock.setTimer(30, book.note('third'))
    clock.setTimer(10, book.note('first'))
    clock.sleep()
    clock.setTimer(20, book.note('second'))
    await book.advance(500)
    clock.wake()
    await book.advance(100)
    expect(book.lines).toEqual(['first at 510', 'second at 520', 'third at 530'])
  })

  it('may sleep and wake any number of times before a timer is due', async () => {
    clock.setTimer(100, book.note('timer'))
    for (let i = 0; i < 9; i++) {
      await book.advance(10)
      clock.sleep()
      clock.sleep()
      await book.advance(1000)
      clock.wake()
      clock.wake()
    }
    await book.advance(10)
    expect(book.lines).toEqual(['timer at 9100'])
  })
})

describe('a device whose event loop is busy', () => {
  it('fires at its end what fell due meanwhile, in order; both clocks go on', async () => {
    clock.setTimer(20, book.note('second'))
    clock.setTimer(10, book.note('first'))
    clock.setTimer(60, book.note('third'))
    clock.block(50)
    expect(clock.isBlocked).toBe(true)
    await book.advance(30)
    expect([book.lines, times()]).toEqual([[], [30, 30]])
    await book.advance(70)
    expect(book.lines).toEqual(['first at 50', 'second at 50', 'third at 60'])
    expect(clock.isBlocked).toBe(false)
  })

  it('is busy for the longest of what keeps it', async () => {
    clock.setTimer(10, book.note('timer'))
    clock.block(50)
    clock.block(20)
    await book.advance(100)
    expect(book.lines).toEqual(['timer at 50'])
  })
})

describe('a wall clock that is wrong', () => {
  it('shows it, and nothing else does', async () => {
    clock = book.world.clock({ skewMs: -86_400_000 })
    clock.setTimer(100, book.note('timer'))
    expect(times()).toEqual([-86_400_000, 0])
    clock.jump(3_600_000)
    await book.advance(100)
    expect(times()).toEqual([-82_799_900, 100])
    expect(book.lines).toEqual(['timer at 100'])
  })
})

describe('a clock that runs at a pace of its own', () => {
  it('moves both clocks and all timers by it', async () => {
    clock.drift(0.25)
    clock.setTimer(125, book.note('timer'))
    await book.advance(100)
    expect(book.lines).toEqual(['timer at 100'])
    expect(times()).toEqual([125, 125])
  })

  it('changes the pace of timers that were set before', async () => {
    clock.setTimer(200, book.note('timer'))
    await book.advance(100)
    clock.drift(1)
    await book.advance(50)
    expect(book.lines).toEqual(['timer at 150'])
    clock.setTimer(100, book.note('slow'))
    clock.drift(-0.5)
    await book.advance(199)
    expect(book.lines).toHaveLength(1)
    await book.advance(1)
    expect(book.lines.at(-1)).toBe('slow at 350')
  })

  it('changes the pace of timers in its sleep, too', async () => {
    clock.setTimer(200, book.note('timer'))
    clock.sleep()
    await book.advance(10)
    clock.drift(1)
    await book.advance(10)
    clock.wake()
    await book.advance(1000)
    expect(book.lines).toEqual(['timer at 120'])
    expect(times()).toEqual([2030, 2000])
  })

  // A timer that fires while the clock shows a moment before it is due is set again for that moment, for ever.
  it.each([0.0001, -0.0001, 0.00003, 1 / 3, -0.37])(
    'of drift %d shows, when a timer fires, the time that it was set for, and so gets on',
    async (drift) => {
      await book.advance(12_345.678)
      clock.drift(drift)
      const early: number[] = []
      let fired = 0
      const beat = (): void => {
        const dueMs = clock.monotonicMs() + 30_000 + (fired % 7) / 3
        const fire = (): void => {
          const leftMs = dueMs - clock.monotonicMs()
          if (leftMs > 0) early.push(leftMs)
          fired++
          beat()
        }
        clock.setTimer(dueMs - clock.monotonicMs(), fire)
      }
      beat()
      await book.advance(1000 * 30_000)
      expect(early).toEqual([])
      expect(fired).toBeGreaterThan(600)
      expect(fired).toBe(book.world.happened)
    },
  )

  it('reaches the end when timers ask for what is left of a time, again and again', async () => {
    clock.drift(0.0001)
    let turns = 0
    let fromMs = clock.monotonicMs()
    const poll = (): void => {
      const leftMs = fromMs + 1000 - clock.monotonicMs()
      if (leftMs <= 0) {
        turns++
        fromMs = clock.monotonicMs()
      }
      clock.setTimer(fromMs + 1000 - clock.monotonicMs(), poll)
    }
    poll()
    await book.advance(3_600_000)
    expect(book.faults).toEqual([])
    expect(turns).toBe(3600)
    expect(book.world.happened).toBeLessThan(3 * turns)
  })

  it('never goes back, whatever befalls it', async () => {
    let lastMs = 0
    for (let i = 0; i < 500; i++) {
      if (i % 5 === 0) clock.drift((i % 7) / 10_000 - 0.0003)
      if (i % 11 === 0) clock.sleep()
      if (i % 11 === 3) clock.wake()
      clock.setTimer(7, () => undefined)
      await book.world.runUntil(book.world.nowMs + 3.3)
      expect(clock.monotonicMs()).toBeGreaterThanOrEqual(lastMs)
      lastMs = clock.monotonicMs()
    }
  })
})

describe('a clock that has stopped', () => {
  it('fires no timer and takes none, also after a sleep', async () => {
    clock.setTimer(10, book.note('before'))
    clock.sleep()
    clock.setTimer(10, book.note('asleep'))
    clock.stop()
    clock.setTimer(10, book.note('after'))()
    clock.wake()
    await book.advance(100)
    expect(book.lines).toEqual([])
  })

  it('leaves the clocks of other devices alone', async () => {
    const other = book.world.clock()
    other.setTimer(10, book.note('other'))
    clock.stop()
    await book.advance(100)
    expect(book.lines).toEqual(['other at 10'])
  })
})
