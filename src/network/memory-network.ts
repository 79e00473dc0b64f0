/**
 * A network within one process, for tests and for groups of which all nodes live in one process.
 *
 * Everything arrives later than the call that sent it, and what goes to one device arrives in the order in which it was
 * sent. How much later: a transport that was given its device's clock takes everything in by that clock's timers, after
 * `latencyMs` (0 included), so a device that sleeps hears nothing before it wakes, and one that is blocked hears it late.
 * Without a clock of its own it takes everything in by the network's clock, or, without latency, in a microtask.
 *
 * @example
 * ```ts
 * const network = new MemoryNetwork({ clock: systemClock })
 * const [ana, ben] = [network.transport(), network.transport()]
 * await ana.start(hostOfAna)
 * await ben.start(hostOfBen)        // both hosts are told that they are connected
 * network.partition([[ana.device], [ben.device]])
 * network.heal()
 * ```
 */
import type { DeviceId } from '../../protocol/index.js'
import type { Clock, Random } from '../platform/seams.js'
import { Inbox } from './memory/inbox.js'
import { Link } from './memory/link.js'
import { MemoryTransport } from './memory/transport.js'
import type { Topic } from './transport.js'

export interface MemoryNetworkOptions {
  readonly clock: Clock
  /** Decides what is lost. Needed if anything shall be. */
  readonly random?: Random
  /**
   * Milliseconds that everything is under way.
   *
   * @default 0
   */
  readonly latencyMs?: number
  /**
   * Share of published messages that are lost, 0 to 1.
   *
   * @default 0
   */
  readonly loss?: number
}

/** What was sent, counted once for each receiver: published messages by topic, and frames of channels. */
export type Traffic = Readonly<Record<Topic | 'channels', number>>

export class MemoryNetwork {
  readonly #clock: Clock
  readonly #random: Random | null
  readonly #latencyMs: number
  #loss = 0
  readonly #transports = new Set<MemoryTransport>()
  readonly #links = new Set<Link>()
  #sides: ReadonlyMap<DeviceId, number> = new Map()
  readonly #offline = new Set<DeviceId>()
  readonly #severed = new Set<string>()
  readonly #blocked = new Set<string>()
  readonly #messages = { batches: 0, beacons: 0, channels: 0 }
  readonly #bytes = { batches: 0, beacons: 0, channels: 0 }

  constructor({ clock, random, latencyMs = 0, loss = 0 }: MemoryNetworkOptions) {
    this.#clock = clock
    this.#random = random ?? null
    this.#latencyMs = latencyMs
    this.setLoss(loss)
  }

  /**
   * A place for one more device. `clock`: the device's own, if it can sleep.
   *
   * A device that starts a second transport, as after a crash, ends its first one.
   */
  transport({ clock }: { readonly clock?: Clock } = {}): MemoryTransport {
    const arrival = clock ?? (this.#latencyMs === 0 ? null : this.#clock)
    const exchange = {
      join: (transport: MemoryTransport) => this.#join(transport),
      leave: (transport: MemoryTransport) => this.#leave(transport),
      review: (transport: MemoryTransport) => this.#reviewOne(transport),
    }
    return new MemoryTransport(exchange, new Inbox(arrival, this.#latencyMs))
  }

  /** Messages and frames that were sent, lost ones included. */
  get messages(): Traffic {
    return { ...this.#messages }
  }

  get bytes(): Traffic {
    return { ...this.#bytes }
  }

  /** Only devices of one group here reach each other. Those that no group names are together. Replaces what was before. */
  partition(groups: readonly (readonly DeviceId[])[]): void {
    this.#sides = new Map(groups.flatMap((devices, side) => devices.map((device) => [device, side])))
    this.review()
  }

  /** Two devices lose each other. Others still reach both. */
  sever(a: DeviceId, b: DeviceId): void {
    this.#severed.add(way(a, b)).add(way(b, a))
    this.review()
  }

  /** What one device publishes does not reach the other, and what it sends on channels waits. The connection stays. */
  block(from: DeviceId, to: DeviceId): void {
    this.#blocked.add(way(from, to))
  }

  /** Takes a device off the network. */
  disconnect(device: DeviceId): void {
    this.#offline.add(device)
    this.review()
  }

  /** Puts a device back on the network. */
  connect(device: DeviceId): void {
    this.#offline.delete(device)
    this.review()
  }

  /** Ends every partition, severance, block and disconnection. Loss stays. */
  heal(): void {
    this.#sides = new Map()
    this.#severed.clear()
    this.#offline.clear()
    this.#blocked.clear()
    for (const link of this.#links) link.release()
    this.review()
  }

  setLoss(loss: number): void {
    if (!(loss >= 0 && loss <= 1)) throw new RangeError(`A loss of ${loss} is not from 0 to 1.`)
    if (loss > 0 && this.#random === null)
      throw new TypeError('A network that loses messages needs a `random`.')
    this.#loss = loss
  }

  /** How good the connection of two devices is, 0 to 1. Holds until it is lost. */
  setQuality(a: DeviceId, b: DeviceId, quality: number): void {
    for (const link of this.#links) if (link.joins(a, b)) link.setQuality(quality)
  }

  /** Asks every host again whom it welcomes, connects and disconnects accordingly. */
  review(): void {
    for (const transport of this.#transports) this.#reviewOne(transport)
  }

  #join(transport: MemoryTransport): void {
    for (const other of [...this.#transports]) if (other.device === transport.device) void other.close()
    this.#transports.add(transport)
    this.#reviewOne(transport)
  }

  #leave(transport: MemoryTransport): void {
    this.#transports.delete(transport)
    for (const link of [...this.#links]) {
      if (!link.touches(transport)) continue
      this.#links.delete(link)
      link.hangUp(transport)
    }
  }

  #reviewOne(transport: MemoryTransport): void {
    for (const other of this.#transports) {
      if (other === transport) continue
      const link = [...this.#links].find((one) => one.touches(transport) && one.touches(other))
      const shall = this.#meet(transport, other)
      if (shall && link === undefined) this.#links.add(new Link(transport, other, this.#weather))
      if (shall || link === undefined) continue
      this.#links.delete(link)
      link.cut()
    }
  }

  #meet({ host: a }: MemoryTransport, { host: b }: MemoryTransport): boolean {
    return (
      a.group === b.group &&
      this.#sides.get(a.device) === this.#sides.get(b.device) &&
      !this.#offline.has(a.device) &&
      !this.#offline.has(b.device) &&
      !this.#severed.has(way(a.device, b.device)) &&
      a.isWelcome(b.device) &&
      b.isWelcome(a.device)
    )
  }

  readonly #weather = {
    isBlocked: (from: DeviceId, to: DeviceId): boolean => this.#blocked.has(way(from, to)),
    losesNext: (): boolean => this.#loss > 0 && (this.#random?.number() ?? 1) < this.#loss,
    count: (what: Topic | 'channels', bytes: number): void => {
      this.#messages[what]++
      this.#bytes[what] += bytes
    },
  }
}

function way(from: DeviceId, to: DeviceId): string {
  return `${from} ${to}`
}
