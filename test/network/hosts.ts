/** Devices on a network in memory that note down what they hear. */
import { type DeviceId, type GroupId, groupId } from '../../protocol/index.js'
import type {
  Channel,
  MemoryNetwork,
  MemoryTransport,
  Topic,
  TransportHost,
} from '../../src/network/index.js'
import type { Clock } from '../../src/platform/index.js'
import { deviceNumber } from '../../src/testing/store/kit.js'

export const GROUP: GroupId = groupId(deviceNumber(0), 4096)

export const [ANA, BEN, CID] = [1, 2, 3].map(deviceNumber) as [DeviceId, DeviceId, DeviceId]

export class Host implements TransportHost {
  readonly device: DeviceId
  readonly group: GroupId
  readonly transport: MemoryTransport
  readonly heard: string[] = []
  readonly channels: Channel[] = []

  constructor(transport: MemoryTransport, device: DeviceId, group: GroupId = GROUP) {
    this.transport = transport
    this.device = device
    this.group = group
  }

  static async on(
    network: MemoryNetwork,
    device: DeviceId,
    { clock, group }: { readonly clock?: Clock; readonly group?: GroupId } = {},
  ): Promise<Host> {
    const host = new Host(network.transport(clock === undefined ? {} : { clock }), device, group)
    await host.transport.start(host)
    return host
  }

  say(text: string, topic: Topic = 'batches'): void {
    this.transport.publish(topic, new TextEncoder().encode(text))
  }

  isWelcome(): boolean {
    return true
  }

  onConnected(): void {
    this.heard.push('connected')
  }

  onDisconnected(): void {
    this.heard.push('disconnected')
  }

  onQuality({ quality }: { readonly quality: number }): void {
    this.heard.push(`quality ${quality}`)
  }

  onMessage(_topic: Topic, bytes: Uint8Array): void {
    this.heard.push(new TextDecoder().decode(bytes))
  }

  onChannel(channel: Channel): void {
    this.channels.push(channel)
  }
}
