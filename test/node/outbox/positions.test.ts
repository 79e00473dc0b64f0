import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LogPosition, Positions } from '../../../src/node/outbox/positions.js'
import { MemoryStore } from '../../../src/store/memory-store.js'
import { ana, ben } from '../../protocol/story.js'
import { LooseStore, TODAY } from './kit.js'

const NONE: ReadonlySet<string> = new Set()

async function load(store: MemoryStore): Promise<Positions> {
  const positions = new Positions(store)
  await positions.load()
  return positions
}

function logOf(positions: Positions, device = ana): LogPosition {
  return positions.log(TODAY, { device, incarnation: 1 })
}

describe('a position', () => {
  it('stands before the first record that is under way, in whatever order the others are settled', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(50), { minLength: 1 }),
        fc.infiniteStream(fc.nat()),
        (found, picks) => {
          const stamps = found.map((stamp) => stamp + 1).sort((a, b) => a - b)
          const log = logOf(new Positions(new MemoryStore()))
          for (const stamp of stamps) log.take(stamp)
          const open = [...stamps]
          while (open.length > 0) {
            expect(log.settled).toBe((open[0] as number) - 1)
            expect(log.hasOpen).toBe(true)
            const [settled] = open.splice((picks.next().value as number) % open.length, 1)
            log.settle(settled as number)
          }
          expect(log.settled).toBe(stamps.at(-1))
          expect(log.hasOpen).toBe(false)
        },
      ),
    )
  })

  it('of a log that is new is the floor', () => {
    const positions = new Positions(new MemoryStore())
    positions.floor = 7
    expect(logOf(positions).isTaken(7)).toBe(true)
    expect(logOf(positions).isTaken(8)).toBe(false)
  })

  it('is each log’s own', () => {
    const positions = new Positions(new MemoryStore())
    logOf(positions, ana).pass(10)
    expect(logOf(positions, ben).isTaken(1)).toBe(false)
    expect(positions.log(TODAY, { device: ana, incarnation: 2 }).isTaken(1)).toBe(false)
    expect(positions.log('2026-01-02', { device: ana, incarnation: 1 }).isTaken(1)).toBe(false)
  })
})

describe('positions on disk', () => {
  it('come back as far as all was settled', async () => {
    const store = new MemoryStore()
    const positions = await load(store)
    const log = logOf(positions)
    for (const stamp of [5, 6, 7]) log.take(stamp)
    log.settle(5)
    log.settle(7)
    await positions.save()
    const again = logOf(await load(store))
    expect([5, 6, 7].map((stamp) => again.isTaken(stamp))).toEqual([true, false, false])
  })

  it('say which journals have something left to tell', async () => {
    const store = new MemoryStore()
    const positions = await load(store)
    logOf(positions).take(5)
    await positions.save()
    expect((await load(store)).behind).toEqual([TODAY])
    await positions.close(NONE)
    expect((await load(store)).behind).toEqual([TODAY])
    logOf(positions).settle(5)
    await positions.close(NONE)
    expect((await load(store)).behind).toEqual([])
    await positions.close(new Set([TODAY]))
    expect((await load(store)).behind).toEqual([TODAY])
  })

  it('are written once the disk is back', async () => {
    const store = new LooseStore()
    const positions = await load(store)
    logOf(positions).pass(5)
    store.isAway = true
    await expect(positions.save()).rejects.toThrow('away')
    expect(positions.isSaved(TODAY)).toBe(false)
    store.isAway = false
    await positions.save()
    expect(positions.isSaved(TODAY)).toBe(true)
    expect(logOf(await load(store)).isTaken(5)).toBe(true)
  })

  it.each([
    ['damaged', new Uint8Array([0xff, 1, 2])],
    ['of something else', new Uint8Array([0x01])],
    ['of a later version', new Uint8Array([0x83, 0x02, 0xf4, 0x80])],
    ['empty', new Uint8Array()],
  ])('that are %s count as nothing told', async (_, bytes) => {
    const store = new MemoryStore()
    await store.putItem(`outbox/cursor/${TODAY}`, bytes)
    const positions = await load(store)
    expect(positions.behind).toEqual([TODAY])
    expect(logOf(positions).isTaken(1)).toBe(false)
  })
})
