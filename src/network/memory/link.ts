/** A connection between two devices of one process. */
import type { DeviceId } from '../../../protocol/index.js'
import { MAX_CHANNELS, MAX_INBOX_MESSAGES } from '../constants.js'
import { type Peer, type Topic, TransportError } from '../transport.js'
import { MemoryChannel } from './channel.js'
import type { Inbox } from './inbox.js'

/** What a link needs of a device at one of its ends. */
export interface End {
  readonly device: DeviceId
  readonly inbox: Inbox
  connected(link: Link): void
  disconnected(link: Link): void
  changed(link: Link): void
  message(topic: Topic, bytes: Uint8Array, from: DeviceId): void
  channel(channel: MemoryChannel): void
}

/** What a link needs of the network. */
export interface Weather {
  isBlocked(from: DeviceId, to: DeviceId): boolean
  /** Whether the next published message is lost. */
  losesNext(): boolean
  count(what: Topic | 'channels', bytes: number): void
}

export class Link {
  readonly #ends: readonly [End, End]
  readonly #weather: Weather
  /** The connection is gone. */
  #isDown = false
  /** What was under way when it went is lost too. */
  #isCut = false
  #quality = 1
  readonly #channels = new Set<MemoryChannel>()
  /** What waits for a blocked way to open again, by whom it is for. */
  readonly #held = new Map<End, (() => void)[]>()

  constructor(a: End, b: End, weather: Weather) {
    this.#ends = [a, b]
    this.#weather = weather
    for (const end of this.#ends) end.inbox.push(() => end.connected(this))
  }

  get isUp(): boolean {
    return !this.#isDown
  }

  /** The other device, as one end sees it. */
  peerOf(end: End): Peer {
    return { device: this.#other(end).device, quality: this.#quality }
  }

  joins(a: DeviceId, b: DeviceId): boolean {
    return this.#ends.every(({ device }) => device === a || device === b)
  }

  touches(end: End): boolean {
    return this.#ends.includes(end)
  }

  setQuality(quality: number): void {
    if (quality === this.#quality) return
    this.#quality = quality
    for (const end of this.#ends) end.inbox.push(() => end.changed(this))
  }

  publish(from: End, topic: Topic, bytes: Uint8Array): void {
    if (this.#isDown) return
    const to = this.#other(from)
    this.#weather.count(topic, bytes.length)
    if (this.#weather.isBlocked(from.device, to.device) || this.#weather.losesNext()) return
    if (to.inbox.size >= MAX_INBOX_MESSAGES) return
    this.#arrive(to, () => to.message(topic, bytes, from.device))
  }

  open(from: End): MemoryChannel {
    const to = this.#other(from)
    if (this.#channels.size >= 2 * MAX_CHANNELS)
      throw new TransportError('PEER_UNREACHABLE', `${to.device} has ${MAX_CHANNELS} channels open already.`)
    const [near, far] = [this.#end(from, to), this.#end(to, from)]
    near.joinTo(far)
    far.joinTo(near)
    this.#carry(to, () => to.channel(far))
    return near
  }

  /** The way from one to the other is open again. */
  release(): void {
    for (const [to, held] of [...this.#held]) {
      if (this.#weather.isBlocked(this.#other(to).device, to.device)) continue
      this.#held.delete(to)
      for (const arrive of held) this.#arrive(to, arrive)
    }
  }

  /** The connection is lost, and with it all that is under way. */
  cut(): void {
    this.#isCut = true
    this.#goDown(this.#ends)
  }

  /** One side hangs up: what it sent before still arrives. */
  hangUp(end: End): void {
    this.#goDown([this.#other(end)])
    for (const channel of [...this.#channels]) if (this.#isAt(channel, end)) channel.break()
  }

  #goDown(tell: readonly End[]): void {
    if (this.#isDown) return
    this.#isDown = true
    for (const end of tell) {
      end.inbox.push(() => {
        for (const channel of [...this.#channels]) if (this.#isAt(channel, end)) channel.break()
        end.disconnected(this)
      })
    }
  }

  #end(at: End, other: End): MemoryChannel {
    const channel = new MemoryChannel(other.device, {
      carry: (arrive) => this.#carry(other, arrive),
      wake: (callback) => at.inbox.push(callback),
      count: (bytes) => this.#weather.count('channels', bytes),
      ended: () => this.#channels.delete(channel),
    })
    this.#channels.add(channel)
    return channel
  }

  #isAt(channel: MemoryChannel, end: End): boolean {
    return channel.device === this.#other(end).device
  }

  /** Unlike what is published, nothing of a channel is lost while the connection stands: it waits. */
  #carry(to: End, arrive: () => void): void {
    if (this.#isDown) return
    const held = this.#held.get(to)
    if (held !== undefined) held.push(arrive)
    else if (this.#weather.isBlocked(this.#other(to).device, to.device)) this.#held.set(to, [arrive])
    else this.#arrive(to, arrive)
  }

  #arrive(to: End, arrive: () => void): void {
    to.inbox.push(() => {
      if (!this.#isCut) arrive()
    })
  }

  #other(end: End): End {
    return this.#ends[0] === end ? this.#ends[1] : this.#ends[0]
  }
}
