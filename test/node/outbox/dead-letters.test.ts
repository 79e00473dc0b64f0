import { beforeEach, describe, expect, it } from 'vitest'
import type { Outbox } from '../../../src/node/outbox/index.js'
import { ana } from '../../protocol/story.js'
import { Host, LooseStore, until } from './kit.js'

let host: Host
let isUp: boolean
beforeEach(() => {
  host = new Host()
  isUp = false
})

/** An outbox whose listener takes nothing until it is up. */
async function open(maxAttempts = 1): Promise<Outbox> {
  const outbox = await host.open({ maxAttempts, backoffMs: 1000 })
  await outbox.start((event, signal) => {
    if (!isUp) throw Object.assign(new Error('It is down.'), { code: 'DOWN' })
    return host.hear(event, signal)
  })
  return outbox
}

/** As many dead letters; their ids in order. */
async function bury(outbox: Outbox, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => host.story.created(ana).id)
  host.tell()
  await outbox.flush()
  return ids
}

describe('an event becomes a dead letter', () => {
  it('after its last attempt, and not before', async () => {
    const outbox = await open(3)
    const [id] = await bury(outbox, 1)
    await host.pass(2000)
    expect(outbox.pending()).toMatchObject({ aside: 1, dead: 0 })
    await host.pass(4000)
    expect(outbox.pending()).toMatchObject({ aside: 0, dead: 1 })
    expect(await outbox.deadLetters.list()).toEqual({
      letters: [
        {
          id,
          event: expect.objectContaining({ id, type: 'run.created' }),
          attempts: 3,
          diedAt: host.clock.nowMs,
          lastError: { code: 'DOWN', message: 'It is down.' },
        },
      ],
      cursor: null,
    })
    isUp = true
    await host.pass(1_000_000)
    expect(host.heard).toEqual([])
  })

  it('and is found by its id', async () => {
    const outbox = await open()
    const [id = ''] = await bury(outbox, 1)
    expect(await outbox.deadLetters.get(id)).toMatchObject({ id, attempts: 1 })
    expect(await outbox.deadLetters.get('other')).toBe(null)
  })

  it('without its payload', async () => {
    const outbox = await open()
    host.story.created(ana, { input: 'swordfish' })
    host.tell()
    await outbox.flush()
    const stored = [...(await host.store.items('outbox/')).values()]
    expect(stored.some((bytes) => new TextDecoder().decode(bytes).includes('It is down.'))).toBe(true)
    expect(stored.some((bytes) => new TextDecoder().decode(bytes).includes('swordfish'))).toBe(false)
  })
})

describe('dead letters are listed', () => {
  it('in order, page by page', async () => {
    const outbox = await open()
    const ids = await bury(outbox, 5)
    const first = await outbox.deadLetters.list({ limit: 2 })
    const second = await outbox.deadLetters.list({ limit: 2, cursor: first.cursor ?? '' })
    const third = await outbox.deadLetters.list({ limit: 2, cursor: second.cursor ?? '' })
    expect([first, second, third].map(({ letters }) => letters.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ])
    expect(third.cursor).toBe(null)
  })

  it.each([0, 1001, 1.5])('but not %d at once', async (limit) => {
    const outbox = await open()
    await expect(outbox.deadLetters.list({ limit })).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
  })
})

describe('a dead letter is redriven', () => {
  it('from the start: delivered if it can be, and with all its attempts if not', async () => {
    const outbox = await open(2)
    const ids = await bury(outbox, 2)
    await host.pass(2000)
    expect(outbox.deadLetters.size).toBe(2)
    await outbox.deadLetters.redrive(ids[1] as string)
    await outbox.flush()
    expect(outbox.list()).toMatchObject([{ id: ids[1], attempts: 1 }])
    isUp = true
    await host.pass(2000)
    await outbox.deadLetters.redrive(ids[0] as string)
    await outbox.flush()
    expect(host.heardIds).toEqual([ids[1], ids[0]])
    expect(outbox.pending()).toMatchObject({ aside: 0, dead: 0, delivered: 2 })
  })

  it('and tried at once, without anybody asking', async () => {
    const outbox = await open()
    const [id = ''] = await bury(outbox, 1)
    isUp = true
    await outbox.deadLetters.redrive(id)
    await until(() => host.heard.length === 1)
  })

  it('with all others, in order', async () => {
    const outbox = await open()
    const ids = await bury(outbox, 20)
    isUp = true
    expect(await outbox.deadLetters.redriveAll()).toBe(20)
    await outbox.flush()
    expect(host.heardIds).toEqual(ids)
    expect(await outbox.deadLetters.redriveAll()).toBe(0)
  })

  it('once, though two ask for it', async () => {
    const outbox = await open()
    const [id = ''] = await bury(outbox, 1)
    isUp = true
    const { deadLetters } = outbox
    const asked = await Promise.allSettled([
      deadLetters.redrive(id),
      deadLetters.redrive(id),
      deadLetters.redriveAll(),
    ])
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
  })

  it('or dropped, and then neither comes nor is there', async () => {
    const outbox = await open()
    const [id = '', other = ''] = await bury(outbox, 2)
    await outbox.deadLetters.drop(id)
    isUp = true
    for (const call of [outbox.deadLetters.drop(id), outbox.deadLetters.redrive(id)])
      await expect(call).rejects.toMatchObject({ code: 'DEAD_LETTER_NOT_FOUND', details: { id } })
    await outbox.deadLetters.redriveAll()
    await outbox.flush()
    expect(host.heardIds).toEqual([other])
  })
})

describe('when the disk is away', () => {
  it('dead letters stay as they are', async () => {
    const store = new LooseStore()
    host = new Host(store)
    const outbox = await open()
    const [id = ''] = await bury(outbox, 1)
    const { deadLetters } = outbox
    store.isAway = true
    const calls = [
      () => deadLetters.redrive(id),
      () => deadLetters.redriveAll(),
      () => deadLetters.drop(id),
      () => deadLetters.get(id),
      () => deadLetters.list(),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    store.isAway = false
    expect(deadLetters.size).toBe(1)
    isUp = true
    await deadLetters.redrive(id)
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
  })

  it('an event that fails is kept in memory and tried again, and does not die for it', async () => {
    const store = new LooseStore()
    host = new Host(store)
    const outbox = await open(2)
    store.isAway = true
    const { id } = host.story.created(ana)
    host.tell()
    await until(() => outbox.pending().storeErrors > 0)
    expect(outbox.pending()).toMatchObject({ queued: 1, aside: 0, dead: 0 })
    store.isAway = false
    isUp = true
    await host.pass(5000)
    expect(host.heardIds).toEqual([id])
  })
})
