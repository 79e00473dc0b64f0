import { bytesOf, channelBetween, codeOf, type Member, type Started, using } from './kit.js'
import type { TransportSet, TransportSuiteOptions } from './options.js'

export function closing(options: TransportSuiteOptions): void {
  const { it, expect } = options.test

  it('closes: the others are told, channels end on both sides, and its host hears nothing more', () =>
    using(options, 3, async (started) => {
      const [ana, ben, cid] = started.members as [Member, Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      const waiting = [codeOf(near.receive()), codeOf(far.receive())]
      await ana.transport.close()
      const heard = ana.heard.length
      await started.until('the end', () => ben.peers.length + cid.peers.length === 2)
      expect(ben.count(`disconnected ${ana.device}`)).toBe(1)
      expect(await started.come(Promise.all(waiting))).toEqual(['CHANNEL_ENDED', 'CHANNEL_ENDED'])
      ben.transport.publish('batches', bytesOf('to whom it may concern'))
      await started.until('a message among the others', () => cid.messages.length > 0)
      expect([ana.heard.length, ana.messages.length]).toEqual([heard, 0])
    }))

  it('opens nothing once it is closed; closing twice is fine', () =>
    using(options, 2, async ({ members }) => {
      const [ana, ben] = members as [Member, Member]
      await ana.transport.close()
      await ana.transport.close()
      ana.transport.review()
      expect(ana.peers).toEqual([])
      expect(await codeOf(ana.transport.open(ben.device))).toBe('TRANSPORT_CLOSED')
    }))
}

type Cuttable = Required<Pick<TransportSet, 'cut' | 'heal'>>

/** Only for transports that can be parted. */
export function parting(options: TransportSuiteOptions): void {
  const { it, expect } = options.test

  const parted = (body: (started: Started, way: Cuttable) => Promise<void>): Promise<void> =>
    using(options, 3, async (started) => {
      const { cut, heal } = started.set
      if (cut !== undefined && heal !== undefined) await body(started, { cut, heal })
    })

  it('tells both sides when they are parted, breaks their channels, and leaves the others alone', () =>
    parted(async (started, { cut }) => {
      const [ana, ben, cid] = started.members as [Member, Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      const waiting = [codeOf(near.receive()), codeOf(far.receive())]
      await cut(ana.device, ben.device)
      await started.until(
        'the parting',
        () => !ana.peers.includes(ben.device) && !ben.peers.includes(ana.device),
      )
      expect(await started.come(Promise.all(waiting))).toEqual(['CHANNEL_ENDED', 'CHANNEL_ENDED'])
      expect(await codeOf(ana.transport.open(ben.device))).toBe('PEER_UNREACHABLE')
      expect(cid.peers.length).toBe(2)
    }))

  it('connects them again once they can meet, and messages flow', () =>
    parted(async ({ members, until }, { cut, heal }) => {
      const [ana, ben] = members as [Member, Member]
      await cut(ana.device, ben.device)
      await until('the parting', () => !ana.peers.includes(ben.device))
      await heal()
      await until('a new connection', () => ana.peers.includes(ben.device) && ben.peers.includes(ana.device))
      ana.transport.publish('batches', bytesOf('again'))
      await until('the message', () => ben.messages.some(({ text }) => text === 'again'))
    }))
}
