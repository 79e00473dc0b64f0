import { describe, expect, it } from 'vitest'
import { createNode } from '../../src/index.js'
import { Closing } from '../../src/node/closing.js'
import { StoreError } from '../../src/store/errors.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import { VirtualTime } from '../../src/testing/index.js'
import { codeOf } from './group-kit.js'

describe('closing', () => {
  it('tells whoever waits, once, and nobody who has stopped waiting', () => {
    const closing = new Closing()
    const told: string[] = []
    closing.onClose(() => told.push('ana'))
    const stop = closing.onClose(() => told.push('ben'))
    stop()
    expect(closing.isClosed).toBe(false)
    closing.close()
    closing.close()
    expect(closing.isClosed).toBe(true)
    expect(told).toEqual(['ana'])
  })

  it('is told to any number of waits and deliveries, without a word of a leak', async () => {
    const warnings: string[] = []
    const listen = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', listen)
    const node = await createNode({ outbox: { concurrency: 50 } })
    let delivering = 0
    await node.outbox.start(() => {
      delivering++
      return new Promise(() => {})
    })
    const runs = await Promise.all(Array.from({ length: 50 }, () => node.submit('job')))
    const waits = runs.map((run) => codeOf(run.result()))
    await node.close()
    expect(delivering).toBe(50)
    expect(new Set(await Promise.all(waits))).toEqual(new Set(['NODE_CLOSED']))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(warnings).toEqual([])
  })

  it('goes to the end on a disk that is full, and says so', async () => {
    const store = new FullStore()
    const node = await createNode({ storage: store })
    await node.outbox.start(() => {})
    await node.submit('job')
    await node.outbox.flush()
    await node.submit('job')
    const waiting = codeOf(node.once('node:lag'))
    store.isFull = true
    expect(await codeOf(node.close())).toBe('STORE_UNAVAILABLE')
    expect(await waiting).toBe('NODE_CLOSED')
  })

  it('leaves nothing behind of a node whose network would not start', async () => {
    const clock = new VirtualTime().clock()
    let isClosed = false
    const transport = {
      start: () => Promise.reject(new Error('The port is taken.')),
      publish: () => {},
      peers: () => [],
      open: () => Promise.reject(new Error('There is nobody.')),
      review: () => {},
      close: async () => {
        isClosed = true
      },
    }
    await expect(createNode({ transport, clock })).rejects.toThrow('The port is taken.')
    expect(clock.timers).toBe(0)
    expect(isClosed).toBe(true)
  })
})

class FullStore extends MemoryStore {
  isFull = false

  override putItem(name: string, bytes: Uint8Array | null): Promise<void> {
    return this.isFull
      ? Promise.reject(new StoreError('STORE_FULL', 'The disk is full.'))
      : super.putItem(name, bytes)
  }
}
