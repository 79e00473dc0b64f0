import { type Member, using } from './kit.js'
import type { TransportSuiteOptions } from './options.js'

export function connecting(options: TransportSuiteOptions): void {
  const { it, expect } = options.test

  it('connects every device with every other, and tells each of it once', () =>
    using(options, 3, async ({ members, rest }) => {
      await rest()
      for (const member of members) {
        const others = members.filter((other) => other !== member).map(({ device }) => device)
        expect(member.peers).toEqual([...others].sort())
        for (const device of others) expect(member.count(`connected ${device}`)).toBe(1)
        for (const { quality } of member.transport.peers()) expect(quality >= 0 && quality <= 1).toBe(true)
      }
    }))

  it('connects nobody who is not welcome on both sides', () =>
    using(
      options,
      3,
      async ({ members, rest }) => {
        const [ana, ben, cid] = members as [Member, Member, Member]
        await rest()
        expect(ana.peers).toEqual([cid.device])
        expect(ben.peers).toEqual([cid.device])
        ana.transport.publish('batches', Uint8Array.of(1))
        ben.transport.publish('batches', Uint8Array.of(2))
        await rest()
        expect(ana.messages.map(({ from }) => from)).toEqual([])
        expect(ben.messages.map(({ from }) => from)).toEqual([])
      },
      ([ana, ben]) => ana?.unwelcome.add(ben?.device ?? ''),
    ))

  it('puts out at once who is welcome no more, and lets in who is welcome again', () =>
    using(options, 2, async ({ members, until }) => {
      const [ana, ben] = members as [Member, Member]
      ana.unwelcome.add(ben.device)
      ana.transport.review()
      await until('the end of both sides', () => ana.peers.length + ben.peers.length === 0)
      expect(ana.count(`disconnected ${ben.device}`)).toBe(1)
      expect(ben.count(`disconnected ${ana.device}`)).toBe(1)
      ana.unwelcome.clear()
      ana.transport.review()
      ben.transport.review()
      await until('a new connection', () => ana.peers.length + ben.peers.length === 2)
    }))

  it('changes nothing by a review when nothing changed', () =>
    using(options, 2, async ({ members, rest }) => {
      for (const { transport } of members) transport.review()
      await rest()
      for (const { heard } of members) expect(heard.length).toBe(1)
    }))
}
