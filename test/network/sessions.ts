/** Syncs between devices with real journals, over channels in memory. */
import {
  type Channel,
  MemoryNetwork,
  runSync,
  type SyncLimits,
  type SyncReport,
} from '../../src/network/index.js'
import { type Clock, turn } from '../../src/platform/index.js'
import { VirtualTime } from '../../src/testing/index.js'
import type { Device } from '../journal/devices.js'
import { Host } from './hosts.js'

export interface Line {
  readonly time: VirtualTime
  readonly network: MemoryNetwork
  readonly channels: readonly [Channel, Channel]
}

/** A channel from one device to another, and its other end. */
export async function lineBetween(a: Device, b: Device): Promise<Line> {
  const time = new VirtualTime()
  const network = new MemoryNetwork({ clock: time.clock() })
  const [near, far] = [await Host.on(network, a.id), await Host.on(network, b.id)]
  await turn()
  const channel = await near.transport.open(b.id)
  await turn()
  return { time, network, channels: [channel, far.channels[0] as Channel] }
}

export interface BothEnds {
  readonly begun: SyncReport | Error
  readonly answered: SyncReport | Error
}

/** One sync that `a` begins, to its end on both sides. */
export async function syncOnce(
  a: Device,
  b: Device,
  limits: Partial<SyncLimits> = {},
  tap: (channel: Channel, line: Line) => Channel = (channel) => channel,
): Promise<BothEnds> {
  const line = await lineBetween(a, b)
  const clock: Clock = line.time.clock()
  const [near, far] = line.channels
  const [begun, answered] = await Promise.allSettled([
    runSync({ channel: tap(near, line), role: 'initiator', journals: a.journals, clock, limits }),
    runSync({ channel: far, role: 'responder', journals: b.journals, clock, limits }),
  ])
  return { begun: outcomeOf(begun), answered: outcomeOf(answered) }
}

export function outcomeOf<T>(settled: PromiseSettledResult<T>): T | Error {
  return settled.status === 'fulfilled' ? settled.value : (settled.reason as Error)
}
