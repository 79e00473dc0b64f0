/** A small world: three honest devices, and one that is a member like them and does evil when told to. */
import { encodeView, type GroupId, isTerminal, type RecordId, type RunId } from '../../../protocol/index.js'
import { type Attack, type Attacker, attack, type Heard } from '../../../sim/byzantine/index.js'
import { SimDevice } from '../../../sim/devices/device.js'
import { Identities } from '../../../sim/devices/identities.js'
import { Disk } from '../../../sim/disk/disk.js'
import { SimNetwork } from '../../../sim/network/network.js'
import type { DeviceSpec } from '../../../sim/script/types.js'
import { World } from '../../../sim/world/world.js'
import type { Inside } from '../../../src/node/host.js'
import type { NodeOptions } from '../../../src/node/options.js'
import type { SubmitOptions } from '../../../src/node/submit-options.js'
import type { StoredBatch } from '../../../src/store/store.js'
import { seededRandom } from '../../../src/testing/seeded.js'

export const HEARTBEAT = { intervalMs: 5_000, timeoutMs: 15_000 } as const
export const HONEST = [0, 1, 2] as const
export const EVIL = 3

/** Messages of the wire that the attacker remembers. */
const MAX_WIRE = 500

/** Virtual milliseconds within which everything has to come to an end. */
const PATIENCE_MS = 30 * 60_000

const SPEC = {
  profile: 'desktop',
  capabilities: [],
  skewMs: 0,
  drift: 0,
  declines: 0,
  diskMs: 0,
  joinsLater: false,
} as unknown as DeviceSpec

/** Clocks that are a little off, as clocks are. */
const SKEWS = [0, 900, -900, 300]

export class Town {
  readonly world: World
  readonly network: SimNetwork
  readonly devices: SimDevice[] = []
  /** What was thrown and caught by nobody. */
  readonly faults: unknown[] = []
  readonly #identities = new Identities('virtual')
  readonly #wire: Heard[] = []
  readonly #seed: number
  group: GroupId = ''
  /** Hears of every message that is published. */
  onPublish: (message: Heard) => void = () => undefined
  /** Called after everything that happens. */
  onHappened: () => void = () => undefined

