/** Devices on a simulated network that note down what they hear, and a world whose time the test lets pass. */
import { type DeviceId, type GroupId, groupId } from '../../../protocol/index.js'
import type { Conditions } from '../../../sim/network/conditions.js'
import { SimNetwork } from '../../../sim/network/network.js'
import type { SimTransport } from '../../../sim/network/transport.js'
import type { DeviceClock } from '../../../sim/world/device-clock.js'
import { World } from '../../../sim/world/world.js'
import { seededRandom } from '../../../src/testing/index.js'
import { deviceNumber } from '../../../src/testing/store/kit.js'
import { bytesOf, Member } from '../../../src/testing/transport/kit.js'

export const GROUP: GroupId = groupId(deviceNumber(0), 4096)

/** A network on which everything takes 10 ms, and nothing else. */
export const EVEN: Partial<Conditions> = {
  latencyMs: 10,
  jitterMs: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
}

export class Host extends Member {
  readonly clock: DeviceClock

  constructor(transport: SimTransport, device: DeviceId, clock: DeviceClock) {
    super(transport, device, GROUP)
    this.clock = clock
  }

  say(text: string): void {
    this.transport.publish('batches', bytesOf(text))
  }

  get texts(): readonly string[] {
    return this.messages.map(({ text }) => text)
  }
}

export class Net {
  readonly faults: unknown[] = []
  readonly world: World = new World(
    () => undefined,
    (error) => void this.faults.push(error),
  )
  readonly arrived: string[] = []
  readonly network: SimNetwork
  readonly hosts: Host[] = []

  constructor(conditions: Partial<Conditions> = EVEN, seed = 1) {
    this.network = new SimNetwork(this.world, seededRandom(seed), conditions, {
      onPublish: () => undefined,
      onArrive: (to, from, topic, number) => void this.arrived.push(`${to} ${from} ${topic} ${number}`),
    })
  }

  /** So many devices that are connected, and have forgotten how that came about. */
  static async of(count: number, conditions?: Partial<Conditions>): Promise<Net> {
    const net = new Net(conditions)
    for (let i = 0; i < count; i++) {
      const clock = net.world.clock()
      const host = new Host(net.network.transport(clock), deviceNumber(i + 1), clock)
      net.hosts.push(host)
      await host.transport.start(host)
    }
    await net.advance(1000)
    for (const { heard } of net.hosts) heard.length = 0
    return net
  }

  host(place: number): Host {
    return this.hosts[place] as Host
  }

  id(place: number): DeviceId {
    return this.host(place).device
  }

  async advance(ms: number): Promise<void> {
    await this.world.runUntil(this.world.nowMs + ms)
  }

  sleep(place: number): void {
    this.host(place).clock.sleep()
    this.network.slept(this.id(place))
  }

  wake(place: number): void {
    this.host(place).clock.wake()
    this.network.woke(this.id(place))
  }
}
