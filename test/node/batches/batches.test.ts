import { describe, expect, it } from 'vitest'
import type { BatchHandle } from '../../../src/node/batches/index.js'
import { CapacityError, InputError } from '../../../src/node/errors.js'
import { until } from '../outbox/kit.js'
import { drafts, World } from './kit.js'

describe('a batch', () => {
  it('submits every item once, in order, and tells its runs', async () => {
    const world = new World()
    const batch = await (await world.open()).start(drafts(1234), { name: 'photos' })
    const summary = await batch.done
    expect(summary).toMatchObject({ name: 'photos', total: 1234, submitted: 1234, failed: 0, errors: [] })
    expect(batch.progress()).toMatchObject({ done: true, cancelled: false })
    expect([...world.runs.values()].map(({ input }) => input)).toEqual(drafts(1234).map(({ input }) => input))
    expect(await batch.runs()).toEqual([...world.runs.keys()].map((key) => `run of ${key}`))
    expect([...world.runs.keys()][7]).toBe(`batch:${batch.id}:7`)
  })

  it('leaves an item the key that it has', async () => {
    const world = new World()
    const items = [...drafts(1, { key: 'mine' }), ...drafts(1)]
    const batch = await (await world.open()).start(items)
    await batch.done
    expect([...world.runs.keys()]).toEqual(['mine', `batch:${batch.id}:1`])
  })

  it('cuts large items into chunks that the store takes', async () => {
    const world = new World()
    const items = drafts(100, { input: new Uint8Array(60_000).fill(7) })
    await (await (await world.open()).start(items)).done
    expect(world.runs.size).toBe(100)
    expect(world.submits).toBeGreaterThan(4)
    expect([...world.runs.values()][99]?.input).toEqual(items[99]?.input)
  })

  it('waits while the queue is full, and goes on when there is room', async () => {
    const world = new World()
    let tries = 0
    world.gate = () => {
      if (++tries < 4) throw new CapacityError('QUEUE_FULL', 'No room.')
    }
    const batch = await (await world.open()).start(drafts(10))
    for (const [waitMs, expected] of [
      [249, 1],
      [1, 2],
      [499, 2],
      [1, 3],
      [1000, 4],
    ] as const) {
      await until(() => tries >= 1)
      await new Promise((resolve) => setImmediate(resolve))
      world.clock.advance(waitMs)
      await new Promise((resolve) => setImmediate(resolve))
      expect(tries).toBe(expected)
    }
    await batch.done
    expect([...world.runs.values()].every(({ submits }) => submits === 1)).toBe(true)
  })

  it('one bad item does not hold up the others', async () => {
    const world = new World()
    world.gate = (chunk) => {
      if (chunk.some(({ input }) => input === 3)) throw new InputError('INVALID_INPUT', 'Three is no input.')
    }
    const batch = await (await world.open()).start(drafts(10))
    const error = { index: 3, code: 'INVALID_INPUT', message: 'Three is no input.' }
    expect(await batch.done).toMatchObject({ submitted: 9, failed: 1, errors: [error] })
    expect(await batch.runs()).toHaveLength(9)
  })

  it('shows its progress to the end', async () => {
    const world = new World()
    const batch = await (await world.open()).start(drafts(1600))
    const seen: number[] = []
    for await (const progress of batch.watch()) seen.push(progress.submitted)
    expect(seen[0]).toBeLessThan(1600)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen[seen.length - 1]).toBe(1600)
  })
})

describe('cancelling a batch', () => {
  /** A batch of three chunks of which one was submitted, and the second is held up by a full queue. */
  async function heldUp(world: World): Promise<BatchHandle> {
    world.gate = () => {
      if (world.submits === 1) throw new CapacityError('QUEUE_FULL', 'No room.')
    }
    const batch = await (await world.open()).start(drafts(1500))
    await until(() => batch.progress().submitted === 500)
    return batch
  }

  it('submits no further items, and leaves the runs there are', async () => {
    const world = new World()
    const batch = await heldUp(world)
    await batch.cancel()
    expect(await batch.done).toMatchObject({ total: 1500, submitted: 500, cancelled: true })
    expect([world.runs.size, world.cancelled]).toEqual([500, 0])
  })

  it('cancels the runs there are if asked to', async () => {
    const world = new World()
    const batch = await heldUp(world)
    await batch.cancel({ runs: true })
    expect([world.runs.size, world.cancelled]).toEqual([500, 500])
  })

  it('finishes the chunk that is under way, so that no run is overlooked', async () => {
    const world = new World()
    let release = (): void => {}
    world.gate = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const batch = await (await world.open()).start(drafts(1500))
    await new Promise((resolve) => setImmediate(resolve))
    const cancelled = batch.cancel({ runs: true })
    release()
    await cancelled
    expect([world.runs.size, world.cancelled]).toEqual([500, 500])
  })

  it('cancels the runs of a batch that has ended', async () => {
    const world = new World()
    const batch = await (await world.open()).start(drafts(10))
    await batch.done
    await batch.cancel()
    expect(world.cancelled).toBe(0)
    await batch.cancel({ runs: true })
    expect(world.cancelled).toBe(10)
    expect(batch.progress()).toMatchObject({ done: true, cancelled: false })
  })
})

describe('batches', () => {
  it('are found by id and listed, the newest first, also after a restart', async () => {
    const world = new World()
    const batches = await world.open()
    const first = await batches.start(drafts(2))
    world.clock.advance(1)
    const second = await batches.start(drafts(3))
    await Promise.all([first.done, second.done])
    for (const open of [batches, await world.open()]) {
      expect(open.list().map(({ id, total }) => [id, total])).toEqual([
        [second.id, 3],
        [first.id, 2],
      ])
      expect(await open.get(first.id).done).toMatchObject({ submitted: 2 })
      expect(() => open.get('nope')).toThrowError(expect.objectContaining({ code: 'BATCH_NOT_FOUND' }))
    }
  })

  it('that ended are kept up to a hundred, and leave nothing behind', async () => {
    const world = new World()
    const batches = await world.open()
    for (let i = 0; i < 103; i++) {
      await (await batches.start(drafts(1))).done
      world.clock.advance(1)
    }
    await batches.close()
    expect(batches.list()).toHaveLength(100)
    // A head and the runs of its only chunk.
    expect((await world.store.items('batches/')).size).toBe(200)
    expect((await world.open()).list()).toEqual(batches.list())
  })

  it('are refused beyond sixteen under way, and beyond their size', async () => {
    const world = new World()
    const batches = await world.open()
    world.gate = () => new Promise(() => {})
    const starts = await Promise.allSettled(Array.from({ length: 17 }, () => batches.start(drafts(1))))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
    expect(starts[16]).toMatchObject({ reason: { code: 'QUEUE_FULL' } })
    for (const items of [[], drafts(100_001)])
      await expect(batches.start(items)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    await expect(batches.start(drafts(1), { name: '' })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })

  it('whoever waits for one is told when the node is closed', async () => {
    const world = new World()
    const batches = await world.open()
    world.gate = () => {
      throw new CapacityError('QUEUE_FULL', 'No room.')
    }
    const batch = await batches.start(drafts(1))
    const watched = (async () => {
      for await (const _progress of batch.watch());
    })()
    await Promise.all([
      expect(batch.done).rejects.toMatchObject({ code: 'NODE_CLOSED' }),
      expect(watched).rejects.toMatchObject({ code: 'NODE_CLOSED' }),
      batches.close(),
    ])
    await expect(batches.start(drafts(1))).rejects.toMatchObject({ code: 'NODE_CLOSED' })
  })
})
