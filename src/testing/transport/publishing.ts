import { bytesOf, type Member, using } from './kit.js'
import type { TransportSuiteOptions } from './options.js'

export function publishing(options: TransportSuiteOptions): void {
  const { it, expect } = options.test

  it('brings what is published to every other device, with its topic and its sender, and not to oneself', () =>
    using(options, 3, async ({ members, until, rest }) => {
      const [ana, ben, cid] = members as [Member, Member, Member]
      ana.transport.publish('batches', bytesOf('one'))
      ana.transport.publish('beacons', bytesOf('two'))
      await until('both messages', () => ben.messages.length >= 2 && cid.messages.length >= 2)
      await rest()
      for (const { messages } of [ben, cid]) {
        const texts = messages.map(({ topic, text, from }) => `${topic} ${text} ${from}`)
        expect([...new Set(texts)].sort()).toEqual([`batches one ${ana.device}`, `beacons two ${ana.device}`])
      }
      expect(ana.messages).toEqual([])
    }))

  it('never delivers before the call that sent it is over', () =>
    using(options, 2, async ({ members, until }) => {
      const [ana, ben] = members as [Member, Member]
      ana.transport.publish('batches', bytesOf('later'))
      expect(ben.messages).toEqual([])
      await until('the message', () => ben.messages.length > 0)
    }))

  it('carries a message of a batch of the largest size', () =>
    using(options, 2, async ({ members, until }) => {
      const [ana, ben] = members as [Member, Member]
      const text = 'x'.repeat(1024 * 1024 + 64)
      ana.transport.publish('batches', bytesOf(text))
      await until('the message', () => ben.messages.length > 0)
      expect(ben.messages[0]?.text === text).toBe(true)
    }))

  it('publishes to nobody, before it started or after it closed, without complaint', async () => {
    const set = await options.create(1)
    const [member] = set.members
    member?.transport.publish('batches', bytesOf('nobody'))
    await member?.transport.close()
    member?.transport.publish('batches', bytesOf('nobody'))
    expect(member?.transport.peers()).toEqual([])
  })
}
