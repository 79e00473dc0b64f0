import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_ASIDE, MAX_QUEUED } from '../../../src/node/outbox/constants.js'
import { ana, ben, eve } from '../../protocol/story.js'
import { Host, TODAY, until } from './kit.js'

let host: Host
beforeEach(() => {
  host = new Host()
})

describe('delivery', () => {
  it('brings each event once, in order of arrival', async () => {
    const outbox = await host.listen()
    const assignment = host.story.taken(ana, host.story.created(ana))
    host.tell()
    host.story.progressed(ana, assignment, 1)
    host.story.completed(ana, assignment)
    host.tell()
    await outbox.flush()
    expect(host.heard.map(({ type }) => type)).toEqual([
      ...['run.created', 'run.assigned', 'run.claimed', 'run.started', 'run.completed'],
    ])
    expect(outbox.pending()).toMatchObject({ queued: 0, delivering: 0, delivered: 5 })
  })

  it('does not call the app while records are being taken in', async () => {
    await host.listen()
    host.story.created(ana)
    host.tell()
    expect(host.heard).toEqual([])
  })

  it('ignores records that it has had', async () => {
    const outbox = await host.listen()
    host.story.created(ana)
    const records = host.tell()
    outbox.take(TODAY, records)
    await outbox.flush()
    outbox.take(TODAY, records)
    await outbox.flush()
    expect(host.heard).toHaveLength(1)
  })

  it('goes on with the others while one fails, and comes back to it with growing waits', async () => {
    const outbox = await host.open()
    const [bad, good] = [host.story.created(ana), host.story.created(ben)]
    const triedAt: number[] = []
    await outbox.start((event) => {
      if (event.id !== bad.id) return host.hear(event, new AbortController().signal)
      triedAt.push(host.clock.nowMs)
      throw Object.assign(new Error('No.'), { code: 'NOPE' })
    })
    host.tell()
    await outbox.flush()
    expect(host.heardIds).toEqual([good.id])
    expect(outbox.list()).toMatchObject([
      { id: bad.id, type: 'run.created', attempts: 1, lastError: { code: 'NOPE', message: 'No.' } },
    ])
    for (const waitMs of [1000, 2000, 4000]) {
      const [next] = outbox.list()
      const wait = (next?.nextAttemptAt ?? 0) - host.clock.nowMs
      expect(wait).toBeGreaterThanOrEqual(waitMs)
      expect(wait).toBeLessThanOrEqual(1.25 * waitMs)
      const tries = triedAt.length
      await host.pass(wait - 1)
      expect(triedAt).toHaveLength(tries)
      await host.pass(1)
      expect(triedAt).toHaveLength(tries + 1)
    }
  })

  it('does not let a retry that is due wait for all that is new, nor the other way round', async () => {
    const outbox = await host.open()
    const bad = [host.story.created(ana).id, host.story.created(ana).id]
    let isUp = false
    await outbox.start((event, signal) => {
      if (!isUp) throw new Error('down')
      return host.hear(event, signal)
    })
    host.tell()
    await outbox.flush()
    isUp = true
    const good = [1, 2, 3, 4].map(() => host.story.created(ben).id)
    host.clock.nowMs += 2000
    host.tell()
    await outbox.flush()
    expect(new Set(host.heardIds.slice(0, 4))).toEqual(new Set([...bad, ...good.slice(0, 2)]))
  })

  it('survives a listener that throws at once, rejects, or throws nothing in particular', async () => {
    const outbox = await host.open({ backoffMs: 1 })
    const faults = [
      () => {
        throw new Error('thrown')
      },
      () => Promise.reject(new Error('rejected')),
      () => Promise.reject(undefined),
    ]
    await outbox.start((event, signal) => faults.shift()?.() ?? host.hear(event, signal))
    const { id } = host.story.created(ana)
    host.tell()
    await outbox.flush()
    for (let i = 0; i < 3; i++) await host.pass(1000)
    expect(host.heardIds).toEqual([id])
    expect(outbox.pending().aside).toBe(0)
  })

  it('gives up waiting for a listener that hangs, tells it so, and brings the event again', async () => {
    const outbox = await host.open({ deliveryTimeoutMs: 5000 })
    const signals: AbortSignal[] = []
    await outbox.start((_event, signal) => {
      signals.push(signal)
      return signals.length === 1 ? new Promise(() => {}) : undefined
    })
    host.story.created(ana)
    host.tell()
    await until(() => signals.length === 1)
    await host.pass(5000)
    expect(signals[0]?.reason).toMatchObject({ code: 'TIMEOUT' })
    await host.pass(2000)
    expect(signals).toHaveLength(2)
    expect(outbox.pending()).toMatchObject({ aside: 0, delivered: 1 })
  })

  it('has as many under way as it was told, and no more', async () => {
    const outbox = await host.open({ concurrency: 3 })
    const under: (() => void)[] = []
    await outbox.start(() => new Promise((resolve) => under.push(resolve)))
    for (let i = 0; i < 5; i++) host.story.created(ana)
    host.tell()
    await until(() => under.length === 3)
    expect(outbox.pending()).toMatchObject({ delivering: 3, queued: 2 })
    for (let i = 0; i < 5; i++) {
      await until(() => under.length > 0)
      under.shift()?.()
    }
    await outbox.flush()
    expect(outbox.pending().delivered).toBe(5)
  })
})

