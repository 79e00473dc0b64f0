import { describe, expect, it } from 'vitest'
import { TypedEvents } from '../../src/node/typed-events.js'

interface Events {
  readonly 'door:opened': { readonly by: string }
  readonly 'door:closed': null
}

/** The errors that come up uncaught while something runs. */
async function uncaught(body: () => void): Promise<unknown[]> {
  const errors: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => errors.push(error))
  try {
    body()
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
  return errors
}

describe('typed events', () => {
  it('reach functions and objects, in the order in which they were added, before emit returns', () => {
    const events = new TypedEvents<Events>()
    const heard: string[] = []
    const listener = ({ type, detail }: { type: string; detail: { by: string } }): void =>
      void heard.push(`${type} ${detail.by}`)
    events.addEventListener('door:opened', listener)
    events.addEventListener('door:opened', listener)
    events.addEventListener('door:opened', { handleEvent: ({ detail }) => heard.push(`object ${detail.by}`) })
    events.emit('door:opened', { by: 'ana' })
    events.emit('door:closed', null)
    expect(heard).toEqual(['door:opened ana', 'object ana'])
  })

  it('a listener that throws breaks neither the others nor the node, and comes up as uncaught', async () => {
    const events = new TypedEvents<Events>()
    let heard = 0
    const fault = new Error('Not my day.')
    events.addEventListener('door:closed', () => {
      throw fault
    })
    events.addEventListener('door:closed', () => void heard++)
    const errors = await uncaught(() => events.emit('door:closed', null))
    expect(heard).toBe(1)
    expect(errors).toEqual([fault])
  })

  it('stop when the listener is removed, was for once, or its signal is aborted', () => {
    const events = new TypedEvents<Events>()
    const counts = { removed: 0, once: 0, signal: 0 }
    const controller = new AbortController()
    const removed = (): void => void counts.removed++
    events.addEventListener('door:closed', removed)
    events.addEventListener('door:closed', () => void counts.once++, { once: true })
    events.addEventListener('door:closed', () => void counts.signal++, { signal: controller.signal })
    events.emit('door:closed', null)
    events.removeEventListener('door:closed', removed)
    controller.abort()
    expect(events.hasListeners('door:closed')).toBe(false)
    events.emit('door:closed', null)
    expect(counts).toEqual({ removed: 1, once: 1, signal: 1 })
    events.addEventListener('door:closed', removed, { signal: controller.signal })
    expect(events.hasListeners('door:closed')).toBe(false)
  })

  it('do not reach who is taken away, or added, while they are told', () => {
    const events = new TypedEvents<Events>()
    const heard: string[] = []
    const second = (): void => void heard.push('second')
    events.addEventListener('door:closed', () => {
      heard.push('first')
      events.removeEventListener('door:closed', second)
      events.addEventListener('door:closed', () => void heard.push('third'))
    })
    events.addEventListener('door:closed', second)
    events.emit('door:closed', null)
    expect(heard).toEqual(['first'])
  })

  it('take any number of listeners, without a word of a leak', async () => {
    const warnings: string[] = []
    const listen = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', listen)
    const events = new TypedEvents<Events>()
    let heard = 0
    for (let i = 0; i < 50; i++) events.addEventListener('door:closed', () => void heard++)
    events.emit('door:closed', null)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(heard).toBe(50)
    expect(warnings).toEqual([])
  })

  it('can be waited for', async () => {
    const events = new TypedEvents<Events>()
    const opened = events.once('door:opened')
    events.emit('door:opened', { by: 'ben' })
    events.emit('door:opened', { by: 'cid' })
    expect(await opened).toEqual({ by: 'ben' })
    expect(events.hasListeners('door:opened')).toBe(false)
  })

  it('who waits is told of an abort, and of the end', async () => {
    const events = new TypedEvents<Events>()
    const controller = new AbortController()
    const first = events.once('door:opened', { signal: controller.signal })
    controller.abort('enough')
    await expect(first).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' })
    const again = events.once('door:opened', { signal: controller.signal })
    await expect(again).rejects.toMatchObject({ code: 'ABORTED' })
    const second = events.once('door:opened')
    events.close()
    await expect(second).rejects.toMatchObject({ code: 'NODE_CLOSED' })
    await expect(events.once('door:opened')).rejects.toMatchObject({ code: 'NODE_CLOSED' })
    expect(events.hasListeners('door:opened')).toBe(false)
  })
})
