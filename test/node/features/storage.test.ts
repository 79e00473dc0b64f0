/** What happens when the disk fails, and what is kept for how long. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { StoreError } from '../../../src/store/errors.js'
import { MemoryStore } from '../../../src/store/memory-store.js'
import type { StoredBatch } from '../../../src/store/store.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

/** A disk that can be full. */
class FullStore extends MemoryStore {
  isFull = false

  override append(entries: readonly StoredBatch[], options: { readonly durable: boolean }): Promise<void> {
    const refusal = (): StoreError => new StoreError('STORE_FULL', 'There is no room.')
    return this.isFull ? Promise.reject(refusal()) : super.append(entries, options)
  }
}

describe('a disk that is full', () => {
  it('STORE_UNAVAILABLE: what could not be written is refused, and nothing was begun', async () => {
    const workshop = new Workshop()
    const store = new FullStore()
    const group = await quickGroup(1, {
      device: { store },
      setUp: (node) => node.handle('job', workshop.at(0)),
    })
    const { node } = group.device(0)
    store.isFull = true
    expect(await codeOf(group.during(node.submit('job')))).toBe('STORE_UNAVAILABLE')
    expect(workshop.calls).toHaveLength(0)
    expect(node.metrics().storeErrors).toBeGreaterThan(0)
    expect(node.metrics().active).toBe(0)
    store.isFull = false
    await group.during(node.submit('job'))
    expect(workshop.calls).toHaveLength(1)
  })

  it('STORE_UNAVAILABLE: a result that could not be written is written once there is room, and done once', async () => {
    const workshop = new Workshop()
    const store = new FullStore()
    const group = await quickGroup(1, {
      device: { store },
      setUp: (node) => node.handle('job', workshop.at(0)),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    store.isFull = true
    workshop.last.end('done')
    await group.advance(10_000)
    expect(run.state).toBe('processing')
    store.isFull = false
    expect(await group.during(run.result())).toBe('done')
    expect(workshop.calls).toHaveLength(1)
  })
})

describe('retention', () => {
  it('retention: runs that ended long ago are dropped, those that wait are not', async () => {
    const group = await quickGroup(1, {
      device: { retentionMs: 24 * 3_600_000, heartbeat: { intervalMs: 30_000, timeoutMs: 90_000 } },
      setUp: (node) => node.handle('job', async () => 'done'),
    })
    const { node } = group.device(0)
    const old = await group.during(node.submit('job'))
    await group.during(old.result())
    await group.advance(26 * 3_600_000)
    const waiting = await group.during(node.submit('nobody'))
    await group.advance(24 * 3_600_000)
    expect(node.runs.get(old.id)).toBeNull()
    expect(await codeOf(() => old.view)).toBe('RUN_NOT_FOUND')
    expect(node.runs.view(waiting.id)?.state).toBe('created')
  })
})
