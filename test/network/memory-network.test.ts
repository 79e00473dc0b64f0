import { beforeEach, describe, expect, it } from 'vitest'
import { type Channel, MemoryNetwork } from '../../src/network/index.js'
import { systemClock, turn } from '../../src/platform/index.js'
import { seededRandom, type VirtualDeviceClock, VirtualTime } from '../../src/testing/index.js'
import { deviceNumber } from '../../src/testing/store/kit.js'
import { ANA, BEN, CID, Host } from './hosts.js'

describe('a network without latency', () => {
  it('delivers within the same turn of the loop, in order, and never in the call', async () => {
    const network = new MemoryNetwork({ clock: systemClock })
    const [ana, ben] = [await Host.on(network, ANA), await Host.on(network, BEN)]
    await turn()
    for (const text of ['one', 'two', 'three']) ana.say(text)
    expect(ben.heard).toEqual(['connected'])
    await Promise.resolve()
    expect(ben.heard).toEqual(['connected', 'one', 'two', 'three'])
  })

  it('keeps groups apart', async () => {
    const network = new MemoryNetwork({ clock: systemClock })
    const ana = await Host.on(network, ANA)
    await Host.on(network, BEN, { group: 'another' })
    await turn()
    expect(ana.transport.peers()).toEqual([])
  })
})

