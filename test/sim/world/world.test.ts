import { describe, expect, it } from 'vitest'
import { BURST, START_MS } from '../../../sim/constants.js'
import { GuardError } from '../../../src/platform/guard.js'
import { Notebook } from './kit.js'

describe('time', () => {
  it('passes to the end though nothing is to be done', async () => {
    const { world } = new Notebook()
    expect([world.nowMs, world.passedMs]).toEqual([START_MS, 0])
    await world.runUntil(START_MS + 5000)
    expect([world.passedMs, world.happened]).toEqual([5000, 0])
  })

  it('never goes back', async () => {
    const { world } = new Notebook()
    await world.runUntil(START_MS + 5000)
    await world.runUntil(START_MS + 1000)
    expect(world.passedMs).toBe(5000)
  })

  it('stands at the moment of whatever happens, and what is due at the end still happens', async () => {
    const book = new Notebook()
    for (const ms of [30, 10, 50, 51]) book.world.after(ms, book.note(`${ms}`))
    await book.advance(50)
    expect(book.lines).toEqual(['10 at 10', '30 at 30', '50 at 50'])
    await book.advance(1)
    expect(book.lines.at(-1)).toBe('51 at 51')
  })

  it('stops where something holds, and not before the next thing has happened', async () => {
    const book = new Notebook()
    for (let i = 1; i <= 10; i++) book.world.after(i, book.note(`${i}`))
    await book.world.runUntil(START_MS + 1000, () => book.lines.length === 3)
    expect(book.world.passedMs).toBe(3)
  })

  it('goes on over more things than are done in one go', async () => {
    const { world } = new Notebook()
    let left = 3 * BURST
    const again = (): void => {
      if (--left > 0) world.after(1, again)
    }
    world.after(1, again)
    await world.runUntil(START_MS + 1_000_000)
    expect([left, world.happened, world.passedMs]).toEqual([0, 3 * BURST, 1_000_000])
  })
})

describe('what follows from something that happens', () => {
  it('is over, promise chains included, before the next thing happens', async () => {
    const book = new Notebook()
    const walk = async (name: string): Promise<void> => {
      for (let i = 0; i < 100; i++) await Promise.resolve()
      book.note(name)()
    }
    book.world.after(10, () => void walk('first'))
    book.world.after(10, () => void walk('second'))
    book.world.after(10, book.note('third'))
    await book.advance(10)
    expect(book.lines).toEqual(['first at 10', 'second at 10', 'third at 10'])
  })

  it('is a fault if it throws, and the world goes on', async () => {
    const book = new Notebook()
    const error = new Error('no luck')
    book.world.after(1, () => {
      throw error
    })
    book.world.after(2, book.note('next'))
    await book.advance(5)
    expect(book.faults).toEqual([error])
    expect(book.lines).toEqual(['next at 2'])
  })

  it('is a fault if it asks the real world, in promise chains too', async () => {
    const book = new Notebook()
    book.world.after(
      1,
      () =>
        void Promise.resolve()
          .then(() => Math.random())
          .catch(() => undefined),
    )
    await book.advance(5)
    expect(book.faults).toMatchObject([{ name: 'GuardError' }])
    expect(book.faults[0]).toBeInstanceOf(GuardError)
  })
})

describe('two worlds', () => {
  it('move by turns: neither is met by the guard of the other, nor is whoever looks on', async () => {
    const books = [new Notebook(), new Notebook()]
    for (const { world } of books) {
      const again = (): void => world.after(1, again)
      world.after(1, again)
    }
    let looks = 0
    let isOver = false
    const lookOn = async (): Promise<void> => {
      for (; !isOver; looks++) {
        await new Promise((resolve) => setImmediate(resolve))
        Date.now()
      }
    }
    const looking = lookOn()
    await Promise.all(books.map((book) => book.advance(5 * BURST)))
    isOver = true
    await looking
    expect(books.map(({ faults }) => faults)).toEqual([[], []])
    expect(books.map(({ world }) => world.happened)).toEqual([5 * BURST, 5 * BURST])
    expect(looks).toBeGreaterThan(1)
  })
})
