/** One process's place in the simulated network. */
import type { DeviceId } from '../../protocol/index.js'
import { MAX_PUBLISHED_BYTES } from '../../src/network/constants.js'
import type { MemoryChannel } from '../../src/network/memory/channel.js'
import {
  type Channel,
  type Peer,
  type Topic,
  type Transport,
  TransportError,
  type TransportHost,
} from '../../src/network/transport.js'
import type { Clock } from '../../src/platform/seams.js'
import { MAX_INBOX } from '../constants.js'
import type { SimLink } from './link.js'

/** What a transport needs of its network. */
export interface Exchange {
  join(transport: SimTransport): void
  leave(transport: SimTransport): void
  review(transport: SimTransport): void
  publish(from: SimTransport, topic: Topic, bytes: Uint8Array): void
}

export class SimTransport implements Transport {
  readonly clock: Clock
  readonly #exchange: Exchange
  #host: TransportHost | null = null
  #waiting = 0
  isClosed = false
  /** The connections that the host has been told of. */
  readonly links: Map<DeviceId, SimLink> = new Map()

  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange
    this.clock = clock
  }

  get host(): TransportHost {
    if (this.#host === null) throw new Error('The transport was not started.')
    return this.#host
  }

  get device(): DeviceId {
    return this.host.device
  }

  async start(host: TransportHost): Promise<void> {
    if (this.isClosed) throw closed()
    this.#host = host
    this.#exchange.join(this)
  }

  publish(topic: Topic, bytes: Uint8Array): void {
    if (this.isClosed || this.#host === null || bytes.length > MAX_PUBLISHED_BYTES) return
    this.#exchange.publish(this, topic, bytes)
  }

  peers(): readonly Peer[] {
    return [...this.links.values()].map((link) => link.peerOf(this))
  }

  async open(device: DeviceId): Promise<Channel> {
    if (this.isClosed) throw closed()
    const link = this.links.get(device)
    if (link?.isUp !== true)
      throw new TransportError('PEER_UNREACHABLE', `There is no connection to ${device}. Nothing was sent.`)
    return link.open(this)
  }

  review(): void {
    if (!this.isClosed && this.#host !== null) this.#exchange.review(this)
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.links.clear()
    if (this.#host !== null) this.#exchange.leave(this)
  }

  connected(link: SimLink): void {
    if (this.isClosed) return
    const peer = link.peerOf(this)
    this.links.set(peer.device, link)
    this.#host?.onConnected(peer)
  }

  disconnected(link: SimLink): void {
    if (this.isClosed) return
    const { device } = link.peerOf(this)
    if (this.links.get(device) !== link) return
    this.links.delete(device)
    this.#host?.onDisconnected(device)
  }

  qualityChanged(link: SimLink): void {
    if (!this.isClosed) this.#host?.onQuality(link.peerOf(this))
  }

  channelOpened(channel: MemoryChannel): void {
    if (!this.isClosed) this.#host?.onChannel(channel)
  }

  /** A published message gets here after so long. */
  arrive(topic: Topic, bytes: Uint8Array, from: DeviceId, delayMs: number, arrived: () => void): void {
    if (this.isClosed || this.#waiting >= MAX_INBOX) return
    this.#waiting++
    this.clock.setTimer(delayMs, () => {
      this.#waiting--
      if (this.isClosed) return
      arrived()
      this.#host?.onMessage(topic, bytes, from)
    })
  }
}

function closed(): TransportError {
  return new TransportError('TRANSPORT_CLOSED', 'The transport was closed.')
}
