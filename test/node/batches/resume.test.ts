import { describe, expect, it } from 'vitest'
import type { BatchHandle } from '../../../src/node/batches/index.js'
import { drafts, World } from './kit.js'

const ITEMS = 1700
// More than a batch of this size ever writes.
const MAX_WRITES = 40

async function turns(count = 60): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A new process over the same disk: all that was known in memory is gone. */
async function restart(world: World): Promise<readonly BatchHandle[]> {
  world.store.revive()
  const batches = await world.open()
  batches.resumeAll()
  return batches.list().map(({ id }) => batches.get(id))
}

describe('a process that is killed while it submits a batch', () => {
  for (const isLastKept of [false, true]) {
    const how = isLastKept ? 'reached the disk' : 'was lost'
    it(`goes on after a restart, whichever write was the last and ${how}`, async () => {
      let begun = 0
      for (let k = 1; k <= MAX_WRITES; k++) {
        const world = new World()
        world.store.dieAt(k, isLastKept)
        const start = (await world.open()).start(drafts(ITEMS))
        const isStarted = await start.then(
          () => true,
          () => false,
        )
        await turns()
        const wasSubmitted = world.runs.size
        const [batch, ...others] = await restart(world)
        expect(others).toEqual([])
        if (batch === undefined) {
          // Nobody was promised anything, and nothing was done.
          expect([isStarted, wasSubmitted, world.runs.size]).toEqual([false, 0, 0])
          expect((await world.store.items('batches/')).size).toBe(0)
          continue
        }
        begun++
        expect(await batch.done).toMatchObject({ total: ITEMS, submitted: ITEMS, failed: 0 })
        expect(world.runs.size).toBe(ITEMS)
        expect(new Set(await batch.runs()).size).toBe(ITEMS)
        await turns()
        const left = [...(await world.store.items('batches/')).keys()]
        expect(left.filter((name) => name.includes('/plan/'))).toEqual([])
      }
      // Both sides of the promise were tried.
      expect(begun).toBeGreaterThan(5)
      expect(begun).toBeLessThan(MAX_WRITES)
    })

    it(`keeps to a cancellation, whichever write was the last and ${how}`, async () => {
      for (let k = 1; k <= 10; k++) {
        const world = new World()
        const batch = await (await world.open()).start(drafts(ITEMS))
        const cancelling = batch.cancel({ runs: true })
        world.store.dieAt(k, isLastKept)
        const isCancelled = await Promise.race([cancelling.then(() => true), turns().then(() => false)])
        const [again] = await restart(world)
        const summary = await again?.done
        if (isCancelled) expect(summary?.cancelled).toBe(true)
        // Either it was called off and no run is left to do, or nobody was told so and all of it is done.
        expect(world.runs.size).toBe(summary?.submitted)
        expect(world.cancelled).toBe(summary?.cancelled ? world.runs.size : 0)
        if (summary?.cancelled !== true) expect(world.runs.size).toBe(ITEMS)
      }
    })
  }

  it('knows the runs that were made just before, also if it is cancelled first thing', async () => {
    const world = new World()
    const batch = await (await world.open()).start(drafts(ITEMS))
    // The first write from here on is the one that says what became of the first chunk.
    world.store.dieAt(1, false)
    await turns()
    expect([world.runs.size, batch.progress().submitted]).toEqual([500, 0])
    world.store.revive()
    const batches = await world.open()
    await batches.get(batch.id).cancel({ runs: true })
    expect([world.runs.size, world.cancelled]).toEqual([500, 500])
  })

  it('has only to submit again the chunk that was in hand', async () => {
    const world = new World()
    await (await world.open()).start(drafts(ITEMS))
    world.store.dieAt(3, false)
    await turns()
    const [again] = await restart(world)
    await again?.done
    const twice = [...world.runs.values()].filter(({ submits }) => submits > 1)
    expect(twice).toHaveLength(500)
  })
})

describe('a store that fails for a while', () => {
  it('holds a batch up, and no more', async () => {
    const world = new World()
    const batch = await (await world.open()).start(drafts(ITEMS))
    world.store.dieAt(2, false)
    await turns()
    expect(batch.progress()).toMatchObject({ submitted: 500, done: false })
    world.store.revive()
    world.clock.advance(60_000)
    expect(await batch.done).toMatchObject({ submitted: ITEMS, failed: 0 })
    expect(world.runs.size).toBe(ITEMS)
  })
})
