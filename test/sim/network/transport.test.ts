import { describe, expect, it } from 'vitest'
import { FULL_MESH, KEEP_ALIVE_MS, MAX_INBOX } from '../../../sim/constants.js'
import { HELD_UP_MS } from '../../../sim/network/conditions.js'
import type { Channel } from '../../../src/network/index.js'
import { transportSuite } from '../../../src/testing/index.js'
import { deviceNumber } from '../../../src/testing/store/kit.js'
import { bytesOf, codeOf, textOf } from '../../../src/testing/transport/kit.js'
import { EVEN, GROUP, Net } from './kit.js'

/**
 * Here messages go from neighbour to neighbour, as in gossip: those of an author also get to whom it does not welcome, by
 * way of others. A device that was put out hears of it so.
 */
const PASSED_ON = 'connects nobody who is not welcome on both sides'

transportSuite({
  name: 'the simulated network',
  test: {
    describe,
    it: (name, body, timeoutMs) => (name === PASSED_ON ? it.fails : it)(name, body, timeoutMs),
    expect,
  },
  create: (count) => {
    const net = new Net({})
    return {
      group: GROUP,
      members: Array.from({ length: count }, (_, i) => ({
        transport: net.network.transport(net.world.clock()),
        device: deviceNumber(i),
      })),
      settle: () => net.advance(2000),
      cut: (a, b) => net.network.sever(a, b),
      heal: () => net.network.heal(),
    }
  },
})

const MANY = 400

describe('what is published', () => {
  it('arrives after the latency, and the time that its bytes take', async () => {
    const net = await Net.of(2, { ...EVEN, bytesPerSecond: 1000 })
    net.host(0).say('x'.repeat(500))
    await net.advance(509)
    expect(net.host(1).texts).toEqual([])
    await net.advance(1)
    expect(net.host(1).texts).toHaveLength(1)
  })

  it('is lost as often as the weather says, hop by hop', async () => {
    const net = await Net.of(2, { ...EVEN, loss: 0.25 })
    for (let i = 0; i < MANY; i++) net.host(0).say(`${i}`)
    await net.advance(1000)
    const share = net.host(1).texts.length / MANY
    expect(share).toBeGreaterThan(0.65)
    expect(share).toBeLessThan(0.85)
  })

  it('is brought by others when it is lost on the straight way', async () => {
    const net = await Net.of(8, { ...EVEN, loss: 0.25 })
    for (let i = 0; i < MANY; i++) net.host(0).say(`${i}`)
    await net.advance(1000)
    expect(net.host(7).texts.length).toBeGreaterThan(0.99 * MANY)
  })

  it('comes twice as often as the weather says, and never a third time', async () => {
    const net = await Net.of(2, { ...EVEN, duplicates: 0.25 })
    for (let i = 0; i < MANY; i++) net.host(0).say(`${i}`)
    await net.advance(HELD_UP_MS + 1000)
    const times = new Map<string, number>()
    for (const text of net.host(1).texts) times.set(text, (times.get(text) ?? 0) + 1)
    const twice = [...times.values()].filter((count) => count === 2).length
    expect(times.size).toBe(MANY)
    expect(Math.max(...times.values())).toBe(2)
    expect(twice / MANY).toBeGreaterThan(0.15)
    expect(twice / MANY).toBeLessThan(0.35)
  })

  it('is overtaken where messages are held up, and nothing is lost', async () => {
    const net = await Net.of(2, { ...EVEN, reorder: 0.25 })
    const sent = Array.from({ length: 50 }, (_, i) => `${i}`)
    for (const text of sent) {
      net.host(0).say(text)
      await net.advance(100)
    }
    await net.advance(HELD_UP_MS)
    const { texts } = net.host(1)
    expect(texts).not.toEqual(sent)
    expect([...texts].sort()).toEqual([...sent].sort())
  })

  it('comes in order on an even network', async () => {
    const net = await Net.of(2)
    for (const text of ['one', 'two', 'three']) net.host(0).say(text)
    await net.advance(10)
    expect(net.host(1).texts).toEqual(['one', 'two', 'three'])
  })

  it('gets by way of others to one that its author has put out: so it hears of it', async () => {
    const net = await Net.of(3)
    net.host(0).unwelcome.add(net.id(1))
    net.host(0).transport.review()
    await net.advance(10)
    expect([net.host(0).peers, net.host(1).peers]).toEqual([[net.id(2)], [net.id(2)]])
    net.host(0).say('you are out')
    await net.advance(20)
    expect(net.host(1).texts).toEqual(['you are out'])
  })

  it('comes out the same for the same seed, and not for another', async () => {
    const heard: string[] = []
    for (const seed of [1, 1, 2]) {
      const net = new Net({ loss: 0.3, jitterMs: 50 }, seed)
      const [ana, ben] = [0, 1].map((i) => ({
        transport: net.network.transport(net.world.clock()),
        device: deviceNumber(i),
      }))
      const texts: string[] = []
      for (const one of [ana, ben])
        await one?.transport.start({
          device: one.device,
          group: GROUP,
          isWelcome: () => true,
          onConnected: () => undefined,
          onDisconnected: () => undefined,
          onQuality: () => undefined,
          onChannel: () => undefined,
          onMessage: (_topic, bytes) => void texts.push(`${textOf(bytes)} at ${net.world.nowMs}`),
        })
      await net.advance(1000)
      for (let i = 0; i < 20; i++) ana?.transport.publish('batches', bytesOf(`${i}`))
      await net.advance(5000)
      heard.push(texts.join())
    }
    expect(heard[0]).toBe(heard[1])
    expect(heard[0]).not.toBe(heard[2])
  })
})

