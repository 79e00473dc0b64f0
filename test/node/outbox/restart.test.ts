import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { SAVE_INTERVAL_MS } from '../../../src/node/outbox/constants.js'
import type { Deliver, Outbox } from '../../../src/node/outbox/index.js'
import { ana, ben } from '../../protocol/story.js'
import { Host, LooseStore, TODAY, until } from './kit.js'

let host: Host
beforeEach(() => {
  host = new Host()
})

const never: Deliver = () => new Promise(() => {})
const down: Deliver = () => {
  throw new Error('It is down.')
}

async function start(deliver: Deliver, settings: Parameters<Host['open']>[0] = {}): Promise<Outbox> {
  const outbox = await host.open(settings)
  await outbox.start(deliver)
  return outbox
}

describe('after a crash', () => {
  it('what was under way comes again: the app’s listener crashed with it', async () => {
    let calls = 0
    await start((event, signal) => {
      calls++
      return never(event, signal)
    })
    const { id } = host.story.created(ana)
    host.tell()
    await until(() => calls === 1)
    await host.crash()
    const outbox = await host.listen()
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
  })

  it('what was told and noted does not come again, what waited does, in order', async () => {
    const gate: (() => void)[] = []
    await start((event) => {
      void host.hear(event, new AbortController().signal)
      return new Promise((resolve) => gate.push(resolve))
    })
    const ids = Array.from({ length: 5 }, () => host.story.created(ana).id)
    host.tell()
    for (let done = 0; done < 2; done++) {
      await until(() => gate.length === 1)
      gate.shift()?.()
    }
    await until(() => host.heard.length === 3)
    host.clock.advance(SAVE_INTERVAL_MS)
    await until(() => host.outbox.pending().delivering === 1)
    await new Promise((resolve) => setImmediate(resolve))
    await host.crash()
    host.heard.length = 0
    const outbox = await host.listen()
    await outbox.flush()
    expect(host.heardIds).toEqual(ids.slice(2))
  })

  it('what waits for a retry keeps its attempts and its time', async () => {
    const outbox = await start(down)
    const { id } = host.story.created(ana)
    host.tell()
    await outbox.flush()
    const [before] = outbox.list()
    await host.crash()
    const again = await host.listen()
    expect(again.list()).toEqual([before])
    await again.flush()
    expect(host.heard).toEqual([])
    await host.pass(2000)
    expect(host.heardIds).toEqual([id])
    expect((await host.store.items('outbox/aside/')).size).toBe(0)
  })

  it('what waits for a retry or is dead is not taken for new, though its journal is read again', async () => {
    for (const maxAttempts of [1, 10]) {
      host = new Host()
      const outbox = await start(down, { maxAttempts })
      host.story.created(ana)
      host.tell()
      await until(
        () => outbox.pending().aside + outbox.pending().dead === 1 && outbox.pending().delivering === 0,
      )
      // Nothing was noted yet of how far all was told.
      await host.crash()
      const again = await host.listen()
      await again.flush()
      expect(host.heard).toEqual([])
      expect(again.pending()).toMatchObject({
        aside: maxAttempts === 1 ? 0 : 1,
        dead: maxAttempts === 1 ? 1 : 0,
      })
    }
  })

  it('what waits for a retry does not wait longer because the wall clock was set back', async () => {
    const outbox = await start(down)
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    await host.crash()
    host.clock.setByMs = -365 * 24 * 3_600_000
    await host.listen({ maxBackoffMs: 1000 })
    await host.pass(2000)
    expect(host.heard).toHaveLength(1)
  })

  it('dead letters are there', async () => {
    const outbox = await start(down, { maxAttempts: 1 })
    const ids = [host.story.created(ana).id, host.story.created(ana).id]
    host.tell()
    await outbox.flush()
    await host.crash()
    const again = await host.listen()
    await again.flush()
    expect((await again.deadLetters.list()).letters.map(({ id }) => id)).toEqual(ids)
    expect(host.heard).toEqual([])
    expect(await again.deadLetters.redriveAll()).toBe(2)
    await again.flush()
    expect(host.heardIds).toEqual(ids)
  })

  it('in the middle of a redrive the event comes once', async () => {
    const outbox = await start(down, { maxAttempts: 1 })
    const { id } = host.story.created(ana)
    host.tell()
    await outbox.flush()
    const letter = await host.store.getItem(`outbox/dead/${id}`)
    // Written to where retries wait, and not yet taken from the dead.
    await host.store.putItem(`outbox/aside/${id}`, letter)
    await host.crash()
    const again = await host.listen()
    await host.pass(1000)
    expect(host.heardIds).toEqual([id])
    expect(again.deadLetters.size).toBe(0)
    expect((await host.store.items('outbox/dead/')).size).toBe(0)
  })

  it('a journal that rests is read if something of it was left', async () => {
    await start(never)
    const { id } = host.story.created(ana)
    host.tell()
    host.clock.advance(SAVE_INTERVAL_MS)
    await until(() => host.outbox.pending().delivering === 1)
    await host.crash()
    const outbox = await host.listen({ resting: [TODAY] })
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
    expect(host.reads).toBe(1)
  })

  it('what was damaged on disk is told again, and keeps nobody from starting', async () => {
    const outbox = await start(down, { maxAttempts: 2 })
    const ids = [host.story.created(ana).id, host.story.created(ana).id]
    host.tell()
    await outbox.flush()
    for (const name of (await host.store.items('outbox/')).keys())
      await host.store.putItem(name, new Uint8Array([0xff, 0x00]))
    await host.crash()
    const again = await host.listen()
    await again.flush()
    expect(host.heardIds).toEqual(ids)
  })

  it('nothing is ever lost, and nothing comes twice after a clean close', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('write' as const), count: fc.integer({ min: 1, max: 4 }) }),
        fc.record({ do: fc.constantFrom('crash' as const, 'close' as const, 'flush' as const) }),
        fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5000 }) }),
        fc.record({ do: fc.constant('turn' as const), failing: fc.boolean() }),
      ),
      { maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const home = new Host()
        host = home
        let isFailing = false
        let crashes = 0
        const listen = async (): Promise<void> => {
          const life = crashes
          const listener: Deliver = (event, signal) => {
            // Of a process that is no more nobody hears anything.
            if (life !== crashes) return never(event, signal)
            return isFailing ? down(event, signal) : home.hear(event, signal)
          }
          await start(listener, { maxAttempts: 1000 })
        }
        // Nothing takes time by itself: what is under way ends before the clock moves.
        const pass = async (ms: number): Promise<void> => {
          await home.outbox.flush()
          await home.pass(ms)
        }
        await listen()
        for (const step of list) {
          if (step.do === 'write') {
            for (let i = 0; i < step.count; i++) host.story.taken(i % 2 ? ana : ben, host.story.created(ana))
            host.tell()
          } else if (step.do === 'pass') await pass(step.ms)
          else if (step.do === 'flush') await host.outbox.flush()
          else if (step.do === 'turn') isFailing = step.failing
          else {
            if (step.do === 'close') await host.outbox.close()
            else {
              crashes++
              await host.crash()
            }
            await listen()
          }
        }
        isFailing = false
        for (let i = 0; i < 20; i++) await pass(400_000)
        const told = host.story.runRecords.map(({ id }) => id)
        expect([...new Set(host.heardIds)].sort()).toEqual([...told].sort())
        if (crashes === 0) expect(host.heardIds).toHaveLength(told.length)
        expect(host.outbox.pending()).toMatchObject({ queued: 0, aside: 0, dead: 0, unread: 0 })
      }),
      { numRuns: 60 },
    )
  })
})

