/** The network between simulated devices: connections, gossip and channels, and all that can go wrong with them. */
import type { DeviceId } from '../../protocol/index.js'
import type { Topic } from '../../src/network/transport.js'
import type { SeededRandom } from '../../src/testing/seeded.js'
import { FULL_MESH, KEEP_ALIVE_MS, MESH_DEGREE } from '../constants.js'
import type { DeviceClock } from '../world/device-clock.js'
import type { World } from '../world/world.js'
import { CONDITIONS, type Conditions, HELD_UP_MS, qualityOf } from './conditions.js'
import { type Hop, spread } from './gossip.js'
import { SimLink, type Weather } from './link.js'
import { SimTransport } from './transport.js'

/** What went over wires: messages by hop, frames of channels, and their bytes. */
export interface Traffic {
  readonly published: number
  readonly batches: number
  readonly beacons: number
  readonly frames: number
  readonly bytes: ByKind
}

export interface ByKind {
  readonly batches: number
  readonly beacons: number
  readonly frames: number
}

/** What looks on. */
export interface NetworkWatch {
  /** A message is published. */
  onPublish(from: DeviceId, topic: Topic, bytes: Uint8Array): void
  /** A message got to a device. `number` counts what was published: a lower one is older. */
  onArrive(to: DeviceId, from: DeviceId, topic: Topic, number: number): void
}

export class SimNetwork {
  readonly #world: World
  readonly #random: SeededRandom
  readonly #watch: NetworkWatch
  readonly #transports = new Map<SimTransport, DeviceClock>()
  readonly #links = new Map<SimTransport, Map<SimTransport, SimLink>>()
  #conditions: Conditions
  #sides: ReadonlyMap<DeviceId, number> = new Map()
  readonly #severed = new Set<string>()
  readonly #blocked = new Set<string>()
  readonly #asleep = new Set<DeviceId>()
  /** Which sleep of each device goes on: an earlier one says nothing about its connections. */
  readonly #sleeps = new Map<DeviceId, number>()
  readonly #traffic = { published: 0, batches: 0, beacons: 0, frames: 0 }
  readonly #bytes = { batches: 0, beacons: 0, frames: 0 }

  constructor(world: World, random: SeededRandom, conditions: Partial<Conditions>, watch: NetworkWatch) {
    this.#world = world
    this.#random = random
    this.#conditions = { ...CONDITIONS, ...conditions }
    this.#watch = watch
  }

