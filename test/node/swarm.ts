/** A group of real nodes under random work and random trouble, all of it from a seed. */
import { encodeView, isTerminal, type RunId, type RunView } from '../../protocol/index.js'
import type { DibsNode, RunContext } from '../../src/index.js'
import {
  createTestGroup,
  type SeededRandom,
  seededRandom,
  type TestDeviceOptions,
  type TestGroup,
} from '../../src/testing/index.js'
import { COMMANDS, FAULTS, type Fault, type Scene } from './swarm-faults.js'

const RHYTHMS = [
  { intervalMs: 1000, timeoutMs: 3000 },
  { intervalMs: 1000, timeoutMs: 3000 },
  { intervalMs: 10_000, timeoutMs: 30_000 },
] as const
const TYPES = ['render', 'mail', 'index'] as const
const ABILITIES = ['gpu', 'disk'] as const

/** Virtual milliseconds after the last fault within which all has to be done: several rounds of backoff and silence. */
const PATIENCE_MS = 20 * 60_000

export interface SwarmOptions {
  readonly seed: number
  readonly hasFaults: boolean
}

interface Start {
  readonly run: RunId
  readonly fence: number
}

export class Swarm implements Scene {
  readonly random: SeededRandom
  readonly starts: Start[] = []
  /** Runs that were durable somewhere. */
  readonly #made = new Set<RunId>()
  readonly violations: string[] = []
  readonly #options: SwarmOptions
  readonly #heartbeat: (typeof RHYTHMS)[number]
  readonly #latest = new Map<string, RunView>()
  #group: TestGroup | null = null

  constructor(options: SwarmOptions) {
    this.#options = options
    this.random = seededRandom(options.seed)
    this.#heartbeat = this.random.pick(RHYTHMS)
  }

  get group(): TestGroup {
    return this.#group as TestGroup
  }

  get places(): readonly number[] {
    return this.group.devices.map(({ place }) => place)
  }

  /** Plays the whole story. What should not be stands in `violations`. */
  async play(): Promise<void> {
    const { random } = this
    const { seed, hasFaults } = this.#options
    const count = 3 + random.below(3)
    const latencyMs = random.pick([0, 10, 150])
    this.#group = await createTestGroup(count, { seed, latencyMs, device: (place) => this.optionsOf(place) })
    for (const place of this.places) this.equip(place)
    await this.group.advance(2 * this.#heartbeat.timeoutMs)
    const faults = Object.values(FAULTS).filter(() => random.below(2) === 0)
    for (let step = 0; step < 40; step++) {
      await this.#act(hasFaults ? faults : [])
      await this.group.advance(random.below(random.pick([500, 1500, 6000])))
      this.#look()
    }
    if (hasFaults) await this.#recover()
    await this.#finish()
    await this.group.close()
  }

  /** The first device can do everything, and wants to: whatever is asked for, somebody can do it. */
  optionsOf(place: number): TestDeviceOptions {
    const { random } = this
    const { hasFaults } = this.#options
    const reluctance = hasFaults && place > 0 ? random.pick([0, 0, 0.3]) : 0
    return {
      skewMs: hasFaults ? random.pick([0, 0, 0, -20_000, 20_000]) : 0,
      heartbeat: this.#heartbeat,
      slots: 1 + random.below(4),
      capabilities: ABILITIES.filter(() => place === 0 || random.below(2) === 0),
      abortGraceMs: 2000,
      choose: { exclusionMs: 10_000, staggerMs: 500 },
      willing: () => (random.number() < reluctance ? 'not in the mood' : true),
    }
  }

  /** Gives a node its handlers. */
  equip(place: number): void {
    const { node } = this.group.device(place)
    for (const type of TYPES)
      node.handle(type, (input, context) => this.#work(place, input as unknown as Job, context))
  }

  #work(place: number, { ms, fails, hangs }: Job, context: RunContext): Promise<string> {
    const { clock } = this.group.device(place)
    const { signal, run, attempt, fence } = context
    this.starts.push({ run, fence })
    return new Promise((resolve, reject) => {
      if (hangs && attempt === 1) return
      context.progress({ attempt })
      signal.addEventListener('abort', () => reject(signal.reason))
      clock.setTimer(ms, () => (attempt <= fails ? reject(new Error('no luck')) : resolve(`by ${place}`)))
    })
  }

  async #act(faults: readonly Fault[]): Promise<void> {
    const { random } = this
    const dice = random.below(10)
    const { nodes } = this.group
    if (dice === 0 && nodes.length > 0) this.#pull(random.pick(nodes))
    else if (dice < 6 && nodes.length > 0) this.#submit(random.pick(nodes))
    else if (dice === 6 && nodes.length > 0 && faults.length > 0) this.#command(random.pick(nodes))
    else if (faults.length > 0) await random.pick(faults)(this)
  }

