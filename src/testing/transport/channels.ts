import { MAX_FRAME_BYTES } from '../../network/constants.js'
import type { Channel } from '../../network/transport.js'
import { bytesOf, channelBetween, codeOf, type Member, type Started, textOf, using } from './kit.js'
import type { TransportSuiteOptions } from './options.js'

/** Frames that no honest buffer holds: 128 MB. */
const FLOOD_FRAMES = 512
const FLOOD_FRAME_BYTES = 256 * 1024

/** Frames that may go into the void before a sender hears that nobody listens. */
const MAX_TRIES = 100

export function channels(options: TransportSuiteOptions): void {
  const { it, expect } = options.test

  it('opens channels on which frames arrive whole and in order, both ways', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      expect([near.device, far.device]).toEqual([ben.device, ana.device])
      const texts = ['a', '', 'b'.repeat(300_000), 'c']
      const sending = sendAll(near, texts)
      const answering = sendAll(far, ['d', 'e'])
      expect((await takeSome(started, far, texts.length)).map(digest)).toEqual(texts.map(digest))
      expect(await takeSome(started, near, 2)).toEqual(['d', 'e'])
      await started.come(Promise.all([sending, answering]))
    }))

  it('ends a channel with null, after all that was sent before', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      await started.come(near.send(bytesOf('last words')))
      near.close()
      expect(await takeSome(started, far, 1)).toEqual(['last words'])
      expect(await started.come(far.receive())).toBe(null)
      expect(await started.come(far.receive())).toBe(null)
      far.close()
    }))

  it('rejects what waits on a side that closes its channel, and what it asks for afterwards', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near] = await channelBetween(started, ana, ben)
      const waiting = codeOf(near.receive())
      near.close()
      near.close()
      expect(await waiting).toBe('CHANNEL_ENDED')
      expect(await codeOf(near.receive())).toBe('CHANNEL_ENDED')
      expect(await codeOf(near.send(bytesOf('late')))).toBe('CHANNEL_ENDED')
    }))

  it('tells a sender that the other side has closed the channel', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      far.close()
      let code = ''
      for (let i = 0; i < MAX_TRIES && code !== 'CHANNEL_ENDED'; i++) {
        await started.set.settle()
        code = await started.come(codeOf(near.send(bytesOf('anyone?'))))
      }
      expect(code).toBe('CHANNEL_ENDED')
    }))

  it('makes a sender wait for a receiver that takes nothing, and loses nothing', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      let sent = 0
      const flood = async (): Promise<void> => {
        const frame = new Uint8Array(FLOOD_FRAME_BYTES)
        for (; sent < FLOOD_FRAMES; sent++) await near.send(frame)
      }
      const flooding = flood()
      await started.rest()
      expect(sent < FLOOD_FRAMES).toBe(true)
      for (let taken = 0; taken < FLOOD_FRAMES; taken++)
        if ((await started.come(far.receive()))?.length !== FLOOD_FRAME_BYTES)
          throw new Error(`Frame ${taken} is another.`)
      await started.come(flooding)
      expect(sent).toBe(FLOOD_FRAMES)
    }))

  it('refuses a frame over the limit, sends nothing of it, and goes on', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [near, far] = await channelBetween(started, ana, ben)
      expect(await codeOf(near.send(new Uint8Array(MAX_FRAME_BYTES + 1)))).toBe('FRAME_TOO_LARGE')
      await started.come(near.send(bytesOf('small')))
      expect(await takeSome(started, far, 1)).toEqual(['small'])
    }))

  it('keeps several channels apart', () =>
    using(options, 2, async (started) => {
      const [ana, ben] = started.members as [Member, Member]
      const [one, oneFar] = await channelBetween(started, ana, ben)
      const [two, twoFar] = await channelBetween(started, ben, ana)
      await started.come(two.send(bytesOf('two')))
      await started.come(one.send(bytesOf('one')))
      expect([...(await takeSome(started, oneFar, 1)), ...(await takeSome(started, twoFar, 1))]).toEqual([
        'one',
        'two',
      ])
      one.close()
      await started.come(two.send(bytesOf('still')))
      expect(await takeSome(started, twoFar, 1)).toEqual(['still'])
    }))

  it('opens no channel to a device that is not connected', () =>
    using(
      options,
      2,
      async ({ members }) => {
        const [ana, ben] = members as [Member, Member]
        expect(await codeOf(ana.transport.open(ben.device))).toBe('PEER_UNREACHABLE')
      },
      ([ana, ben]) => ana?.unwelcome.add(ben?.device ?? ''),
    ))
}

async function sendAll(channel: Channel, texts: readonly string[]): Promise<void> {
  for (const text of texts) await channel.send(bytesOf(text))
}

async function takeSome({ come }: Started, channel: Channel, count: number): Promise<readonly string[]> {
  const texts: string[] = []
  while (texts.length < count) {
    const frame = await come(channel.receive())
    if (frame === null) throw new Error('The channel ended early.')
    texts.push(textOf(frame))
  }
  return texts
}

/** Short enough for a failure to be read. */
function digest(text: string): string {
  return `${text.length} ${text.slice(0, 8)}`
}
