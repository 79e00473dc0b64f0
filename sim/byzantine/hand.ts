/** Hands messages to one device and to nobody else, by a sync in which this side says nothing true about itself. */
import type { DeviceId } from '../../protocol/index.js'
import { encodeHeads, encodeSummary } from '../../src/journal/heads.js'
import { GROUP_JOURNAL } from '../../src/journal/names.js'
import { FRAME, type FrameType, writeFrame } from '../../src/network/sync-frames.js'
import { type Channel, TransportError } from '../../src/network/transport.js'
import { type Attacker, pause } from './attacker.js'
import { HAND_PAUSE_MS, HAND_TRIES } from './constants.js'

/** Resolves once the device took them in; or gave up the sync each time, or is out of reach. */
export async function hand(
  attacker: Attacker,
  device: DeviceId,
  messages: readonly Uint8Array[],
): Promise<void> {
  for (let i = 0; i < HAND_TRIES; i++) {
    const isDone = await withChannel(attacker, device, (channel) => sync(attacker, channel, messages))
    if (isDone) return
    await pause(attacker, HAND_PAUSE_MS)
  }
}

/** Talks to a device over a channel of its own. False if the channel ended before, or never began. */
export async function withChannel(
  { transport }: Attacker,
  device: DeviceId,
  talk: (channel: Channel) => Promise<void>,
): Promise<boolean> {
  let channel: Channel | null = null
  try {
    channel = await transport.open(device)
    await talk(channel)
    return true
  } catch (error) {
    if (error instanceof TransportError) return false
    throw error
  } finally {
    channel?.close()
  }
}

async function sync({ random }: Attacker, channel: Channel, messages: readonly Uint8Array[]): Promise<void> {
  // A digest that nobody has: the other lists what it has, and is told that this side has nothing to compare.
  await send(channel, FRAME.SUMMARY, encodeSummary(new Map([[GROUP_JOURNAL, random.bytes(16)]])))
  await take(channel)
  await send(channel, FRAME.HEADS, encodeHeads(new Map()))
  await take(channel)
  for (let type = await take(channel); type === FRAME.MESSAGE; ) type = await take(channel)
  for (const message of messages) await send(channel, FRAME.MESSAGE, message)
  await send(channel, FRAME.END)
  await take(channel)
}

async function send(channel: Channel, type: FrameType, payload?: Uint8Array): Promise<void> {
  await channel.send(writeFrame(type, payload))
}

/** The type of the next frame. */
async function take(channel: Channel): Promise<number | undefined> {
  const frame = await channel.receive()
  if (frame === null) throw new TransportError('CHANNEL_ENDED', `${channel.device} ended the sync.`)
  return frame[0]
}