  get traffic(): Traffic {
    return { ...this.#traffic, bytes: { ...this.#bytes } }
  }

  get conditions(): Conditions {
    return this.#conditions
  }

  /** Everyone who is up can reach everyone. */
  get isWhole(): boolean {
    return this.#sides.size === 0 && this.#severed.size === 0 && this.#blocked.size === 0
  }

  change(conditions: Partial<Conditions>): void {
    this.#conditions = { ...this.#conditions, ...conditions }
    for (const links of this.#links.values()) for (const link of links.values()) link.qualityChanged()
  }

  transport(clock: DeviceClock): SimTransport {
    return new SimTransport(
      {
        join: (transport) => this.#join(transport, clock),
        leave: (transport) => this.#leave(transport),
        review: (transport) => this.#rewire([transport]),
        publish: (from, topic, bytes) => this.#publish(from, topic, bytes),
      },
      clock,
    )
  }

  /** Only devices of one side reach each other. Those that no side names are together. */
  partition(sides: readonly (readonly DeviceId[])[]): void {
    this.#sides = new Map(sides.flatMap((devices, side) => devices.map((device) => [device, side])))
    this.#rewire(this.#transports.keys())
  }

  /** Two devices lose each other. Others still reach both. */
  sever(a: DeviceId, b: DeviceId): void {
    this.#severed.add(way(a, b)).add(way(b, a))
    this.#rewire(this.#transports.keys())
  }

  /** Nothing gets from one to the other any more, though the connection stands. */
  block(from: DeviceId, to: DeviceId): void {
    this.#blocked.add(way(from, to))
  }

  /** Ends every partition, severance and block. Conditions stay. */
  heal(): void {
    this.#sides = new Map()
    this.#severed.clear()
    this.#blocked.clear()
    for (const links of this.#links.values()) for (const link of links.values()) link.release()
    this.#rewire(this.#transports.keys())
  }

  /** A device went to sleep: after a while the others give its connections up. */
  slept(device: DeviceId): void {
    const sleep = (this.#sleeps.get(device) ?? 0) + 1
    this.#sleeps.set(device, sleep)
    this.#world.after(KEEP_ALIVE_MS, () => {
      if (this.#sleeps.get(device) !== sleep) return
      const transport = [...this.#transports.keys()].find((one) => one.device === device)
      if (transport === undefined || this.#transports.get(transport)?.isAsleep !== true) return
      this.#asleep.add(device)
      this.#rewire([transport])
    })
  }

  woke(device: DeviceId): void {
    this.#asleep.delete(device)
    this.#rewire([...this.#transports.keys()].filter((one) => one.device === device))
  }

  /** Whether two devices are connected, and messages get through both ways. */
  isOpen(a: DeviceId, b: DeviceId): boolean {
    for (const [end, links] of this.#links) {
      if (end.device !== a) continue
      for (const other of links.keys())
        if (other.device === b) return !this.#blocked.has(way(a, b)) && !this.#blocked.has(way(b, a))
    }
    return false
  }

  #join(transport: SimTransport, clock: DeviceClock): void {
    for (const other of [...this.#transports.keys()])
      if (other.device === transport.device) void other.close()
    this.#transports.set(transport, clock)
    this.#asleep.delete(transport.device)
    this.#rewire(this.#transports.size <= FULL_MESH ? [transport] : this.#transports.keys())
  }

  #leave(transport: SimTransport): void {
    this.#transports.delete(transport)
    for (const link of this.#linksOf(transport).values()) {
      link.cut()
      this.#linksOf(link.other(transport)).delete(transport)
    }
    this.#links.delete(transport)
    if (this.#transports.size >= FULL_MESH) this.#rewire(this.#transports.keys())
  }

  /** Connects these to whom they shall be connected with, and cuts the rest. */
  #rewire(transports: Iterable<SimTransport>): void {
    const all = [...this.#transports.keys()]
    for (const one of [...transports]) {
      const wanted = new Set(neighbours(all, one).filter((other) => this.#meet(one, other)))
      for (const [other, link] of [...this.#linksOf(one)]) {
        if (wanted.has(other)) continue
        link.cut()
        this.#linksOf(one).delete(other)
        this.#linksOf(other).delete(one)
      }
      for (const other of wanted) {
        if (this.#linksOf(one).has(other)) continue
        const link = new SimLink(one, other, this.#weather)
        this.#linksOf(one).set(other, link)
        this.#linksOf(other).set(one, link)
        link.begin()
      }
    }
  }

  #linksOf(transport: SimTransport): Map<SimTransport, SimLink> {
    let links = this.#links.get(transport)
    if (links === undefined) {
      links = new Map()
      this.#links.set(transport, links)
    }
    return links
  }

  #meet({ host: a }: SimTransport, { host: b }: SimTransport): boolean {
    return (
      a.group === b.group &&
      this.#sides.get(a.device) === this.#sides.get(b.device) &&
      !this.#asleep.has(a.device) &&
      !this.#asleep.has(b.device) &&
      !this.#severed.has(way(a.device, b.device)) &&
      a.isWelcome(b.device) &&
      b.isWelcome(a.device)
    )
  }

  #publish(from: SimTransport, topic: Topic, bytes: Uint8Array): void {
    const number = ++this.#traffic.published
    this.#watch.onPublish(from.device, topic, bytes)
    const { arrivals, messages } = spread(from, (at, isOrigin) => this.#hops(at, isOrigin, bytes.length))
    this.#traffic[topic] += messages
    this.#bytes[topic] += messages * bytes.length
    const { duplicates, reorder } = this.#conditions
    for (const [to, delayMs] of arrivals) {
      const heldUpMs = this.#chance(reorder) ? this.#random.number() * HELD_UP_MS : 0
      const arrived = (): void => this.#watch.onArrive(to.device, from.device, topic, number)
      to.arrive(topic, bytes, from.device, delayMs + heldUpMs, arrived)
      if (this.#chance(duplicates))
        to.arrive(topic, bytes, from.device, delayMs + this.#random.number() * HELD_UP_MS, arrived)
    }
  }

  /** To whom a device passes a message on. One that sleeps or is stuck passes nothing on. */
  *#hops(from: SimTransport, isOrigin: boolean, bytes: number): Iterable<Hop<SimTransport>> {
    const clock = this.#transports.get(from)
    if (!isOrigin && (clock === undefined || clock.isAsleep || clock.isBlocked)) return
    let degree = 0
    for (const [to, link] of this.#linksOf(from)) {
      if (!link.isUp || ++degree > 2 * MESH_DEGREE) continue
      const isLost = this.#blocked.has(way(from.device, to.device)) || this.#chance(this.#conditions.loss)
      yield { to, delayMs: isLost ? null : this.#delayMs(bytes) }
    }
  }

  #chance(share: number): boolean {
    return share > 0 && this.#random.number() < share
  }

  /** Most are near the latency; a few take several times the jitter longer. */
  #delayMs(bytes: number): number {
    const { latencyMs, jitterMs, bytesPerSecond } = this.#conditions
    const late = jitterMs === 0 ? 0 : -Math.log(1 - this.#random.number()) * jitterMs
    return latencyMs + late + (bytes * 1000) / bytesPerSecond
  }

  readonly #weather: Weather = this.#makeWeather()

  #makeWeather(): Weather {
    const network = this
    return {
      get nowMs() {
        return network.#world.nowMs
      },
      get quality() {
        return qualityOf(network.#conditions)
      },
      delayMs: (bytes) => this.#delayMs(bytes),
      isBlocked: (from, to) => this.#blocked.has(way(from, to)),
      count: (bytes) => {
        this.#traffic.frames++
        this.#bytes.frames += bytes
      },
    }
  }
}

/** Everyone in a small network; in a large one those at distances of 1, 2, 4, 8 … in the order of joining, both ways. */
function neighbours(all: readonly SimTransport[], one: SimTransport): readonly SimTransport[] {
  if (all.length <= FULL_MESH) return all.filter((other) => other !== one)
  const place = all.indexOf(one)
  const found = new Set<SimTransport>()
  for (let step = 1; step <= all.length / 2; step *= 2) {
    found.add(all[(place + step) % all.length] as SimTransport)
    found.add(all[(place - step + all.length) % all.length] as SimTransport)
  }
  found.delete(one)
  return [...found]
}

function way(from: DeviceId, to: DeviceId): string {
  return `${from} ${to}`
}
