/** One engine at a desk: what it wants written goes into a story, what others write there it is told, time is virtual. */
import {
  type AnyRecord,
  type DeviceId,
  type Draft,
  foldRun,
  type RunId,
  type RunRecord,
  type RunView,
} from '../../protocol/index.js'
import type {
  Beacon,
  Effect,
  EngineEvent,
  EngineSettings,
  EngineState,
  LocalFacts,
  Outcome,
} from '../../src/engine/index.js'
import { createEngine, resolveRefs, step } from '../../src/engine/index.js'
import { checkLaws } from '../../src/engine/laws.js'
import { ana, ben, cid, FOUNDED, GROUP, Story } from '../protocol/story.js'

export const HEARTBEAT = { intervalMs: 1000, timeoutMs: 3000 } as const

type WithoutNow<E> = E extends EngineEvent ? Omit<E, 'now'> : never

export type EffectOf<T extends Effect['type']> = Extract<Effect, { readonly type: T }>

export const FACTS: LocalFacts = {
  name: 'ana',
  class: 'desktop',
  capabilities: [],
  slots: 2,
  reserved: 0,
  handles: new Map([['test.job', 10]]),
  draining: false,
  load: 0,
  lagMs: 0,
  onMains: true,
  battery: null,
}

export class Desk {
  readonly story: Story = new Story()
  readonly state: EngineState
  /** All that came out, in order. */
  readonly effects: Effect[] = []
  /** Who is heard of every second. */
  readonly alive: Set<DeviceId> = new Set()
  /** While set, what is to be written is kept back. */
  isStoreStuck = false
  readonly #unwritten: EffectOf<'append'>[] = []
  readonly #told = new Map<RunId, number>()
  #monoMs = 0
  #timerMs = Number.POSITIVE_INFINITY
  #nextBeaconsMs = 0
  #sequence = 0

  /** Ana's, with ben and cid known as able. */
  constructor(settings: Partial<EngineSettings> = {}, facts: Partial<LocalFacts> = {}) {
    const { story } = this
    for (const who of [ben, cid]) story.write(who, profile())
    this.state = createEngine(
      {
        group: GROUP,
        device: ana,
        incarnation: FOUNDED,
        heartbeat: HEARTBEAT,
        syncWaitMs: 500,
        abortGraceMs: 1000,
        viewOf: (run) => this.view(run),
        recordsOf: (run) => this.#recordsOf(run),
        ...settings,
      },
      this.now,
      story.group,
    )
    this.step({ type: 'start', group: story.group, views: [] })
    this.step({ type: 'local', facts: { ...FACTS, ...facts } })
    this.step({ type: 'synced' })
  }

