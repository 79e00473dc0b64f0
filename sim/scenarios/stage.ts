/** What a story is told with: devices by their places, work by its name, and what is expected of it all. */
import { foldRun, isTerminal, type RunRecord, type RunView } from '../../protocol/index.js'
import type { Run } from '../../src/node/run.js'
import type { SubmitOptions } from '../../src/node/submit-options.js'
import type { SimDevice } from '../devices/device.js'
import type { Execution } from '../devices/execution.js'
import { doJob } from '../devices/work.js'
import type { Noted } from '../record-book.js'
import { type Duration, msOfDuration } from '../script/duration.js'
import type { Job } from '../script/types.js'
import type { Simulation } from '../simulation.js'
import { REST, WORK } from './constants.js'

/** Something that a story says must be so. */
export interface Expectation {
  readonly what: string
  readonly holds: boolean
  /** What was found instead, for people. */
  readonly details: string | null
  /** Milliseconds since the simulation began. */
  readonly atMs: number
}

type State = RunView['state']

export class Stage {
  readonly simulation: Simulation
  readonly expectations: Expectation[] = []
  isAtRest = false
  #pieces = 0

  constructor(simulation: Simulation) {
    this.simulation = simulation
    simulation.handle(WORK, (input, context, device) =>
      doJob(device.clock, device.place, input as Job, context),
    )
  }

  /** Says what must be so. If it is not, the story goes on, and the result has it. */
  expectThat(what: string, holds: boolean, details?: unknown): void {
    const found = holds || details === undefined ? null : textOf(details)
    this.expectations.push({ what, holds, details: found, atMs: this.simulation.nowMs })
    if (!holds)
      this.simulation.witness.note(
        'expected',
        found === null ? `not so: ${what}` : `not so: ${what}: ${found}`,
      )
  }

  // --- work

  /** Makes a piece of work on a device, which takes so long. */
  submit(place: number, takes: Duration, options: SubmitOptions = {}, name?: string): Promise<Run> {
    return this.simulation.during(this.send(place, takes, options, name))
  }

  /** The same; no time passes by itself. */
  send(place: number, takes: Duration, options: SubmitOptions = {}, name?: string): Promise<Run> {
    const job: Job = { ms: msOfDuration(takes), fails: 0, hangs: false }
    const called = { name: name ?? `work-${++this.#pieces}`, job }
    return this.simulation.send(place, WORK, { ...job }, options, called)
  }

  /** A run as a device sees it; null if it does not know of it. */
  view({ id }: Pick<Run, 'id'>, place: number): RunView | null {
    return this.simulation.device(place).inside?.book.view(id) ?? null
  }

  state(run: Pick<Run, 'id'>, place: number): State | null {
    return this.view(run, place)?.state ?? null
  }

  isDone(run: Pick<Run, 'id'>, place: number): boolean {
    return this.state(run, place) === 'completed'
  }

  /** The place of the device whose result was accepted, as a device sees it. */
  doneBy(run: Pick<Run, 'id'>, place: number): number | null {
    return this.placeOf(this.view(run, place)?.result?.device)
  }

  /** The place of the device that has a run, or was given it. */
  ownerOf(run: Pick<Run, 'id'>, place: number): number | null {
    return this.placeOf(this.view(run, place)?.assignment?.device)
  }

  placeOf(device: string | null | undefined): number | null {
    return device == null ? null : (this.simulation.witness.placeOf(device)?.place ?? null)
  }

  /** Every call of a handler for a run, on whatever device. */
  starts({ id }: Pick<Run, 'id'>): readonly Execution[] {
    return this.simulation.witness.executions.of(id)
  }

  /** All that was ever written about a run, on whatever side. */
  records({ id }: Pick<Run, 'id'>): readonly RunRecord[] {
    return this.simulation.witness.records.byRun.get(id) ?? []
  }

  /** All that was ever written. */
  get written(): readonly Noted[] {
    return [...this.simulation.witness.records.all.values()]
  }

  /** The states that a run went through, record by record, as a device has them, each once in a row. */
  journey({ id }: Pick<Run, 'id'>, place: number): readonly State[] {
    const { inside } = this.simulation.device(place)
    const states: State[] = []
    if (inside === null) return states
    const records = inside.book.records(id)
    for (let count = 1; count <= records.length; count++) {
      const state = foldRun(records.slice(0, count), inside.journals.group)?.state
      if (state !== undefined && states.at(-1) !== state) states.push(state)
    }
    return states
  }

  // --- time

  /** Lets time pass until a device sees all of these ended. Looks every second: views of what ended are made anew. */
  async untilDone(place: number, runs: readonly Pick<Run, 'id'>[], within: Duration = '1h'): Promise<void> {
    const open = new Set(runs)
    const endMs = this.simulation.nowMs + msOfDuration(within)
    for (;;) {
      for (const run of open) {
        if (!isTerminal(this.state(run, place) ?? 'created')) break
        open.delete(run)
      }
      if (open.size === 0) return
      if (this.simulation.nowMs >= endMs) throw new Error(`${open.size} runs did not end within ${within}.`)
      await this.simulation.advance('1s')
    }
  }

  /** Does something now and then, for so long. */
  async every(pause: Duration, lasts: Duration, act: (turn: number) => unknown): Promise<void> {
    const endMs = this.simulation.nowMs + msOfDuration(lasts)
    for (let turn = 0; this.simulation.nowMs < endMs; turn++) {
      await act(turn)
      await this.simulation.advance(pause)
    }
  }

  /** Takes every fault back, lets all work end, and then lets time pass in which nothing may be written. */
  async rest(time: Duration = REST): Promise<void> {
    await this.simulation.settle()
    await this.simulation.rest(time)
    this.isAtRest = true
  }

  /** The devices that belong, and do no evil. */
  get members(): readonly SimDevice[] {
    return this.simulation.devices.filter(({ isRevoked, isByzantine }) => !isRevoked && !isByzantine)
  }

  /** Expects that each of these is completed, as every member sees it. */
  expectAllDone(runs: readonly Pick<Run, 'id'>[]): void {
    const open = this.members.flatMap(({ place }) =>
      runs
        .filter((run) => !this.isDone(run, place))
        .map((run) => `${this.simulation.witness.nameOf(run.id)} is ${this.state(run, place)} for ${place}`),
    )
    this.expectThat(`all work is done, and all devices know it`, open.length === 0, open.slice(0, 5))
  }
}

function textOf(details: unknown): string {
  return typeof details === 'string' ? details : JSON.stringify(details)
}
