import { afterEach, describe, expect, it, vi } from 'vitest'
import { turn } from '../../src/platform/index.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('a turn of the event loop', () => {
  it('lets promises and what waits for the loop go first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('loop'))
    void Promise.resolve()
      .then(() => undefined)
      .then(() => order.push('promises'))
    await turn()
    order.push('turn')
    expect(order).toEqual(['promises', 'loop', 'turn'])
  })

  it('comes in the order in which it was asked for', async () => {
    const order: number[] = []
    await Promise.all([1, 2, 3].map((number) => turn().then(() => order.push(number))))
    expect(order).toEqual([1, 2, 3])
  })

  it('is a turn also where there is no setImmediate, as in browsers', async () => {
    vi.stubGlobal('setImmediate', undefined)
    vi.resetModules()
    const { turn: browserTurn } = await import('../../src/platform/turn.js')
    const order: string[] = []
    void Promise.resolve()
      .then(() => undefined)
      .then(() => order.push('promises'))
    await browserTurn()
    await browserTurn()
    order.push('turn')
    expect(order).toEqual(['promises', 'turn'])
  })
})
