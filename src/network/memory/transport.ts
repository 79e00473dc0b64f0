/** One device's place in a network within one process. */
import type { DeviceId } from '../../../protocol/index.js'
import { MAX_PUBLISHED_BYTES } from '../constants.js'
import {
  type Channel,
  type Peer,
  type Topic,
  type Transport,
  TransportError,
  type TransportHost,
} from '../transport.js'
import type { MemoryChannel } from './channel.js'
import type { Inbox } from './inbox.js'
import type { End, Link } from './link.js'

/** What a transport needs of its network. */
export interface Exchange {
  join(transport: MemoryTransport): void
  leave(transport: MemoryTransport): void
  review(transport: MemoryTransport): void
}

export class MemoryTransport implements Transport, End {
  readonly inbox: Inbox
  readonly #exchange: Exchange
  #host: TransportHost | null = null
  #isClosed = false
  /** The connections that the host has been told of. */
  readonly #links = new Map<DeviceId, Link>()

  /** Use `network.transport()`. */
  constructor(exchange: Exchange, inbox: Inbox) {
    this.#exchange = exchange
    this.inbox = inbox
  }

  /** Known once it was started. */
  get host(): TransportHost {
    if (this.#host === null) throw new Error('The transport was not started.')
    return this.#host
  }

  get device(): DeviceId {
    return this.host.device
  }

  async start(host: TransportHost): Promise<void> {
    if (this.#isClosed) throw closed()
    if (this.#host !== null) throw new Error('The transport was started before.')
    this.#host = host
    this.#exchange.join(this)
  }

  publish(topic: Topic, bytes: Uint8Array): void {
    if (this.#isClosed || bytes.length > MAX_PUBLISHED_BYTES) return
    for (const link of this.#links.values()) link.publish(this, topic, bytes)
  }

  peers(): readonly Peer[] {
    return [...this.#links.values()].map((link) => link.peerOf(this))
  }

  async open(device: DeviceId): Promise<Channel> {
    if (this.#isClosed) throw closed()
    const link = this.#links.get(device)
    if (link?.isUp !== true)
      throw new TransportError('PEER_UNREACHABLE', `There is no connection to ${device}. Nothing was sent.`)
    return link.open(this)
  }

  review(): void {
    if (!this.#isClosed && this.#host !== null) this.#exchange.review(this)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#links.clear()
    this.inbox.close()
    if (this.#host !== null) this.#exchange.leave(this)
  }

  connected(link: Link): void {
    const peer = link.peerOf(this)
    this.#links.set(peer.device, link)
    this.#host?.onConnected(peer)
  }

  disconnected(link: Link): void {
    const { device } = link.peerOf(this)
    this.#links.delete(device)
    this.#host?.onDisconnected(device)
  }

  changed(link: Link): void {
    this.#host?.onQuality(link.peerOf(this))
  }

  message(topic: Topic, bytes: Uint8Array, from: DeviceId): void {
    this.#host?.onMessage(topic, bytes, from)
  }

  channel(channel: MemoryChannel): void {
    this.#host?.onChannel(channel)
  }
}

function closed(): TransportError {
  return new TransportError('TRANSPORT_CLOSED', 'The transport was closed.')
}
