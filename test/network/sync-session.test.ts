import { beforeEach, describe, expect, test } from 'vitest'
import { encodeCbor } from '../../protocol/cbor.js'
import type { AnyRecord } from '../../protocol/index.js'
import { type Channel, runSync, SyncError, type SyncReport } from '../../src/network/index.js'
import { FRAME, writeFrame } from '../../src/network/sync-frames.js'
import { seededRandom } from '../../src/testing/index.js'
import {
  admit,
  DAY_MS,
  Device,
  deliver,
  groupOf,
  headsText,
  signerOf,
  snapshot,
  TODAY,
  viewsOf,
} from '../journal/devices.js'
import { JOB, Pen } from '../journal/forge.js'
import { HeldStore } from '../journal/held-store.js'
import { lineBetween, outcomeOf, syncOnce } from './sessions.js'

let ana: Device
let ben: Device

beforeEach(async () => {
  ;[ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
})

async function expectAlike(...devices: readonly Device[]): Promise<void> {
  const [first, ...others] = devices as [Device, ...Device[]]
  for (const other of others) {
    expect(headsText(other)).toBe(headsText(first))
    expect(await viewsOf(other)).toBe(await viewsOf(first))
  }
}

describe('a sync', () => {
  test('of devices that stand alike is two frames', async () => {
    const { begun, answered } = await syncOnce(ana, ben)
    expect(begun).toMatchObject({ sent: 0, received: 0, refused: 0, more: false })
    expect(answered).toMatchObject({ sent: 0, received: 0 })
    expect((begun as SyncReport).bytes).toBeLessThan(80)
  })

  test.each(['begins', 'answers'])('brings both to stand alike, whoever of them %s', async (ben_) => {
    await ana.take()
    await ana.take()
    await ben.take()
    const { begun, answered } = ben_ === 'begins' ? await syncOnce(ben, ana) : await syncOnce(ana, ben)
    await expectAlike(ana, ben)
    expect(await ana.records()).toHaveLength(2 + 3 * 3)
    expect(begun).toMatchObject({ sent: 1, received: 1, refused: 0 })
    expect(answered).toMatchObject({ sent: 1, received: 1, refused: 0 })
    expect((begun as SyncReport).bytes).toBe((answered as SyncReport).bytes)
  })

  test('brings a newcomer everything, in chunks', async () => {
    for (let i = 0; i < 40; i++) await ana.take({ input: 'x'.repeat(30_000) })
    const cid = new Device('cid', await signerOf('cid'))
    await admit(ana, cid)
    const { begun } = await syncOnce(cid, ana)
    await expectAlike(cid, ana)
    expect((begun as SyncReport).received).toBeGreaterThan(3)
  })

  test('fills the gap that a lost message left', async () => {
    await ana.take()
    ana.newFor(ben)
    await ana.take()
    expect(await deliver(ana, ben)).toMatchObject([{ status: 'gap' }])
    await syncOnce(ana, ben)
    await expectAlike(ana, ben)
  })

  test('tells how far it has come', async () => {
    await ana.take()
    const { channels, time } = await lineBetween(ana, ben)
    const [near, far] = channels
    const seen: string[] = []
    const clock = time.clock()
    await Promise.all([
      runSync({
        channel: near,
        role: 'initiator',
        journals: ana.journals,
        clock,
        onProgress: ({ what }) => seen.push(what),
      }),
      runSync({
        channel: far,
        role: 'responder',
        journals: ben.journals,
        clock,
        onProgress: ({ what }) => seen.push(what),
      }),
    ])
    expect(seen).toContain(`sync ${TODAY}`)
    expect(seen).toContain('sync received')
  })

  test('ends its channel on both sides and leaves no timer behind', async () => {
    const { channels, time } = await lineBetween(ana, ben)
    const clock = time.clock()
    const [near, far] = channels
    await Promise.all([
      runSync({ channel: near, role: 'initiator', journals: ana.journals, clock }),
      runSync({ channel: far, role: 'responder', journals: ben.journals, clock }),
    ])
    expect(clock.timers).toBe(0)
    await expect(near.send(Uint8Array.of(1))).rejects.toMatchObject({ code: 'CHANNEL_ENDED' })
    await expect(far.send(Uint8Array.of(1))).rejects.toMatchObject({ code: 'CHANNEL_ENDED' })
  })

  test('goes on where it may carry no more, in the next', async () => {
    for (let i = 0; i < 40; i++) await ana.take({ input: 'x'.repeat(30_000) })
    const limits = { sentBytes: 600_000 }
    let rounds = 1
    for (; rounds < 10; rounds++) {
      const { begun, answered } = await syncOnce(ben, ana, limits)
      expect((answered as SyncReport).more).toBe((begun as SyncReport).more)
      if (!(begun as SyncReport).more) break
    }
    expect(rounds).toBe(3)
    await expectAlike(ana, ben)
  })
})

describe('an evicted journal', () => {
  beforeEach(async () => {
    await ana.take()
    await ben.take()
    await syncOnce(ana, ben)
  })

  test.each(['begins', 'answers'])(
    'is fetched anew when the other has more, if its device %s',
    async (role) => {
      await ana.journals.evict(TODAY)
      const [first] = (await ben.take()) as [AnyRecord]
      const { begun, answered } = role === 'begins' ? await syncOnce(ana, ben) : await syncOnce(ben, ana)
      expect([begun, answered]).toMatchObject([{ refused: 0 }, { refused: 0 }])
      await expectAlike(ana, ben)
      expect((await ana.records()).map(({ id }) => id)).toContain(first.id)
    },
  )

  test('is not fetched when nobody has more', async () => {
    await ana.journals.evict(TODAY)
    const { begun } = await syncOnce(ana, ben)
    expect(begun).toMatchObject({ sent: 0, received: 0 })
    expect(ana.journals.loaded.map(({ name }) => name)).toEqual(['group'])
  })

  test('does not keep the journals beside it from syncing', async () => {
    await ana.journals.evict(TODAY)
    for (const { clock } of [ana, ben]) clock.advance(DAY_MS)
    await ana.take()
    await ben.take()
    await syncOnce(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect(ana.journals.loaded.map(({ name }) => name).sort()).toEqual(['2026-01-02', 'group'])
  })
})

test('a fork shows to both, whichever branch they saw first', async () => {
  const cid = new Device('cid', await signerOf('cid'))
  await admit(ana, cid)
  await syncOnce(ana, ben)
  const [left, right] = [Pen.of(cid), Pen.of(cid)]
  await ana.receive(await left.write([left.record({ ...JOB, input: 'left' })]))
  await ben.receive(await right.write([right.record({ ...JOB, input: 'right' })]))
  for (let i = 0; i < 2; i++) await syncOnce(ana, ben)
  expect(ana.eventsOf('equivocation')).toHaveLength(1)
  expect(ben.eventsOf('equivocation')).toHaveLength(1)
  expect(headsText(ana)).toBe(headsText(ben))
})

describe('a sync that is cut in the middle', () => {
  /** A channel whose connection is lost when its n-th frame is sent or taken. */
  function cutAt(count: number): Parameters<typeof syncOnce>[3] {
    return (channel, { network }) => {
      let frames = 0
      const step = (): void => {
        if (++frames === count) network.disconnect(ana.id)
      }
      return {
        device: channel.device,
        send: (frame) => {
          step()
          return channel.send(frame)
        },
        receive: () => {
          step()
          return channel.receive()
        },
        close: () => channel.close(),
      }
    }
  }

  // Summary, heads and heads again, three messages and an end each way.
  const counts = Array.from({ length: 12 }, (_, i) => i + 1)

  test.each(counts)('at its frame %i ends on both sides, and the next goes on from there', async (count) => {
    for (let i = 0; i < 11; i++) {
      await ana.take({ input: 'x'.repeat(60_000) })
      await ben.take({ input: 'y'.repeat(60_000) })
    }
    const whole = (await ana.records()).length + 33
    const { begun, answered } = await syncOnce(ana, ben, {}, cutAt(count))
    expect(begun).toMatchObject({ name: 'SyncError', code: 'SYNC_CUT' })
    expect(answered).toMatchObject({ name: 'SyncError', code: 'SYNC_CUT' })
    const left = whole - (await ana.records()).length
    const next = await syncOnce(ana, ben)
    expect([next.begun, next.answered]).toMatchObject([{ refused: 0 }, { refused: 0 }])
    expect((next.begun as SyncReport).received > 0).toBe(left > 0)
    expect(await ana.records()).toHaveLength(whole)
    await expectAlike(ana, ben)
  })

  test('has kept what came before the cut', async () => {
    for (let i = 0; i < 40; i++) await ben.take({ input: 'y'.repeat(60_000) })
    const before = (await ana.records()).length
    await syncOnce(ana, ben, {}, cutAt(7))
    const kept = (await ana.records()).length - before
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(120)
  })
})

describe('a peer that does not play by the rules', () => {
  /** What becomes of a sync in which the other side sends these frames and then says nothing. */
  async function against(role: 'initiator' | 'responder', frames: readonly Uint8Array[]): Promise<unknown> {
    const { channels, time } = await lineBetween(ana, ben)
    const [mine, theirs] = channels as [Channel, Channel]
    const running = runSync({
      channel: mine,
      role,
      journals: ana.journals,
      clock: time.clock(),
      limits: { takenBytes: 3_000_000 },
    })
    const outcome = Promise.allSettled([running])
    for (const frame of frames) await theirs.send(frame).catch(() => undefined)
    await time.advance(31_000)
    const [settled] = await outcome
    return outcomeOf(settled)
  }

  const heads = encodeCbor([1, []])
  const answer = writeFrame(FRAME.HEADS, heads)
  const wrong: readonly (readonly [string, 'initiator' | 'responder', readonly Uint8Array[]])[] = [
    ['an empty frame', 'responder', [new Uint8Array(0)]],
    ['an unknown type', 'responder', [Uint8Array.of(77, 1)]],
    ['a frame out of turn', 'responder', [writeFrame(FRAME.MESSAGE, Uint8Array.of(1))]],
    ['a summary where heads were due', 'initiator', [writeFrame(FRAME.SUMMARY, heads)]],
    ['a summary that is none', 'responder', [writeFrame(FRAME.SUMMARY, Uint8Array.of(0xff))]],
    ['a summary without payload', 'responder', [writeFrame(FRAME.SUMMARY)]],
    ['heads that are none', 'initiator', [writeFrame(FRAME.HEADS, Uint8Array.of(0xff))]],
    ['an end with a payload', 'initiator', [writeFrame(FRAME.END, Uint8Array.of(1))]],
    [
      'a message that is none',
      'initiator',
      [answer, writeFrame(FRAME.UNCHANGED), writeFrame(FRAME.MESSAGE, Uint8Array.of(1))],
    ],
    [
      'later heads that are none',
      'initiator',
      [answer, writeFrame(FRAME.HEADS, Uint8Array.of(0xff)), writeFrame(FRAME.END)],
    ],
  ]

  test.each(wrong)(
    'by %s ends the sync with SYNC_MALFORMED, and changes nothing',
    async (_, role, frames) => {
      await ana.take()
      const before = await snapshot(ana)
      expect(await against(role, frames)).toMatchObject({ name: 'SyncError', code: 'SYNC_MALFORMED' })
      expect(await snapshot(ana)).toEqual(before)
    },
  )

  test('by noise gets a typed error, whatever it is', async () => {
    const random = seededRandom(7)
    for (let i = 0; i < 50; i++) {
      const frames = Array.from({ length: 3 }, () =>
        Uint8Array.of(1 + random.below(6), ...random.bytes(random.below(40))),
      )
      expect(await against(random.pick(['initiator', 'responder']), frames)).toBeInstanceOf(SyncError)
    }
  })

  test('by sending without end is stopped', async () => {
    const message = ana.published[0] as Uint8Array
    const junk = Array.from({ length: 40 }, () => writeFrame(FRAME.MESSAGE, message))
    const large = writeFrame(FRAME.HEADS, new Uint8Array(4_000_000))
    expect(await against('initiator', [answer, writeFrame(FRAME.UNCHANGED), ...junk, large])).toMatchObject({
      code: 'SYNC_TOO_LARGE',
    })
  })

  test('by saying nothing is given up', async () => {
    expect(await against('responder', [])).toMatchObject({ code: 'SYNC_TIMEOUT' })
    expect(await against('initiator', [answer])).toMatchObject({ code: 'SYNC_TIMEOUT' })
  })

  test('by a trickle that never ends is given up too', async () => {
    const { channels, time } = await lineBetween(ana, ben)
    const [mine, theirs] = channels as [Channel, Channel]
    const outcome = Promise.allSettled([
      runSync({ channel: mine, role: 'initiator', journals: ana.journals, clock: time.clock() }),
    ])
    await theirs.send(answer)
    await theirs.send(writeFrame(FRAME.UNCHANGED))
    for (let minutes = 0; minutes < 11; minutes += 0.25) {
      await theirs.send(writeFrame(FRAME.MESSAGE, ana.published[0])).catch(() => undefined)
      await time.advance(15_000)
    }
    expect(outcomeOf((await outcome)[0])).toMatchObject({ code: 'SYNC_TIMEOUT' })
  })
})

test('a store that fails ends the sync, and the next one brings what it missed', async () => {
  const store = new HeldStore()
  const cid = new Device('cid', await signerOf('cid'))
  cid.store = store
  await admit(ana, cid)
  await ana.take()
  store.failure = new Error('disk full')
  expect((await syncOnce(cid, ana)).begun).toMatchObject({ code: 'SYNC_STORE' })
  store.failure = null
  await syncOnce(cid, ana)
  await expectAlike(cid, ana)
})
