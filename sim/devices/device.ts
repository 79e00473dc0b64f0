/** A simulated device: a real node on a virtual clock, network and disk. */
import type { DeviceId, GroupId } from '../../protocol/index.js'
import { openNode } from '../../src/node/create-node.js'
import type { Inside, Machine } from '../../src/node/host.js'
import type { DibsNode } from '../../src/node/node.js'
import type { NodeOptions } from '../../src/node/options.js'
import { nodePlatform } from '../../src/platform/node/index.js'
import type { Signer, Verifier } from '../../src/platform/seams.js'
import { seededRandom } from '../../src/testing/seeded.js'
import type { Disk } from '../disk/disk.js'
import { DiskStore } from '../disk/disk-store.js'
import type { SimNetwork } from '../network/network.js'
import type { SimTransport } from '../network/transport.js'
import type { DeviceSpec } from '../script/types.js'
import type { DeviceClock } from '../world/device-clock.js'
import type { World } from '../world/world.js'
import { openBeaconOnce } from './beacons.js'
import { DevicePulse } from './pulse.js'

export interface DeviceParts {
  readonly place: number
  readonly seed: number
  readonly spec: DeviceSpec
  readonly world: World
  readonly network: SimNetwork
  readonly disk: Disk
  readonly signer: Signer
  readonly verifier: Verifier
  readonly options: NodeOptions
  /** Shows the inside of a process before it begins to decide. */
  readonly onOpen: (device: SimDevice, inside: Inside) => void
  /** Gives a node that was just opened its handlers. */
  readonly equip: (device: SimDevice, node: DibsNode) => void
}

/** One run of its program. */
interface Process {
  readonly clock: DeviceClock
  readonly store: DiskStore
  readonly transport: SimTransport
  readonly startedMs: number
  inside: Inside | null
  node: DibsNode | null
}

export class SimDevice {
  readonly place: number
  readonly name: string
  readonly spec: DeviceSpec
  readonly disk: Disk
  readonly pulse: DevicePulse = new DevicePulse()
  readonly #parts: DeviceParts
  #starts = 0
  #process: Process | null = null
  /** How far its wall clock is from the world's. */
  #aheadMs: number
  /** An admin let it in. */
  isAdmitted = false
  isRevoked = false
  /** Its admission was undone for a time: what it wrote meanwhile does not count. */
  wasOut = false
  /** It does evil beside what its node does. */
  isByzantine = false

  constructor(parts: DeviceParts) {
    this.#parts = parts
    this.place = parts.place
    this.spec = parts.spec
    this.name = `${parts.spec.profile}-${parts.place}`
    this.disk = parts.disk
    this.disk.slowMs = parts.spec.diskMs
    this.#aheadMs = parts.spec.skewMs
  }

  get id(): DeviceId {
    return this.#parts.signer.device
  }

  get signer(): Signer {
    return this.#parts.signer
  }

  /** Its process runs, and the node is open. */
  get isUp(): boolean {
    return this.#process?.node != null
  }

  /** Its process runs, or is about to. */
  get isStarted(): boolean {
    return this.#process !== null
  }

  /** It is up, awake, and its event loop turns. */
  get isActive(): boolean {
    return this.isUp && !this.clock.isAsleep && !this.clock.isBlocked
  }

  get isAsleep(): boolean {
    return this.#process?.clock.isAsleep === true
  }

  get node(): DibsNode {
    const node = this.#process?.node ?? null
    if (node === null) throw new Error(`${this.name} is down.`)
    return node
  }

  get clock(): DeviceClock {
    return this.#running.clock
  }

  get transport(): SimTransport {
    return this.#running.transport
  }

  /** When its process started, in milliseconds since the simulation began. */
  get startedMs(): number {
    return this.#running.startedMs
  }

  /** The inside of its node; null while it is down. */
  get inside(): Inside | null {
    return this.#process?.node == null ? null : this.#process.inside
  }

  get incarnation(): number {
    return this.#process?.inside?.journals.incarnation ?? 0
  }

  get #running(): Process {
    if (this.#process === null) throw new Error(`${this.name} is down.`)
    return this.#process
  }

  /** Resolves after so long on its own clock; never if it dies before. */
  delay(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.setTimer(ms, resolve))
  }

  /** Starts its process. Resolves once the node is open; never if it dies before. */
  async begin(group: GroupId | null): Promise<void> {
    if (this.#process !== null) return
    const { world, network, disk, seed, spec, signer, options } = this.#parts
    const clock = world.clock({ skewMs: this.#aheadMs })
    if (spec.drift !== 0) clock.drift(spec.drift)
    const store = new DiskStore(disk, clock)
    const transport = network.transport(clock)
    const process: Process = { clock, store, transport, startedMs: world.passedMs, inside: null, node: null }
    this.#process = process
    this.pulse.reset()
    try {
      const node = await openNode(
        {
          ...options,
          storage: store,
          ...(group !== null && { group }),
          transport,
          identity: signer,
          clock,
          random: seededRandom(seed + ++this.#starts * 7919),
        },
        this.#machine(process),
      )
      if (this.#process !== process) return
      process.node = node
      this.#parts.equip(this, node)
    } catch (error) {
      // It died while it was starting.
      if (this.#process !== process) return
      await this.crash()
      throw error
    }
  }

  /** The process dies: nothing more is written, sent or decided. What was not safe on its disk may be gone. */
  async crash(): Promise<void> {
    const process = this.#process
    if (process === null) return
    this.#end()
    process.store.shut()
    process.clock.stop()
    void process.transport.close()
    await this.disk.crash()
  }

  /** The process ends as it should. */
  async leave(): Promise<void> {
    const process = this.#process
    if (process?.node == null) return
    const { node } = process
    process.node = null
    await node.close()
    if (this.#process === process) this.#end()
  }

  /** The lid is shut: no timers, no messages, no monotonic time; the wall clock goes on. */
  sleep(): void {
    if (this.#process === null || this.#process.clock.isAsleep) return
    this.#process.clock.sleep()
    this.#parts.network.slept(this.id)
  }

  wake(): void {
    if (this.#process?.clock.isAsleep !== true) return
    this.#process.clock.wake()
    this.#parts.network.woke(this.id)
  }

  /** How far its wall clock is ahead of the world's. */
  get aheadMs(): number {
    return this.#process === null ? this.#aheadMs : this.#process.clock.wallMs() - this.#parts.world.nowMs
  }

  /** Somebody sets its wall clock. */
  setClock(ms: number): void {
    if (this.#process === null) this.#aheadMs += ms
    else this.#process.clock.jump(ms)
  }

  #end(): void {
    this.#aheadMs = this.aheadMs
    this.#process = null
  }

  #machine(process: Process): Machine {
    const { seed, signer, verifier, onOpen } = this.#parts
    return {
      platform: {
        clock: process.clock,
        random: seededRandom(seed),
        sha256: nodePlatform.sha256,
        files: null,
      },
      newIdentity: async () => signer,
      identityIn: async () => signer,
      storeIn: (storage) => storage,
      verifier,
      openBeacon: openBeaconOnce,
      onOpen: (inside) => {
        process.inside = inside
        onOpen(this, inside)
      },
      turn: () => Promise.resolve(),
      hold: () => () => undefined,
    }
  }
}