  constructor(seed: number) {
    this.#seed = seed
    this.world = new World(
      () => this.onHappened(),
      (error) => void this.faults.push(error),
    )
    this.network = new SimNetwork(
      this.world,
      seededRandom(seed),
      {},
      {
        onPublish: (from, topic, bytes) => {
          this.#wire.push({ from, topic, bytes })
          this.onPublish({ from, topic, bytes })
          if (this.#wire.length > MAX_WIRE) this.#wire.shift()
        },
        onArrive: () => undefined,
      },
    )
  }

  static async of(seed: number): Promise<Town> {
    const town = new Town(seed)
    for (const place of [...HONEST, EVIL]) await town.#settle(place)
    await town.advance(2 * HEARTBEAT.timeoutMs)
    return town
  }

  device(place: number): SimDevice {
    return this.devices[place] as SimDevice
  }

  inside(place: number): Inside {
    return this.device(place).inside as Inside
  }

  get honest(): readonly SimDevice[] {
    return HONEST.map((place) => this.device(place))
  }

  get evil(): SimDevice {
    return this.device(EVIL)
  }

  async advance(ms: number): Promise<void> {
    await this.world.runUntil(this.world.nowMs + ms)
  }

  async until(holds: () => boolean, withinMs: number = PATIENCE_MS): Promise<void> {
    await this.world.runUntil(this.world.nowMs + withinMs, holds)
    if (!holds()) throw new Error(`It did not come to pass within ${withinMs} ms.`)
  }

  /** Lets time pass until something that is under way has ended. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    work.then(end, end)
    await this.until(() => isOver)
    return work
  }

  /** Makes runs on honest devices, one after the other. */
  async submit(count: number, ms = 2_000, options: SubmitOptions = {}): Promise<readonly RunId[]> {
    const runs: RunId[] = []
    for (let i = 0; i < count; i++) {
      const { node } = this.device(i % HONEST.length)
      runs.push((await this.during(node.submit('work', { ms }, options))).id)
    }
    return runs
  }

  async attack(kind: Attack): Promise<void> {
    await this.during(attack(this.attacker, kind))
  }

  get attacker(): Attacker {
    const { evil, group } = this
    const random = seededRandom(this.#seed * 31 + this.world.happened)
    return {
      group,
      signer: evil.signer,
      transport: evil.transport,
      random,
      clock: evil.clock,
      incarnation: () => evil.incarnation,
      views: () => this.inside(EVIL).book.views,
      recordsOf: (run) => this.inside(EVIL).book.records(run),
      others: () => this.honest.map(({ id }) => id),
      heard: () => this.#wire.filter(({ from }) => from !== evil.id),
    }
  }

  async revokeEvil(): Promise<void> {
    await this.during(this.device(0).node.group.revoke(this.evil.id))
    await this.until(() => this.honest.every(({ node }) => node.devices.get(this.evil.id)?.revoked === true))
  }

  /** Its process ends as it should, and another begins. */
  async reopen(place: number): Promise<void> {
    await this.during(this.device(place).leave())
    await this.during(this.device(place).begin(this.group))
  }

  async restart(place: number): Promise<void> {
    await this.during(this.device(place).crash())
    await this.during(this.device(place).begin(this.group))
  }

  stateOf(place: number, run: RunId): string | undefined {
    return this.device(place).node.runs.view(run)?.state
  }

  /** Waits until all honest devices see all of these ended. */
  async untilEnded(runs: readonly RunId[], withinMs?: number): Promise<void> {
    const isOver = (place: number, run: RunId): boolean => {
      const view = this.device(place).node.runs.view(run)
      return view !== null && isTerminal(view.state)
    }
    await this.until(() => HONEST.every((place) => runs.every((run) => isOver(place, run))), withinMs)
  }

  /** All views of a device as bytes, by run. */
  views(place: number): ReadonlyMap<RunId, string> {
    const views = this.inside(place).book.views
    const texts = views.map((view) => [view.run, Buffer.from(encodeView(view)).toString('hex')] as const)
    return new Map([...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Records that honest devices wrote about runs, as a device has them. */
  honestRecords(place: number): ReadonlySet<RecordId> {
    const { book } = this.inside(place)
    const honest = new Set(this.honest.map(({ id }) => id))
    const records = book.views.flatMap(({ run }) => book.records(run))
    return new Set(records.filter(({ author }) => honest.has(author)).map(({ id }) => id))
  }

  /** Where the logs of a device's journals stand. */
  heads(place: number): string {
    return Buffer.from(this.inside(place).journals.summary()).toString('hex')
  }

  /** Batches on a device's disk that another device wrote. */
  async storedOf(author: SimDevice, place: number): Promise<readonly StoredBatch[]> {
    const all = await this.#stored(place)
    return all.filter(({ log }) => log.device === author.id)
  }

  async #stored(place: number): Promise<readonly StoredBatch[]> {
    const { store } = this.device(place).disk
    const batches: StoredBatch[] = []
    for (const journal of new Set((await store.heads()).map((head) => head.journal)))
      for await (const chunk of store.read(journal)) batches.push(...chunk)
    return batches
  }

  async #settle(place: number): Promise<void> {
    const signer = await this.#identities.of(this.#seed * 100 + place)
    const device = new SimDevice({
      place,
      seed: this.#seed * 100 + place,
      spec: { ...SPEC, skewMs: SKEWS[place] ?? 0 },
      world: this.world,
      network: this.network,
      disk: new Disk(signer.device, seededRandom(this.#seed + place), () => undefined),
      signer,
      verifier: this.#identities.verifier,
      options: { name: `device-${place}`, heartbeat: HEARTBEAT, slots: 4 } satisfies NodeOptions,
      onOpen: () => undefined,
      equip: ({ clock }, node) => {
        node.handle('work', (input, { signal }) => {
          const { ms } = (input ?? { ms: 1000 }) as { ms: number }
          return new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            clock.setTimer(ms, () => resolve(`done by ${place}`))
          })
        })
      },
    })
    this.devices.push(device)
    await this.during(device.begin(place === 0 ? null : this.group))
    this.group = this.device(0).node.group.id
    if (place > 0) await this.during(this.device(0).node.group.admit(device.id, { role: 'member' }))
  }
}