describe('records that come before what they rest on', () => {
  it('are told once it is there', async () => {
    const outbox = await host.listen()
    const run = host.story.created(ana)
    const assignment = host.story.assigned(ana, ben, run)
    const claimed = host.story.claimed(ben, assignment)
    host.arrive([claimed])
    await outbox.flush()
    expect(host.heard).toEqual([])
    expect(outbox.pending().undecided).toBe(1)
    host.arrive([run, assignment])
    await outbox.flush()
    expect(new Set(host.heardIds)).toEqual(new Set([run.id, assignment.id, claimed.id]))
    expect(outbox.isSettled(TODAY)).toBe(true)
  })

  it('are let go if it does not come, and hold up nobody', async () => {
    const outbox = await host.listen()
    const run = host.story.created(ana)
    const refused = host.story.write(eve, { kind: 'cancelled', run: run.run })
    host.tell()
    await outbox.flush()
    expect(outbox.isSettled(TODAY)).toBe(false)
    await host.pass(60_000)
    expect(outbox.isSettled(TODAY)).toBe(true)
    expect(host.heardIds).not.toContain(refused.id)
  })
})

describe('more than fits', () => {
  it('is read again from the journals, and all of it is told once', async () => {
    const outbox = await host.open()
    let go: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    await outbox.start(async (event, signal) => {
      await gate
      await host.hear(event, signal)
    })
    const count = 2 * MAX_QUEUED + 500
    for (let i = 0; i < count; i++) {
      host.story.created(ana)
      if (i % 1000 === 0) host.tell()
    }
    host.tell()
    expect(outbox.pending().queued).toBeLessThanOrEqual(MAX_QUEUED)
    expect(outbox.pending().unread).toBe(1)
    go()
    await outbox.flush()
    expect(host.heardIds).toEqual(host.story.runRecords.map(({ id }) => id))
    expect(outbox.pending().unread).toBe(0)
  })

  it('loses nothing that comes while a journal is being read', async () => {
    host.store = new Host().store
    await host.listen()
    await host.outbox.close()
    const before = host.story.created(ana)
    host.arrive([before])
    const outbox = await host.open()
    const late = host.story.created(ana)
    let hasCome = false
    host.read = async (journal) => {
      const found = [...(host.journals.get(journal) ?? [])]
      if (!hasCome) {
        hasCome = true
        host.arrive([late])
      }
      return [found]
    }
    await outbox.start(host.hear)
    await outbox.flush()
    expect(host.heardIds).toEqual([before.id, late.id])
  })

  it('reads a journal again that could not be read', async () => {
    await host.listen()
    await host.outbox.close()
    const { id } = host.story.created(ana)
    host.tell()
    const outbox = await host.open()
    const read = host.read.bind(host)
    host.read = () => Promise.reject(new Error('The disk is away.'))
    await outbox.start(host.hear)
    await outbox.flush()
    host.read = read
    expect(host.heard).toEqual([])
    await host.pass(5000)
    expect(host.heardIds).toEqual([id])
  })

  it('tries nothing new while too many have failed, and everything once they get through', async () => {
    const outbox = await host.open()
    let isUp = false
    await outbox.start((event, signal) => {
      if (!isUp) throw new Error('down')
      return host.hear(event, signal)
    })
    for (let i = 0; i < MAX_ASIDE + 10; i++) host.story.created(ana)
    host.tell()
    await outbox.flush()
    host.arrive([])
    await outbox.flush()
    expect(outbox.pending()).toMatchObject({ aside: MAX_ASIDE, delivered: 0 })
    isUp = true
    await host.pass(2000)
    expect(new Set(host.heardIds).size).toBe(MAX_ASIDE + 10)
    expect(outbox.pending()).toMatchObject({ aside: 0, queued: 0 })
  })
})

describe('opening', () => {
  it.each([{ concurrency: 0 }, { maxAttempts: 1.5 }, { backoffMs: -1 }])('refuses %o', async (settings) => {
    await expect(host.open(settings)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      details: { field: Object.keys(settings)[0] },
    })
  })

  it('takes one listener', async () => {
    const outbox = await host.listen()
    await expect(outbox.start(host.hear)).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    await outbox.close()
    await expect(outbox.start(host.hear)).rejects.toMatchObject({ code: 'NODE_CLOSED' })
  })
})