describe('a partition', () => {
  it('lets only devices of one side reach each other; those that no side names are together', async () => {
    const net = await Net.of(5)
    net.network.partition([[net.id(0), net.id(1)], [net.id(2)]])
    await net.advance(10)
    const peers = net.hosts.map(({ peers }) =>
      peers.map((id) => net.hosts.findIndex(({ device }) => device === id)),
    )
    expect(peers.map((places) => [...places].sort())).toEqual([[1], [0], [], [4], [3]])
    expect(net.network.isWhole).toBe(false)
    net.host(0).say('hello')
    await net.advance(100)
    expect(net.hosts.map(({ texts }) => texts.length)).toEqual([0, 1, 0, 0, 0])
  })

  it('ends when it heals: all are told of each other again', async () => {
    const net = await Net.of(3)
    net.network.partition([[net.id(0)]])
    await net.advance(60_000)
    net.network.heal()
    await net.advance(10)
    expect(net.network.isWhole).toBe(true)
    expect(net.host(0).heard.map((line) => line.split(' ')[0])).toEqual([
      'disconnected',
      'disconnected',
      'connected',
      'connected',
    ])
    net.host(0).say('back')
    await net.advance(10)
    expect(net.hosts.map(({ texts }) => texts)).toEqual([[], ['back'], ['back']])
  })
})

describe('two devices that lose each other', () => {
  it('still hear each other’s messages by way of a third', async () => {
    const net = await Net.of(3)
    net.network.sever(net.id(0), net.id(1))
    await net.advance(10)
    expect(net.host(0).peers).toEqual([net.id(2)])
    net.host(0).say('hello')
    await net.advance(10)
    expect(net.host(1).texts).toEqual([])
    await net.advance(10)
    expect(net.host(1).texts).toEqual(['hello'])
    expect(net.host(1).messages[0]?.from).toBe(net.id(0))
  })
})

describe('a way that is blocked', () => {
  it('brings nothing, while the other way is open and the connection stands', async () => {
    const net = await Net.of(2)
    net.network.block(net.id(0), net.id(1))
    net.host(0).say('into the void')
    net.host(1).say('hello')
    await net.advance(1000)
    expect([net.host(0).texts, net.host(1).texts]).toEqual([['hello'], []])
    expect([net.host(0).heard, net.host(1).heard]).toEqual([[], []])
    expect(net.network.isOpen(net.id(0), net.id(1))).toBe(false)
  })

  it('holds the frames of channels back, in order, until it opens again', async () => {
    const net = await Net.of(2)
    const near = await net.host(0).transport.open(net.id(1))
    await net.advance(10)
    const far = net.host(1).channels[0] as Channel
    net.network.block(net.id(0), net.id(1))
    const taken: string[] = []
    const take = async (): Promise<void> => {
      for (let frame = await far.receive(); frame !== null; frame = await far.receive())
        taken.push(textOf(frame))
    }
    const taking = take()
    for (const text of ['one', 'two']) void near.send(bytesOf(text))
    await net.advance(60_000)
    expect(taken).toEqual([])
    net.network.heal()
    await near.send(bytesOf('three'))
    await net.advance(1000)
    expect(taken).toEqual(['one', 'two', 'three'])
    near.close()
    await net.advance(1000)
    await taking
  })
})

