/**
 * A group of real nodes in one process, on a clock and a network that the test controls. Everything but time, network
 * and disk is what apps run.
 *
 * @example
 * ```ts
 * const group = await createTestGroup(3)
 * const ana = group.node(0)
 * const ben = group.node(1)
 * ben.handle('greet', async (name) => `Hello, ${name}!`)
 * await group.settle()
 * const run = await group.during(ana.submit('greet', 'world'))
 * group.partition([[0], [1, 2]])
 * await group.advance(90_000)
 * group.heal()
 * await group.close()
 * ```
 */
import { sha256 } from '@noble/hashes/sha2.js'
import type { DeviceId, GroupId, Role } from '../../protocol/index.js'
import type { MemoryTransport } from '../network/memory/transport.js'
import { MemoryNetwork } from '../network/memory-network.js'
import { openNode } from '../node/create-node.js'
import type { Machine } from '../node/host.js'
import type { DibsNode } from '../node/node.js'
import type { NodeOptions } from '../node/options.js'
import { Ed25519Signer } from '../platform/signer.js'
import { turn } from '../platform/turn.js'
import { MemoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import { GatedStore } from './gated-store.js'
import { seededRandom } from './seeded.js'
import type { VirtualDeviceClock } from './virtual-device-clock.js'
import { VirtualTime } from './virtual-time.js'

/** Milliseconds of virtual time that something is waited for, and by how many it is looked at. */
const PATIENCE_MS = 3_600_000
const STEP_MS = 100

/** What a device of a test group may be made with: all but what the group itself brings. */
export type TestDeviceOptions = Omit<
  NodeOptions,
  'storage' | 'group' | 'transport' | 'identity' | 'clock' | 'random'
> & {
  /** @default 'member' */
  readonly role?: Role | undefined
  /** Privacy labels that it may work on. */
  readonly clearances?: readonly string[] | undefined
  /** How far its wall clock is off. */
  readonly skewMs?: number | undefined
  /** @default a store in memory */
  readonly store?: Store | undefined
}

export interface TestGroupOptions {
  /** Chance of the whole group. @default 1 */
  readonly seed?: number | undefined
  readonly latencyMs?: number | undefined
  /** Share of published messages that get lost. */
  readonly loss?: number | undefined
  /** Options of each device, by its place. */
  readonly device?: ((place: number) => TestDeviceOptions) | undefined
}

/** Makes a group of `count` devices that know each other. The first is its founder. */
export async function createTestGroup(count: number, options: TestGroupOptions = {}): Promise<TestGroup> {
  const group = new TestGroup(options)
  for (let place = 0; place < count; place++) await group.add(options.device?.(place))
  return group
}

export class TestGroup {
  readonly time: VirtualTime = new VirtualTime()
  readonly network: MemoryNetwork
  readonly devices: TestDevice[] = []
  readonly #seed: number

  constructor({ seed = 1, latencyMs = 0, loss = 0 }: TestGroupOptions = {}) {
    this.#seed = seed
    this.network = new MemoryNetwork({
      clock: this.time.clock(),
      random: seededRandom(seed),
      latencyMs,
      loss,
    })
  }

  get id(): GroupId {
    return this.device(0).node.group.id
  }

  /** The nodes that run now, in order. */
  get nodes(): readonly DibsNode[] {
    return this.devices.filter(({ isUp }) => isUp).map(({ node }) => node)
  }

  /** The node of a device that runs now. Throws if it is down. */
  node(place: number): DibsNode {
    return this.device(place).node
  }

  device(place: number): TestDevice {
    const device = this.devices[place]
    if (device === undefined) throw new RangeError(`There is no device ${place}.`)
    return device
  }

  /** A further device, admitted by the founder. */
  async add(options: TestDeviceOptions = {}): Promise<TestDevice> {
    const device = new TestDevice(this, this.devices.length, this.#seed * 1000 + this.devices.length, options)
    const group = this.devices.length === 0 ? null : this.id
    await device.begin(group)
    if (group !== null) {
      const { role = 'member', clearances } = options
      await this.during(this.device(0).node.group.admit(device.id, { role, clearances }))
    }
    this.devices.push(device)
    await this.settle()
    return device
  }

  /** Lets time pass: timers fire in order, and whatever follows from each is done before the next. */
  advance(ms: number): Promise<void> {
    return this.time.advance(ms)
  }

  /** Lets everything that is ready happen, without time passing. */
  settle(): Promise<void> {
    return this.time.settle()
  }

  /** Lets time pass, as far as it takes, until something that is under way has ended. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    work.then(end, end)
    await this.settle()
    for (let passedMs = 0; !isOver; passedMs += STEP_MS) {
      if (passedMs >= PATIENCE_MS) throw new Error(`It did not end within ${PATIENCE_MS} ms.`)
      await this.advance(STEP_MS)
    }
    return work
  }

  /** Lets time pass, a step at a time, until something holds. Throws if it does not within `withinMs`. */
  async until(holds: () => boolean, withinMs: number = PATIENCE_MS, stepMs: number = STEP_MS): Promise<void> {
    await this.settle()
    for (let passedMs = 0; !holds(); passedMs += stepMs) {
      if (passedMs >= withinMs) throw new Error(`It did not come to pass within ${withinMs} ms.`)
      await this.advance(stepMs)
    }
  }

  /** Cuts the network into parts, by places. Those that no part names are together. */
  partition(parts: readonly (readonly number[])[]): void {
    this.network.partition(parts.map((part) => part.map((place) => this.device(place).id)))
  }

  heal(): void {
    this.network.heal()
  }

  async close(): Promise<void> {
    for (const device of this.devices) await this.during(device.close())
  }
}

export class TestDevice {
  readonly place: number
  readonly #group: TestGroup
  readonly #seed: number
  readonly #options: TestDeviceOptions
  readonly #store: Store
  #identity: Ed25519Signer | null = null
  #starts = 0
  #gate: GatedStore | null = null
  #clock: VirtualDeviceClock | null = null
  #node: DibsNode | null = null
  #transport: MemoryTransport | null = null
  #groupId: GroupId | null = null

  /** Use `createTestGroup` or `add`. */
  constructor(group: TestGroup, place: number, seed: number, options: TestDeviceOptions) {
    this.#group = group
    this.place = place
    this.#seed = seed
    this.#options = options
    this.#store = options.store ?? new MemoryStore()
  }

  get id(): DeviceId {
    return (this.#identity as Ed25519Signer).device
  }

  get isUp(): boolean {
    return this.#node !== null
  }

  get node(): DibsNode {
    if (this.#node === null) throw new Error(`Device ${this.place} is down.`)
    return this.#node
  }

  get clock(): VirtualDeviceClock {
    if (this.#clock === null) throw new Error(`Device ${this.place} is down.`)
    return this.#clock
  }

  /** Starts its process. */
  async begin(group: GroupId | null): Promise<void> {
    const { role: _role, clearances: _clearances, skewMs = 0, store: _store, ...options } = this.#options
    this.#identity ??= await identityOf(this.#seed)
    const clock = this.#group.time.clock({ skewMs })
    const gate = new GatedStore(this.#store)
    const transport = this.#group.network.transport({ clock })
    this.#clock = clock
    this.#gate = gate
    this.#transport = transport
    this.#node = await this.#group.during(
      openNode(
        {
          name: `device-${this.place}`,
          ...options,
          storage: gate,
          ...(group !== null && { group }),
          transport,
          identity: this.#identity,
          clock,
          random: seededRandom(this.#seed + ++this.#starts * 7919),
        },
        virtualMachine(clock, this.#seed),
      ),
    )
    this.#groupId = this.#node.group.id
  }

  /** The process dies: nothing more is written, sent or decided. Its store stays as it is. */
  crash(): void {
    this.#gate?.shut()
    this.#clock?.stop()
    void this.#transport?.close()
    this.#node = null
  }

  /** Starts again on the same store: a new incarnation. */
  async restart(): Promise<DibsNode> {
    if (this.#node !== null) this.crash()
    await this.begin(this.#groupId)
    await this.#group.settle()
    return this.node
  }

  /** The lid is shut: no timers, no messages, no monotonic time; the wall clock goes on. */
  sleep(): void {
    this.clock.sleep()
  }

  wake(): void {
    this.clock.wake()
  }

  /** Its event loop is blocked for so long. */
  block(ms: number): void {
    this.clock.block(ms)
  }

  /** Its wall clock is set. */
  jump(ms: number): void {
    this.clock.jump(ms)
  }

  async close(): Promise<void> {
    const node = this.#node
    if (node === null) return
    await node.close()
    this.#node = null
  }
}

async function identityOf(seed: number): Promise<Ed25519Signer> {
  return Ed25519Signer.fromSeed(seededRandom(seed).bytes(32))
}

function virtualMachine(clock: VirtualDeviceClock, seed: number): Machine {
  return {
    platform: { clock, random: seededRandom(seed), sha256, files: null },
    newIdentity: () => identityOf(seed),
    identityIn: () => identityOf(seed),
    storeIn: (storage) => storage,
    turn,
    hold: () => () => {},
  }
}
