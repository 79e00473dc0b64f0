import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DeviceId } from '../../protocol/index.js'
import { MAX_BEGUN_SYNCS } from '../../src/network/constants.js'
import {
  type Channel,
  MemoryNetwork,
  type MemoryTransport,
  Syncer,
  type SyncReport,
} from '../../src/network/index.js'
import { seededRandom, type VirtualDeviceClock, VirtualTime } from '../../src/testing/index.js'
import { type Device, groupOf, headsText } from '../journal/devices.js'

const MINUTE = 60_000

/** A device whose syncer hears what its transport hears. */
class Peer {
  readonly device: Device
  readonly transport: MemoryTransport
  readonly clock: VirtualDeviceClock
  readonly syncer: Syncer
  readonly synced: { readonly device: DeviceId; readonly report: SyncReport }[] = []
  readonly errors: unknown[] = []
  /** Channels that it opened. */
  opened = 0
  /** How many of them were open at one time, at the most. */
  mostOpen = 0
  readonly #open = new Set<Channel>()
  /** Whether opening a channel fails. */
  isDeaf = false

  constructor(device: Device, network: MemoryNetwork, time: VirtualTime, seed: number) {
    this.device = device
    this.clock = time.clock()
    this.transport = network.transport({ clock: this.clock })
    this.syncer = new Syncer({
      journals: device.journals,
      transport: { open: (to) => this.#openTo(to) },
      clock: this.clock,
      random: seededRandom(seed),
      device: device.id,
      limits: { sentBytes: 400_000 },
      onSynced: (from, report) => this.synced.push({ device: from, report }),
      onError: (_, error) => this.errors.push(error),
    })
  }

  async #openTo(to: DeviceId): Promise<Channel> {
    this.opened++
    if (this.isDeaf) throw new Error('deaf')
    const channel = await this.transport.open(to)
    const close = channel.close.bind(channel)
    channel.close = () => {
      this.#open.delete(channel)
      close()
    }
    this.mostOpen = Math.max(this.mostOpen, this.#open.add(channel).size)
    return channel
  }

  start(): Promise<void> {
    const { device, syncer } = this
    return this.transport.start({
      device: device.id,
      group: device.journals.group.id,
      isWelcome: () => true,
      onConnected: (peer) => syncer.onConnected(peer.device),
      onDisconnected: (from) => syncer.onDisconnected(from),
      onQuality: () => undefined,
      onMessage: () => undefined,
      onChannel: (channel) => syncer.onChannel(channel),
    })
  }
}

let time: VirtualTime
let network: MemoryNetwork
let peers: readonly Peer[]

/** Members of one group, in the order of their ids. None is started. */
async function peersOf(...names: readonly string[]): Promise<readonly Peer[]> {
  const devices = [...(await groupOf(...names))].sort((a, b) => (a.id < b.id ? -1 : 1))
  return devices.map((device, i) => new Peer(device, network, time, i))
}

async function startAll(): Promise<void> {
  for (const peer of peers) await peer.start()
  await time.settle()
}

function standAlike(): boolean {
  return new Set(peers.map(({ device }) => headsText(device))).size === 1
}

/** Forgets what was counted so far. */
function forget(): void {
  for (const peer of peers) {
    peer.opened = 0
    peer.synced.length = 0
    peer.errors.length = 0
  }
}

beforeEach(async () => {
  time = new VirtualTime()
  network = new MemoryNetwork({ clock: time.clock() })
  peers = await peersOf('ana', 'ben')
})

afterEach(async () => {
  for (const { syncer, transport } of peers) {
    await syncer.close()
    await transport.close()
  }
})

describe('on connect', () => {
  test('the device with the smaller id begins, one sync runs, and both stand alike', async () => {
    for (const { device } of peers) await device.take()
    expect(standAlike()).toBe(false)
    await startAll()
    expect(standAlike()).toBe(true)
    expect(peers.map(({ opened }) => opened)).toEqual([1, 0])
    expect(peers.map(({ synced }) => synced.length)).toEqual([1, 1])
    expect(peers[0]?.synced[0]).toMatchObject({
      device: peers[1]?.device.id,
      report: { sent: 1, received: 1 },
    })
  })

  test('what one sync may not carry comes by others right after it', async () => {
    const [small, large] = peers as [Peer, Peer]
    for (let i = 0; i < 40; i++) await large.device.take({ input: 'x'.repeat(30_000) })
    await startAll()
    expect(standAlike()).toBe(true)
    expect(small.synced.map(({ report }) => report.more)).toEqual([true, true, true, true, false])
  })

  test('again after a partition', async () => {
    await startAll()
    const [small, large] = peers as [Peer, Peer]
    network.sever(small.device.id, large.device.id)
    await time.settle()
    await large.device.take()
    network.heal()
    await time.settle()
    expect(standAlike()).toBe(true)
    expect(small.opened).toBe(2)
  })

  test('many connect at once: few syncs run at a time, and all get their turn', async () => {
    peers = await peersOf('ana', 'ben', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8')
    for (const { device } of peers) await device.take()
    for (const peer of peers) await peer.start()
    await time.advance(5 * MINUTE)
    expect(standAlike()).toBe(true)
    expect((peers[0] as Peer).opened).toBeGreaterThanOrEqual(9)
    expect(Math.max(...peers.map(({ mostOpen }) => mostOpen))).toBe(MAX_BEGUN_SYNCS)
  })
})

describe('on a gap', () => {
  beforeEach(async () => {
    await startAll()
    forget()
  })

  test('many gaps at once lead to one sync, with whoever sent it', async () => {
    const [small, large] = peers as [Peer, Peer]
    await small.device.take()
    for (let i = 0; i < 100; i++) large.syncer.onGap(small.device.id)
    await time.advance(1000)
    expect([standAlike(), large.opened, small.opened]).toEqual([true, 1, 0])
  })

  test('a gap that both see leads to syncs that do not get in each other’s way', async () => {
    const [small, large] = peers as [Peer, Peer]
    for (const { device } of peers) await device.take()
    small.syncer.onGap(large.device.id)
    large.syncer.onGap(small.device.id)
    await time.advance(1000)
    expect(standAlike()).toBe(true)
    expect([...small.errors, ...large.errors]).toEqual([])
  })

  test('a gap by a device that is not connected is filled by one that is', async () => {
    const [small, large] = peers as [Peer, Peer]
    await small.device.take()
    large.syncer.onGap('who is gone')
    await time.advance(1000)
    expect(standAlike()).toBe(true)
  })
})

test('both begin at the same moment: one sync goes on, and whoever waits is told of its end', async () => {
  await startAll()
  forget()
  for (const { device } of peers) await device.take()
  const wereAlike: boolean[] = []
  for (const { syncer } of peers) void syncer.syncAll().then(() => wereAlike.push(standAlike()))
  await time.settle()
  expect(wereAlike).toEqual([true, true])
  expect(peers.map(({ synced }) => synced.length)).toEqual([1, 1])
  expect(peers.flatMap(({ errors }) => errors)).toEqual([])
})

describe('a request to sync with all', () => {
  beforeEach(async () => {
    peers = await peersOf('ana', 'ben', 'cid')
    await startAll()
    forget()
  })

  test('resolves once each connected device has been synced with', async () => {
    const [first, second, third] = peers as [Peer, Peer, Peer]
    await first.device.take()
    await third.device.take()
    let isDone = false
    void second.syncer.syncAll().then(() => {
      isDone = true
    })
    await time.settle()
    expect(isDone).toBe(true)
    expect(new Set(second.synced.map(({ device }) => device)).size).toBe(2)
    const records = await second.device.records()
    expect(records).toHaveLength(3 + 2 * 3)
  })

  test('resolves also if a sync fails, or a device goes meanwhile, or nobody is there', async () => {
    const [first, second, third] = peers as [Peer, Peer, Peer]
    second.isDeaf = true
    const done: string[] = []
    void second.syncer.syncAll().then(() => done.push('failed'))
    await time.settle()
    expect(done).toEqual(['failed'])
    expect(second.errors).toHaveLength(2)
    third.clock.sleep()
    void first.syncer.syncAll().then(() => done.push('gone'))
    await time.settle()
    expect(done).toEqual(['failed'])
    network.disconnect(third.device.id)
    network.disconnect(second.device.id)
    await time.settle()
    expect(done).toEqual(['failed', 'gone'])
    await first.syncer.syncAll()
  })

  test('is met by a sync that began after it, not by one that was under way', async () => {
    const [first, second] = peers as [Peer, Peer, Peer]
    void first.syncer.syncAll()
    const during = first.syncer.syncAll()
    await time.settle()
    await during
    expect(first.synced.filter(({ device }) => device === second.device.id)).toHaveLength(2)
  })
})

test('now and then it syncs with some device, so that what gossip lost is found', async () => {
  await startAll()
  forget()
  await (peers[0] as Peer).device.take()
  await time.advance(0.75 * MINUTE)
  expect(standAlike()).toBe(false)
  await time.advance(0.5 * MINUTE)
  expect(standAlike()).toBe(true)
  forget()
  await time.advance(10 * MINUTE)
  for (const { opened } of peers) {
    expect(opened).toBeGreaterThanOrEqual(8)
    expect(opened).toBeLessThanOrEqual(12)
  }
})

describe('a sync that fails', () => {
  test('is tried again, later each time, and at once when it works again it is forgotten', async () => {
    const [small] = peers as [Peer, Peer]
    small.isDeaf = true
    await startAll()
    expect(small.opened).toBe(1)
    await time.advance(1300)
    expect(small.opened).toBe(2)
    await time.advance(4 * MINUTE)
    const tried = small.opened
    expect(tried).toBeGreaterThan(6)
    expect(tried).toBeLessThan(20)
    expect(small.errors).toHaveLength(tried)
    small.isDeaf = false
    await (peers[1] as Peer).device.take()
    await time.advance(1.3 * MINUTE)
    expect(standAlike()).toBe(true)
  })

  test('is not tried again once the device is gone', async () => {
    const [small, large] = peers as [Peer, Peer]
    small.isDeaf = true
    await startAll()
    network.disconnect(large.device.id)
    await time.settle()
    forget()
    await time.advance(10 * MINUTE)
    expect(small.opened).toBe(0)
  })

  test('by a peer that falls asleep in the middle ends in time, and succeeds when it wakes', async () => {
    const [small, large] = peers as [Peer, Peer]
    await startAll()
    forget()
    await large.device.take()
    large.clock.sleep()
    small.syncer.onGap(large.device.id)
    await time.advance(0.55 * MINUTE)
    expect(small.errors).toMatchObject([{ code: 'SYNC_TIMEOUT' }])
    large.clock.wake()
    await time.advance(MINUTE)
    expect(standAlike()).toBe(true)
  })
})

describe('closed', () => {
  test('it ends what runs, tells who waits, and begins nothing more', async () => {
    const [small, large] = peers as [Peer, Peer]
    await startAll()
    large.clock.sleep()
    let isDone = false
    void small.syncer.syncAll().then(() => {
      isDone = true
    })
    await time.settle()
    expect(isDone).toBe(false)
    await small.syncer.close()
    await time.settle()
    expect(isDone).toBe(true)
    forget()
    small.syncer.onConnected('someone')
    small.syncer.onGap(large.device.id)
    await small.syncer.syncAll()
    large.clock.wake()
    await time.advance(10 * MINUTE)
    expect([small.opened, small.synced, small.errors]).toEqual([0, [], []])
  })

  test('it leaves no timer of its own', async () => {
    await startAll()
    for (const { syncer, transport } of peers) {
      await syncer.close()
      await transport.close()
    }
    await time.settle()
    for (const { clock } of peers) expect(clock.timers).toBe(0)
  })
})