describe('a device that sleeps', () => {
  it('hears what was sent meanwhile when it wakes soon, and was never gone', async () => {
    const net = await Net.of(2)
    net.sleep(1)
    net.host(0).say('one')
    await net.advance(KEEP_ALIVE_MS - 1000)
    expect(net.host(1).texts).toEqual([])
    net.wake(1)
    await net.advance(10)
    expect(net.host(1).texts).toEqual(['one'])
    expect([net.host(0).heard, net.host(1).heard]).toEqual([[], []])
  })

  it('is given up by the others after a while, and connected anew when it wakes', async () => {
    const net = await Net.of(2)
    net.sleep(1)
    await net.advance(KEEP_ALIVE_MS + 1000)
    expect(net.host(0).heard).toEqual([`disconnected ${net.id(1)}`])
    expect(net.host(1).heard).toEqual([])
    expect(await codeOf(net.host(0).transport.open(net.id(1)))).toBe('PEER_UNREACHABLE')
    net.wake(1)
    await net.advance(10)
    expect(net.host(0).peers).toEqual([net.id(1)])
    expect(net.host(1).heard).toEqual([`disconnected ${net.id(0)}`, `connected ${net.id(0)}`])
  })

  it('that wakes and sleeps again is given up by its last sleep, not by the one before', async () => {
    const net = await Net.of(2)
    net.sleep(1)
    await net.advance(KEEP_ALIVE_MS - 5000)
    net.wake(1)
    await net.advance(1000)
    net.sleep(1)
    await net.advance(10_000)
    expect(net.host(0).heard).toEqual([])
    await net.advance(KEEP_ALIVE_MS)
    expect(net.host(0).heard).toEqual([`disconnected ${net.id(1)}`])
  })

  it('passes nothing on', async () => {
    const net = await Net.of(3)
    net.network.sever(net.id(0), net.id(1))
    await net.advance(10)
    net.sleep(2)
    net.host(0).say('hello')
    await net.advance(1000)
    expect(net.host(1).texts).toEqual([])
  })

  it('has an inbox with an end', async () => {
    const net = await Net.of(2)
    net.sleep(1)
    for (let i = 0; i < MAX_INBOX + 100; i++) net.host(0).say(`${i}`)
    net.wake(1)
    await net.advance(10)
    expect(net.host(1).texts).toHaveLength(MAX_INBOX)
    expect(net.host(1).texts[0]).toBe('0')
  })
})

describe('a network of more devices than can all be connected', () => {
  const COUNT = 5 * FULL_MESH

  it('brings to all by gossip what one publishes, once to each', async () => {
    const net = await Net.of(COUNT)
    expect(Math.max(...net.hosts.map(({ peers }) => peers.length))).toBeLessThan(FULL_MESH + 1)
    net.host(7).say('hello')
    await net.advance(1000)
    expect(net.hosts.filter(({ texts }) => texts.length === 1)).toHaveLength(COUNT - 1)
    expect(net.host(7).texts).toEqual([])
  })

  it('still does when every third has left, and within each side of a partition', async () => {
    const net = await Net.of(COUNT)
    for (let i = 0; i < COUNT; i += 3) await net.host(i).transport.close()
    await net.advance(100)
    net.host(1).say('hello')
    await net.advance(1000)
    expect(net.hosts.filter(({ texts }) => texts.length === 1)).toHaveLength(COUNT - COUNT / 3 - 1)
  })

  it('connects in both directions', async () => {
    const net = await Net.of(COUNT)
    for (const host of net.hosts)
      for (const peer of host.peers)
        expect(net.hosts.find(({ device }) => device === peer)?.peers).toContain(host.device)
  })
})

describe('a device that starts a second process', () => {
  it('ends the first one’s connections, and has its own', async () => {
    const net = await Net.of(2)
    const clock = net.world.clock()
    const [ana] = net.hosts
    const heard: string[] = []
    await net.network.transport(clock).start({
      device: net.id(0),
      group: GROUP,
      isWelcome: () => true,
      onConnected: ({ device }) => void heard.push(`connected ${device}`),
      onDisconnected: () => undefined,
      onQuality: () => undefined,
      onChannel: () => undefined,
      onMessage: (_topic, bytes) => void heard.push(textOf(bytes)),
    })
    await net.advance(20)
    net.host(1).say('hello')
    await net.advance(20)
    expect(heard).toEqual([`connected ${net.id(1)}`, 'hello'])
    expect(ana?.texts).toEqual([])
    expect(net.host(1).heard).toEqual([`disconnected ${net.id(0)}`, `connected ${net.id(0)}`])
  })
})