  #submit(node: DibsNode): void {
    const { random } = this
    const { hasFaults } = this.#options
    const job: Job = {
      ms: random.below(3000),
      fails: hasFaults ? random.pick([0, 0, 0, 1, 9]) : 0,
      hangs: hasFaults && random.below(12) === 0,
    }
    // Without faults no two devices make one run in the same moment: each is begun once.
    const keyed = hasFaults && random.below(4) === 0 ? { key: `k${random.below(5)}` } : {}
    const late = hasFaults && random.below(8) === 0 ? { deadlineInMs: 1000 + random.below(20_000) } : {}
    node
      .submit(
        random.pick(TYPES),
        { ...job },
        {
          ...keyed,
          ...late,
          requires: ABILITIES.filter(() => random.below(5) === 0),
          priority: random.pick(['high', 'normal', 'low']),
          preemptible: random.below(2) === 0,
          timeoutMs: 8000,
          reconcile: random.pick(['earliest', 'earliest', 'latest']),
          coordinator: random.below(8) === 0,
          ...(random.below(6) === 0 && { delayMs: random.below(5000) }),
        },
      )
      .then(
        ({ id }) => this.#made.add(id),
        () => {},
      )
  }

  /** A pull worker asks for a run and does it at once; sometimes it forgets that it has one. */
  #pull(node: DibsNode): void {
    const forgets = this.#options.hasFaults && this.random.below(4) === 0
    const pulled = async (): Promise<void> => {
      const lease = await node.leaseNext({ leaseMs: 5000 })
      if (lease === null) return
      this.starts.push({ run: lease.run, fence: lease.fence })
      if (!forgets) await lease.complete('pulled')
    }
    pulled().catch(() => {})
  }

  #command(node: DibsNode): void {
    const { runs } = node.runs.list()
    if (runs.length === 0) return
    const run = node.runs.get(this.random.pick(runs).run)
    if (run !== null)
      this.random
        .pick(Object.values(COMMANDS))(run, this.random)
        .catch(() => {})
  }

  /** Everyone is back, and nobody waits for a person. */
  async #recover(): Promise<void> {
    const { group } = this
    group.heal()
    group.network.setLoss(0)
    for (const device of group.devices) {
      if (device.isUp) device.wake()
      else {
        await device.restart()
        this.equip(device.place)
      }
    }
    await group.advance(5000)
    for (let i = 0; i < 3; i++) {
      for (const { run, paused } of this.views(0))
        if (paused !== null)
          void group
            .device(0)
            .node.runs.get(run)
            ?.resume()
            .catch(() => {})
      await group.advance(5000)
    }
  }

  views(place: number): readonly RunView[] {
    const all: RunView[] = []
    const { runs } = this.group.device(place).node
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = runs.list({}, { limit: 100, ...(cursor !== undefined && { cursor }) })
      all.push(...page.runs)
      cursor = page.cursor
    }
    return all
  }

  #isDone(): boolean {
    const [first, ...others] = this.places.map((place) => this.views(place))
    if (first === undefined || first.some(({ state }) => !isTerminal(state))) return false
    const expected = textOf(first)
    return others.every((views) => views.length === first.length && textOf(views) === expected)
  }

  /** What must never happen, whatever goes wrong. */
  #look(): void {
    for (const { place, isUp } of this.group.devices) {
      if (!isUp) continue
      for (const view of this.views(place)) {
        const key = `${place} ${view.run}`
        const before = this.#latest.get(key)
        this.#latest.set(key, view)
        if (before === undefined) continue
        if (before.highestFence > view.highestFence) this.#complain(view, 'the highest fence fell')
        if (before.state === 'completed' && view.state !== 'completed')
          this.#complain(view, 'it was completed')
        if (isTerminal(before.state) && !isTerminal(view.state) && before.round === view.round)
          this.#complain(view, `it had ended: ${before.state}`)
      }
    }
  }

  async #finish(): Promise<void> {
    const { group } = this
    try {
      await group.until(() => this.#isDone(), PATIENCE_MS, 5000)
    } catch {
      for (const place of this.places)
        for (const view of this.views(place))
          if (!isTerminal(view.state))
            this.#complain(
              view,
              `open at ${place}: ${group.device(place).node.runs.get(view.run)?.explain().sentences.join(' ')}`,
            )
      if (this.violations.length === 0) this.violations.push('the devices do not agree')
    }
    this.#look()
    await group.advance(15_000)
    for (const { node, place } of group.devices)
      if (node.metrics().active !== 0)
        this.violations.push(`device ${place} has ${node.metrics().active} slots in use`)
    const views = this.views(0)
    for (const view of views) this.#judge(view)
    const kept = new Set(views.map(({ run }) => run))
    for (const run of this.#made) if (!kept.has(run)) this.violations.push(`${run} was lost`)
  }

  #judge(view: RunView): void {
    const begun = this.starts.filter(({ run }) => run === view.run)
    if (begun.length > view.starts)
      this.#complain(view, `${begun.length} starts, ${view.starts} of them recorded`)
    if (begun.some(({ fence }) => fence > view.highestFence))
      this.#complain(view, 'a handler saw a fence that was not granted')
    if (this.#options.hasFaults) return
    if (view.state !== 'completed') this.#complain(view, 'nothing stood in its way')
    if (begun.length !== 1) this.#complain(view, `${begun.length} starts without a fault`)
  }

  #complain({ run, state }: RunView, what: string): void {
    this.violations.push(`${run} (${state}): ${what}`)
  }
}

interface Job {
  readonly ms: number
  readonly fails: number
  readonly hangs: boolean
}

function textOf(views: readonly RunView[]): string {
  return views
    .map((view) => `${view.run} ${[...encodeView(view)].join()}`)
    .sort()
    .join('\n')
}