describe('after a clean close', () => {
  it('nothing is read, and nothing comes again', async () => {
    const outbox = await host.listen()
    host.story.taken(ana, host.story.created(ana))
    host.tell()
    await outbox.flush()
    await outbox.close()
    host.heard.length = 0
    const again = await host.listen({ resting: [TODAY] })
    await again.flush()
    expect(host.heard).toEqual([])
    expect(host.reads).toBe(0)
  })

  it('what came while nobody listened is told', async () => {
    const outbox = await host.listen()
    await outbox.close()
    const { id } = host.story.created(ana)
    host.tell()
    const again = await host.open()
    expect(again.isSettled(TODAY)).toBe(false)
    await again.start(host.hear)
    await again.flush()
    expect(host.heardIds).toEqual([id])
    expect(again.isSettled(TODAY)).toBe(true)
  })
})

describe('closing', () => {
  it('interrupts the listener, and waits for nobody', async () => {
    const signals: AbortSignal[] = []
    const outbox = await start((event, signal) => {
      signals.push(signal)
      return never(event, signal)
    })
    host.story.created(ana)
    host.tell()
    await until(() => signals.length === 1)
    await outbox.close()
    expect(signals[0]?.reason).toMatchObject({ code: 'NODE_CLOSED' })
  })

  it('calls the listener no more, not even for what was about to be tried', async () => {
    const outbox = await host.listen()
    host.story.created(ana)
    host.tell()
    await outbox.close()
    expect(host.heard).toEqual([])

    host = new Host()
    let calls = 0
    const failing = await start((event, signal) => {
      calls++
      return down(event, signal)
    })
    host.story.created(ana)
    host.tell()
    await failing.flush()
    // The retry is being read from disk when the outbox closes.
    host.clock.advance(2000)
    await failing.close()
    expect(calls).toBe(1)
  })

  it('is done when the first who asked for it is told so', async () => {
    const outbox = await host.listen()
    host.story.created(ana)
    host.tell()
    const ends: string[] = []
    await Promise.all([
      outbox.close().then(() => ends.push('first')),
      outbox.close().then(() => ends.push('second')),
    ])
    expect(ends).toEqual(['first', 'second'])
    await expect(outbox.flush()).rejects.toMatchObject({ code: 'NODE_CLOSED' })
  })

  it('says so if it cannot write down how far it came', async () => {
    const store = new LooseStore()
    host = new Host(store)
    const outbox = await host.listen()
    host.story.created(ana)
    host.tell()
    await until(() => host.heard.length === 1)
    store.isAway = true
    await expect(outbox.close()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    store.isAway = false
    const again = await host.listen()
    await again.flush()
    expect(host.heard).toHaveLength(2)
  })
})

describe('an outbox on a store that has records', () => {
  it('begins with now', async () => {
    host.story.created(ana)
    host.tell()
    const outbox = await host.listen()
    await outbox.flush()
    expect(host.heard).toEqual([])
    const { id } = host.story.wait(1000).created(ana)
    host.tell()
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
  })

  it('or with the start, if it is told to', async () => {
    const first = host.story.created(ana)
    host.tell('2025-12-31')
    const second = host.story.created(ana)
    host.tell()
    const outbox = await host.listen({ from: 'start', resting: ['2025-12-31'] })
    await outbox.flush()
    expect(new Set(host.heardIds)).toEqual(new Set([first.id, second.id]))
    expect(outbox.isSettled('2025-12-31')).toBe(true)
  })

  it('says so if it cannot be set up, and can then be set up again', async () => {
    const store = new LooseStore()
    host = new Host(store)
    const outbox = await host.open()
    store.isAway = true
    await expect(outbox.start(host.hear)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    store.isAway = false
    const { id } = host.story.created(ana)
    host.tell()
    await outbox.start(host.hear)
    await outbox.flush()
    expect(host.heardIds).toEqual([id])
  })

  it('has settled a journal when that is on disk, and not before', async () => {
    const outbox = await host.listen()
    host.story.created(ana)
    host.tell()
    await until(() => outbox.pending().delivered === 1)
    expect(outbox.isSettled(TODAY)).toBe(false)
    await outbox.flush()
    expect(outbox.isSettled(TODAY)).toBe(true)
  })

  it('holds up nobody’s eviction while nobody listens', async () => {
    const outbox = await host.open()
    host.story.created(ana)
    host.tell()
    expect(outbox.isSettled(TODAY)).toBe(true)
  })
})
