/** What a simulation is made of: a world, a network, devices with their handlers, and a witness of it all. */
import type { GroupId, RunId } from '../protocol/index.js'
import type { RunContext } from '../src/node/context.js'
import { type RunType, typeName } from '../src/node/define-run.js'
import type { Inside } from '../src/node/host.js'
import type { DibsNode } from '../src/node/node.js'
import type { NodeOptions } from '../src/node/options.js'
import { type SeededRandom, seededRandom } from '../src/testing/seeded.js'
import { PATIENCE_MS } from './constants.js'
import { SimDevice } from './devices/device.js'
import type { Execution } from './devices/execution.js'
import { Identities, type Signatures } from './devices/identities.js'
import { PROFILES } from './devices/profiles.js'
import { declines } from './devices/work.js'
import { Disk } from './disk/disk.js'
import type { Conditions } from './network/conditions.js'
import { SimNetwork } from './network/network.js'
import { type Duration, msOfDuration } from './script/duration.js'
import type { DeviceSpec, Heartbeat } from './script/types.js'
import { Witness } from './witness.js'
import { World } from './world/world.js'

export interface SimulationOptions {
  /** All chance follows from it. @default 1 */
  readonly seed?: number | undefined
  /** How many devices, or what each is like. The first founds the group and is its admin. */
  readonly devices: number | readonly Partial<DeviceSpec>[]
  readonly network?: Partial<Conditions> | undefined
  /** @default 30 s, 90 s */
  readonly heartbeat?: Heartbeat | undefined
  /** @default 10_000 */
  readonly abortGraceMs?: number | undefined
  /** Signatures that cost a hash, or real ones. @default 'virtual' */
  readonly signatures?: Signatures | undefined
  /** Options of each device's node: its policy, its weights. */
  readonly node?: ((place: number) => NodeOptions) | undefined
  /** What this is, for people. */
  readonly title?: string | undefined
  /** Takes down why each assignment was made, for the report. @default true */
  readonly explain?: boolean | undefined
  /** The command that plays it again, for the report. */
  readonly replay?: string | undefined
  /** Hears every line of the log. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** A handler of simulated devices. Take time from `device.delay`: the real clock is shut out. */
export type SimHandler = (input: never, context: RunContext, device: SimDevice) => Promise<unknown>

export const DEVICE_SPEC: DeviceSpec = {
  profile: 'desktop',
  role: 'member',
  capabilities: [],
  skewMs: 0,
  drift: 0,
  declines: 0,
  diskMs: 0,
  joinsLater: false,
}

const HEARTBEAT: Heartbeat = { intervalMs: 30_000, timeoutMs: 90_000 }
const ABORT_GRACE_MS = 10_000

export class Stage {
  readonly options: SimulationOptions
  readonly seed: number
  readonly world: World
  readonly network: SimNetwork
  readonly witness: Witness
  readonly random: SeededRandom
  readonly #identities: Identities
  readonly #handlers = new Map<string, { readonly type: RunType | string; readonly handler: SimHandler }>()
  #group: GroupId | null = null

  /** Use `createSimulation`. */
  constructor(options: SimulationOptions) {
    const { seed = 1, network = {}, heartbeat = HEARTBEAT, abortGraceMs = ABORT_GRACE_MS } = options
    this.options = options
    this.seed = seed
    this.random = seededRandom(seed * 31 + 7)
    this.world = new World(
      () => this.witness.stepped(),
      (error) => this.#fault(error),
    )
    this.witness = new Witness({
      world: this.world,
      network: () => this.network,
      heartbeat,
      abortGraceMs,
      hasChoices: options.explain ?? true,
      onLine: options.onLine ?? null,
    })
    this.network = new SimNetwork(this.world, seededRandom(seed * 31 + 11), network, this.witness)
    this.#identities = new Identities(options.signatures ?? 'virtual')
  }