describe('a network with latency', () => {
  let time: VirtualTime
  let network: MemoryNetwork
  let clocks: [VirtualDeviceClock, VirtualDeviceClock]
  let ana: Host
  let ben: Host

  beforeEach(async () => {
    time = new VirtualTime()
    network = new MemoryNetwork({ clock: time.clock(), random: seededRandom(1), latencyMs: 10 })
    clocks = [time.clock(), time.clock()]
    ana = await Host.on(network, ANA, { clock: clocks[0] })
    ben = await Host.on(network, BEN, { clock: clocks[1] })
    await time.advance(10)
    for (const { heard } of [ana, ben]) expect(heard.splice(0)).toEqual(['connected'])
  })

  async function channel(): Promise<[Channel, Channel]> {
    const near = await ana.transport.open(BEN)
    await time.advance(10)
    return [near, ben.channels[0] as Channel]
  }

  it('brings everything after that time', async () => {
    ana.say('hello')
    await time.advance(9)
    expect(ben.heard).toEqual([])
    await time.advance(1)
    expect(ben.heard).toEqual(['hello'])
  })

  it('leaves a sleeping device in peace, and tells it everything when it wakes', async () => {
    clocks[1].sleep()
    ana.say('one')
    await time.advance(60_000)
    ana.say('two')
    network.disconnect(ANA)
    await time.advance(60_000)
    expect([ana.heard, ben.heard]).toEqual([['disconnected'], []])
    clocks[1].wake()
    await time.advance(10)
    // What was under way when the connection was lost is lost.
    expect(ben.heard).toEqual(['disconnected'])
  })

  it('tells a device that slept what was sent to it meanwhile, in order', async () => {
    clocks[1].sleep()
    ana.say('one')
    await time.advance(60_000)
    ana.say('two')
    clocks[1].wake()
    await time.advance(10)
    expect(ben.heard).toEqual(['one', 'two'])
  })

  it('bounds what waits for a device that sleeps', async () => {
    clocks[1].sleep()
    for (let i = 0; i < 10_000; i++) ana.say(String(i))
    clocks[1].wake()
    await time.advance(10)
    expect(ben.heard.length).toBe(8192)
    expect(ben.heard[0]).toBe('0')
  })

  it('loses what is under way when a connection is cut, but not when the sender hangs up', async () => {
    ana.say('lost')
    network.sever(ANA, BEN)
    network.heal()
    await time.advance(10)
    expect(ben.heard.splice(0)).toEqual(['disconnected', 'connected'])
    ana.say('last words')
    await ana.transport.close()
    await time.advance(10)
    expect(ben.heard).toEqual(['last words', 'disconnected'])
  })

  it('blocks one way only: messages are lost, and the connection stays', async () => {
    network.block(ANA, BEN)
    ana.say('unheard')
    ben.say('heard')
    await time.advance(10)
    expect([ana.heard, ben.heard]).toEqual([['heard'], []])
    network.heal()
    ana.say('again')
    await time.advance(10)
    expect(ben.heard).toEqual(['again'])
  })

  it('holds up what is sent on a channel over a blocked way, and loses none of it', async () => {
    const [near, far] = await channel()
    network.block(ANA, BEN)
    await near.send(Uint8Array.of(1))
    await near.send(Uint8Array.of(2))
    await far.send(Uint8Array.of(9))
    await time.advance(1000)
    expect(await near.receive()).toEqual(Uint8Array.of(9))
    let taken: Uint8Array | null = null
    void far.receive().then((frame) => {
      taken = frame
    })
    await time.advance(1000)
    expect(taken).toBe(null)
    network.heal()
    await near.send(Uint8Array.of(3))
    await time.advance(10)
    expect(taken).toEqual(Uint8Array.of(1))
    expect([await far.receive(), await far.receive()]).toEqual([Uint8Array.of(2), Uint8Array.of(3)])
  })

  it('lets frames that arrived be taken after the connection is lost', async () => {
    const [near, far] = await channel()
    await near.send(Uint8Array.of(1))
    await time.advance(10)
    network.disconnect(BEN)
    await time.advance(10)
    expect(await far.receive()).toEqual(Uint8Array.of(1))
    await expect(far.receive()).rejects.toMatchObject({ code: 'CHANNEL_ENDED' })
  })

  it('bounds the channels between two devices', async () => {
    const open = Array.from({ length: 17 }, () => ana.transport.open(BEN))
    const outcomes = (await Promise.allSettled(open)).map(({ status }) => status)
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(16)
    expect(outcomes.at(-1)).toBe('rejected')
  })

  it('parts and joins groups; devices that no group names are together', async () => {
    const cid = await Host.on(network, CID)
    const dan = await Host.on(network, deviceNumber(4))
    await time.advance(10)
    network.partition([[ANA], [BEN]])
    await time.advance(10)
    const peers = (host: Host): readonly string[] => host.transport.peers().map(({ device }) => device)
    expect([peers(ana), peers(ben), peers(cid)]).toEqual([[], [], [dan.device]])
    network.partition([[ANA, BEN, CID]])
    await time.advance(10)
    expect([peers(ana).length, peers(dan)]).toEqual([2, []])
    network.heal()
    await time.advance(10)
    expect([ana, ben, cid, dan].map((host) => peers(host).length)).toEqual([3, 3, 3, 3])
  })

  it('loses the share of messages that it is told to, by chance from a seed', async () => {
    network.setLoss(0.25)
    for (let i = 0; i < 1000; i++) ana.say('x')
    await time.advance(10)
    expect(ben.heard.length).toBeGreaterThan(700)
    expect(ben.heard.length).toBeLessThan(800)
    expect(() => network.setLoss(2)).toThrow(RangeError)
    expect(() => new MemoryNetwork({ clock: systemClock, loss: 0.1 })).toThrow(TypeError)
  })

  it('counts messages and bytes by topic, once for each receiver, lost ones included', async () => {
    await Host.on(network, CID)
    await time.advance(10)
    network.block(ANA, BEN)
    ana.say('12345')
    ana.say('123', 'beacons')
    const near = await ana.transport.open(CID)
    await near.send(new Uint8Array(7))
    expect(network.messages).toEqual({ batches: 2, beacons: 2, channels: 1 })
    expect(network.bytes).toEqual({ batches: 10, beacons: 6, channels: 7 })
  })

  it('tells both sides how good their connection is', async () => {
    network.setQuality(ANA, BEN, 0.5)
    network.setQuality(BEN, ANA, 0.5)
    await time.advance(10)
    expect([ana.heard, ben.heard]).toEqual([['quality 0.5'], ['quality 0.5']])
    expect(ana.transport.peers()).toEqual([{ device: BEN, quality: 0.5 }])
  })

  it('lets a device that crashed come back in the place of its former self', async () => {
    clocks[0].stop()
    const again = await Host.on(network, ANA, { clock: time.clock() })
    again.say('too early: not connected yet')
    await time.advance(10)
    expect(ben.heard).toEqual(['disconnected', 'connected'])
    expect([ana.heard, again.heard]).toEqual([[], ['connected']])
  })
})