  get now(): { readonly wallMs: number; readonly monoMs: number } {
    return { wallMs: this.story.nowMs, monoMs: this.#monoMs }
  }

  /** One event, and all that follows from writing what it leads to. Every law is checked after every step. */
  step(event: WithoutNow<EngineEvent>): readonly Effect[] {
    const effects = step(this.state, { ...event, now: this.now } as EngineEvent)
    checkLaws(this.state)
    this.effects.push(...effects)
    for (const effect of effects) {
      if (effect.type === 'timer') this.#timerMs = effect.atMs
      if (effect.type === 'append') this.#unwritten.push(effect)
    }
    if (!this.isStoreStuck) this.store()
    return effects
  }

  /** Writes what was kept back. `fails`: the store refuses. */
  store(fails = false): void {
    for (let append = this.#unwritten.shift(); append !== undefined; append = this.#unwritten.shift()) {
      const written: AnyRecord[] = []
      if (!fails)
        for (const draft of append.drafts)
          written.push(this.story.write(ana, resolveRefs(draft, written) as Draft) as unknown as AnyRecord)
      const runs = new Set((written as readonly RunRecord[]).map(({ run }) => run))
      for (const run of runs) this.#told.set(run, this.#recordsOf(run).length)
      const views = [...runs].map((run) => this.view(run)).filter((view) => view !== null)
      this.step({ type: 'appended', token: append.token, records: fails ? null : written, views })
    }
  }

  /** The engine hears of what others wrote since. */
  tell(): void {
    const views: RunView[] = []
    for (const run of new Set(this.story.runRecords.map((record) => record.run))) {
      const count = this.#recordsOf(run).length
      const view = this.view(run)
      if (this.#told.get(run) === count || view === null) continue
      this.#told.set(run, count)
      views.push(view)
    }
    if (views.length > 0) this.step({ type: 'views', views })
  }

  tellGroup(): void {
    this.step({ type: 'group', group: this.story.group })
  }

  /** Time passes; timers fire, and whoever is alive is heard. */
  wait(ms: number): void {
    const endMs = this.#monoMs + ms
    for (;;) {
      const nextMs = Math.min(
        this.#timerMs,
        this.alive.size > 0 ? this.#nextBeaconsMs : Number.POSITIVE_INFINITY,
      )
      if (nextMs > endMs) break
      this.#pass(nextMs - this.#monoMs)
      if (this.#nextBeaconsMs <= this.#monoMs && this.alive.size > 0) {
        this.#nextBeaconsMs = this.#monoMs + HEARTBEAT.intervalMs
        for (const device of this.alive) this.beacon(device)
      }
      if (this.#timerMs > this.#monoMs) continue
      this.#timerMs = Number.POSITIVE_INFINITY
      this.step({ type: 'wake' })
    }
    this.#pass(endMs - this.#monoMs)
  }

  /** The device sleeps: the wall clock alone goes on. */
  sleep(ms: number): void {
    this.story.nowMs += ms
  }

  #pass(ms: number): void {
    this.story.nowMs += Math.max(0, ms)
    this.#monoMs += Math.max(0, ms)
  }

  beacon(device: DeviceId, extra: Partial<Beacon> = {}): void {
    this.step({ type: 'beacon', beacon: beaconOf(device, this.story.nowMs, ++this.#sequence, extra) })
  }

  /** Asks for a run to be made. */
  ask(extra: Partial<Draft<'created'>> = {}): void {
    const draft: Draft<'created'> = { kind: 'created', type: 'test.job', heartbeat: HEARTBEAT, ...extra }
    this.step({ type: 'submit', ask: 1, draft })
  }

  /** The run that was asked for, as it stands once it is written. */
  submit(extra: Partial<Draft<'created'>> = {}): RunView {
    this.ask(extra)
    const created = this.story.runRecords.filter(({ kind }) => kind === 'created').at(-1)
    return this.view((created as RunRecord).run) as RunView
  }

  end({ run, assignment }: RunView, outcome: Outcome = { type: 'completed', output: null }): void {
    this.step({ type: 'ended', run, assignment: assignment?.id ?? '', outcome })
  }

  view(run: RunId): RunView | null {
    const records = this.#recordsOf(run)
    return records.length === 0 ? null : foldRun(records, this.story.group)
  }

  #recordsOf(run: RunId): readonly RunRecord[] {
    return this.story.runRecords.filter((record) => record.run === run)
  }

  /** Effects of one type since the last look. */
  take<T extends Effect['type']>(type: T): readonly EffectOf<T>[] {
    return this.effects.splice(0).filter((effect): effect is EffectOf<T> => effect.type === type)
  }
}

export function profile(extra: Partial<Draft<'profiled'>> = {}): Draft<'profiled'> {
  return {
    kind: 'profiled',
    name: 'a device',
    class: 'desktop',
    capabilities: [],
    handles: ['test.job'],
    ...extra,
  }
}

export function beaconOf(
  device: DeviceId,
  wallMs: number,
  sequence: number,
  extra: Partial<Beacon> = {},
): Beacon {
  return {
    device,
    incarnation: FOUNDED,
    sequence,
    latest: 0,
    wallMs,
    uptimeMs: 0,
    intervalMs: HEARTBEAT.intervalMs,
    active: 0,
    slots: 10,
    load: 0,
    lagMs: 0,
    draining: false,
    leaving: false,
    onMains: true,
    battery: null,
    stability: 1,
    waiting: { high: 0, normal: 0, low: 0 },
    heard: [],
    ...extra,
  }
}

/** Kinds of the records that an engine wants to write. */
export function kindsOf(appends: readonly EffectOf<'append'>[]): readonly string[] {
  return appends.map(({ drafts }) => drafts.map(({ kind }) => kind).join('+'))
}