  /** Starts all devices that are there from the beginning. */
  async open(): Promise<void> {
    const { devices } = this.options
    const specs = typeof devices === 'number' ? Array.from({ length: devices }, () => ({})) : devices
    for (const spec of specs) await this.#make({ ...DEVICE_SPEC, ...spec })
    const first = this.device(0)
    first.isAdmitted = true
    await this.during(first.begin(null))
    this.#group = first.node.group.id
    this.witness.founded(this.#group)
    await first.disk.replay()
    const others = this.devices.filter(({ place, spec }) => place > 0 && !spec.joinsLater)
    await this.during(Promise.all(others.map((device) => this.admit(first, device))))
    for (const device of this.devices) {
      if (device.spec.joinsLater && device.place > 0) this.witness.spans.begin('absent', device.place, 0)
      else if (device !== first) await device.disk.copyFrom(first.disk)
    }
    await this.during(Promise.all(others.map((device) => device.begin(this.group))))
  }

  get group(): GroupId {
    if (this.#group === null) throw new Error('The simulation was not opened: use createSimulation.')
    return this.#group
  }

  get devices(): readonly SimDevice[] {
    return this.witness.devices
  }

  /** Milliseconds since it began. */
  get nowMs(): number {
    return this.world.passedMs
  }

  device(place: number): SimDevice {
    const device = this.devices[place]
    if (device === undefined) throw new RangeError(`There is no device ${place}.`)
    return device
  }

  /** The node of a device. Throws if it is down. */
  node(place: number): DibsNode {
    return this.device(place).node
  }

  /** Gives all devices a handler, also those that start later. */
  handle(type: RunType | string, handler: SimHandler): void {
    this.#handlers.set(typeName(type), { type, handler })
    for (const device of this.devices) if (device.isUp) this.#register(device, device.node, typeName(type))
  }

  async advance(time: Duration): Promise<void> {
    await this.world.runUntil(this.world.nowMs + msOfDuration(time))
  }

  /** Lets time pass until something holds. Throws if it does not within `within`. */
  async until(holds: () => boolean, within: Duration = PATIENCE_MS): Promise<void> {
    const endMs = this.world.nowMs + msOfDuration(within)
    await this.world.runUntil(endMs, holds)
    if (!holds()) throw new Error(`It did not come to pass within ${String(within)}.`)
  }

  /** Lets time pass, as far as it takes, until something that is under way has ended. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    work.then(end, end)
    await this.world.runUntil(this.world.nowMs + PATIENCE_MS, () => isOver)
    if (!isOver) throw new Error('It did not end within a simulated week.')
    return work
  }

  /** Something goes on by itself: what it throws is noted. */
  goOn(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.witness.note('error', error instanceof Error ? error.message : String(error)),
    )
  }

  async #make(spec: DeviceSpec): Promise<void> {
    const place = this.devices.length
    const seed = this.seed * 1000 + place
    const signer = await this.#identities.of(seed)
    const own = this.options.node?.(place) ?? {}
    const { heartbeat, abortGraceMs } = this.witness
    const profile = PROFILES[spec.profile]
    const disk: Disk = new Disk(signer.device, seededRandom(seed * 17 + 3), (batch) =>
      this.witness.stored(device, batch),
    )
    const device: SimDevice = new SimDevice({
      place,
      seed,
      spec,
      world: this.world,
      network: this.network,
      disk,
      signer,
      verifier: this.#identities.verifier,
      options: {
        name: `${spec.profile}-${place}`,
        class: profile.class,
        slots: spec.slots ?? profile.slots,
        capabilities: spec.capabilities,
        heartbeat,
        abortGraceMs,
        ...(spec.declines > 0 && {
          willing: ({ run, attempt }) =>
            declines(spec.declines, run, attempt, place) ? 'not in the mood' : true,
        }),
        ...own,
      },
      onOpen: (opened, inside) => this.#opened(opened, inside),
      equip: (opened, node) => {
        for (const name of this.#handlers.keys()) this.#register(opened, node, name)
      },
    })
    this.witness.join(device)
  }

  #opened(device: SimDevice, inside: Inside): void {
    this.witness.note('open', `incarnation ${inside.journals.incarnation}`, device.place)
    this.witness.opened(device, inside)
  }

  #register(device: SimDevice, node: DibsNode, name: string): void {
    const known = this.#handlers.get(name)
    if (known === undefined) return
    node.handle(
      known.type as string,
      async (input, context) => {
        const execution = this.execution(device, context.run, context)
        try {
          const output = await known.handler(input as never, context, device)
          this.witness.ended(execution, execution.stopped === null ? 'returned' : 'stopped')
          return output as never
        } catch (error) {
          this.witness.ended(execution, execution.stopped === null ? 'threw' : 'stopped')
          throw error
        }
      },
      { concurrency: 1000 },
    )
  }

  /** Somebody begins to work on a run. */
  execution(
    device: SimDevice,
    run: RunId,
    { attempt, fence, signal }: Pick<RunContext, 'attempt' | 'fence' | 'signal'>,
    isLease = false,
  ): Execution {
    const execution: Execution = {
      run,
      assignment: device.inside?.book.view(run)?.assignment?.id ?? '',
      place: device.place,
      incarnation: device.incarnation,
      attempt,
      fence,
      isLease,
      startedMs: this.nowMs,
      stopped: null,
      ended: null,
    }
    signal.addEventListener('abort', () => {
      execution.stopped = { atMs: this.nowMs, reason: signal.reason?.code ?? 'superseded' }
      this.witness.stopped(execution, device)
    })
    this.witness.started(execution, device)
    return execution
  }

  async admit(admin: SimDevice, device: SimDevice): Promise<void> {
    device.isAdmitted = true
    await admin.node.group.admit(device.id, { role: device.spec.role })
  }

  #fault(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.witness.violated('no-fault', message.split('\n').slice(0, 4).join(' '))
  }
}
