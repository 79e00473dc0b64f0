/** A connection between two devices: channels go over it in order and whole, until it is cut. */
import type { DeviceId } from '../../protocol/index.js'
import { MAX_CHANNELS } from '../../src/network/constants.js'
import { MemoryChannel } from '../../src/network/memory/channel.js'
import { type Peer, TransportError } from '../../src/network/transport.js'
import type { SimTransport } from './transport.js'

/** What a link needs of the network. */
export interface Weather {
  /** Milliseconds that the next frame is under way. */
  delayMs(bytes: number): number
  isBlocked(from: DeviceId, to: DeviceId): boolean
  /** A frame was sent. */
  count(bytes: number): void
  readonly nowMs: number
  readonly quality: number
}

export class SimLink {
  readonly #ends: readonly [SimTransport, SimTransport]
  readonly #weather: Weather
  readonly #channels = new Set<MemoryChannel>()
  /** When what was sent last arrives, by receiver: nothing overtakes it. */
  readonly #lastMs = new Map<SimTransport, number>()
  /** What waits for a blocked way to open again, by receiver. */
  readonly #held = new Map<SimTransport, (() => void)[]>()
  isUp = true

  constructor(a: SimTransport, b: SimTransport, weather: Weather) {
    this.#ends = [a, b]
    this.#weather = weather
  }

  /** Tells both ends that they are connected. */
  begin(): void {
    for (const end of this.#ends) this.#arrive(end, () => end.connected(this))
  }

  other(end: SimTransport): SimTransport {
    return this.#ends[0] === end ? this.#ends[1] : this.#ends[0]
  }

  peerOf(end: SimTransport): Peer {
    return { device: this.other(end).device, quality: this.#weather.quality }
  }

  open(from: SimTransport): MemoryChannel {
    const to = this.other(from)
    if (this.#channels.size >= 2 * MAX_CHANNELS)
      throw new TransportError('PEER_UNREACHABLE', `${to.device} has ${MAX_CHANNELS} channels open already.`)
    const [near, far] = [this.#end(from, to), this.#end(to, from)]
    near.joinTo(far)
    far.joinTo(near)
    this.#carry(to, 0, () => to.channelOpened(far))
    return near
  }

  /** Ways that were blocked may be open again. */
  release(): void {
    for (const [to, held] of [...this.#held]) {
      if (this.#weather.isBlocked(this.other(to).device, to.device)) continue
      this.#held.delete(to)
      for (const arrive of held) this.#arrive(to, arrive)
    }
  }

  qualityChanged(): void {
    for (const end of this.#ends) this.#arrive(end, () => end.qualityChanged(this))
  }

  /** The connection is lost, and with it all that is under way. */
  cut(): void {
    if (!this.isUp) return
    this.isUp = false
    for (const end of this.#ends) {
      end.clock.setTimer(0, () => {
        const gone = this.other(end).device
        for (const channel of [...this.#channels]) if (channel.device === gone) channel.break()
        end.disconnected(this)
      })
    }
  }

  #end(at: SimTransport, other: SimTransport): MemoryChannel {
    let bytes = 0
    const channel = new MemoryChannel(other.device, {
      count: (sent) => {
        bytes = sent
        this.#weather.count(sent)
      },
      carry: (arrive) => {
        this.#carry(other, bytes, arrive)
        bytes = 0
      },
      wake: (callback) => void at.clock.setTimer(0, callback),
      ended: () => this.#channels.delete(channel),
    })
    this.#channels.add(channel)
    return channel
  }

  #carry(to: SimTransport, bytes: number, arrive: () => void): void {
    if (!this.isUp) return
    const held = this.#held.get(to)
    if (held !== undefined) held.push(arrive)
    else if (this.#weather.isBlocked(this.other(to).device, to.device)) this.#held.set(to, [arrive])
    else this.#arrive(to, arrive, bytes)
  }

  #arrive(to: SimTransport, arrive: () => void, bytes = 0): void {
    const { nowMs } = this.#weather
    const atMs = Math.max(nowMs + this.#weather.delayMs(bytes), this.#lastMs.get(to) ?? 0)
    this.#lastMs.set(to, atMs)
    to.clock.setTimer(atMs - nowMs, () => {
      if (this.isUp) arrive()
    })
  }
}
