import { type AnyRecord, isRunRecord } from '../protocol/index.js'
import type { RunType } from '../src/node/define-run.js'
import type { Run } from '../src/node/run.js'
import type { SubmitOptions } from '../src/node/submit-options.js'
import { REST_LASTS_MS } from './constants.js'
import { Faults } from './faults.js'
import type { Asked } from './oracles/oracle.js'
import type { Outcome, Violation } from './outcome.js'
import { outcomeOf } from './outcome-of.js'
import { reportOf } from './report/index.js'
import type { Duration } from './script/duration.js'
import type { Job } from './script/types.js'
import { boundMs, isAtRest, takeFaultsBack } from './settle.js'
import type { SimulationOptions } from './stage.js'
import type { Trace } from './trace.js'
import { traceOf } from './trace-of.js'

export { DEVICE_SPEC, type SimHandler, type SimulationOptions } from './stage.js'

/**
 * Makes a group of simulated devices that know each other.
 *
 * @example
 * ```ts
 * const simulation = await createSimulation({ seed: 7, devices: 3 })
 * simulation.handle('greet', async (name, context, device) => {
 *   await device.delay(5000)
 *   return `Hello, ${name}!`
 * })
 * const run = await simulation.submit(0, 'greet', 'world')
 * simulation.partition([[0], [1, 2]])
 * await simulation.advance('5m')
 * simulation.heal()
 * await simulation.until(() => run.state === 'completed')
 * console.log(simulation.check()) // []
 * ```
 */
export async function createSimulation(options: SimulationOptions): Promise<Simulation> {
  const simulation = new Simulation(options)
  await simulation.open()
  return simulation
}

export class Simulation extends Faults {
  #calmMs: number | null = null
  #submits = 0

  get violations(): readonly Violation[] {
    return this.witness.violations
  }

  /** When faults ended; null while they may go on. */
  get calmMs(): number | null {
    return this.#calmMs
  }

  /** Makes a run on a device. Lets time pass until it is acknowledged. */
  async submit(
    place: number,
    type: RunType | string,
    input?: unknown,
    options?: SubmitOptions,
  ): Promise<Run> {
    const { clock, isUp } = this.device(place)
    return this.during(
      new Promise((resolve, reject) => {
        const send = (): void => void this.send(place, type, input, options).then(resolve, reject)
        // By the world, where the guard is up: handlers may be called at once. By a blocked device: once it is free.
        if (isUp && clock.isBlocked) clock.setTimer(0, send)
        else this.world.after(0, send)
      }),
    )
  }

  #nextName(): string {
    this.#submits++
    return `run-${this.#submits}`
  }

  /** Makes a run on a device; no time passes by itself. */
  async send(
    place: number,
    type: RunType | string,
    input: unknown = null,
    options: SubmitOptions = {},
    { name = this.#nextName(), job = null }: { readonly name?: string; readonly job?: Job | null } = {},
  ): Promise<Run> {
    const asked: Asked = { name, place, askedMs: this.nowMs, job, acknowledged: null }
    this.witness.ask(asked)
    const run = await this.node(place).submit(type as string, input as never, options)
    this.witness.acknowledge(asked, run.id)
    return run
  }

  /** Takes every fault back, and lets time pass until all has ended, or should have. */
  async settle(): Promise<void> {
    takeFaultsBack(this)
    this.#calmMs = this.nowMs
    const limitMs = boundMs(this)
    this.witness.note('step', `all faults end; ${Math.round(limitMs / 1000)} s to come to rest`)
    await this.world.runUntil(this.world.nowMs + limitMs, () => this.#isAtRest())
    await this.advance(this.witness.abortGraceMs + 5000)
    this.witness.checkEnd()
  }

  /** Lets time pass in which nothing may be written any more. */
  async rest(time: Duration): Promise<void> {
    const before = this.witness.records.all.size
    await this.advance(time)
    const written = [...this.witness.records.all.values()].slice(before)
    const byRight = written.filter(({ record }) => {
      const author = this.witness.placeOf(record.author)
      return author?.isByzantine !== true && author?.isRevoked !== true && !this.#isAboutEvil(record)
    })
    const first = byRight[0]?.record
    if (first === undefined) return
    this.witness.violated(
      'idle-is-free',
      `${byRight.length} records were written with nothing left to do, the first a ${first.kind}`,
      {
        place: this.witness.placeOf(first.author)?.place ?? 0,
      },
    )
  }

  /** Whether a record is about a run that a member made which does evil: such runs may go on for as long as they please. */
  #isAboutEvil(record: AnyRecord): boolean {
    if (!isRunRecord(record)) return false
    const made = this.witness.records.byRun.get(record.run) ?? []
    return made.some(
      ({ kind, author }) => kind === 'created' && this.witness.placeOf(author)?.isByzantine === true,
    )
  }

  /** Checks everything that holds at any moment. Returns all violations so far. */
  check(): readonly Violation[] {
    this.witness.check()
    return this.violations
  }

  /** Figures of all so far: plain data, the same for the same seed. */
  outcome(): Outcome {
    return outcomeOf(this)
  }

  trace(): Trace {
    return traceOf(this)
  }

  /** One page that shows all of it. */
  report(): string {
    return reportOf(this.trace())
  }

  #restCheckMs = 0
  #restMs: number | null = null

  /** Looked at every simulated second. It has to last: what was stamped ahead of time may still be taken in. */
  #isAtRest(): boolean {
    if (this.nowMs < this.#restCheckMs + 1000) return false
    this.#restCheckMs = this.nowMs
    if (!isAtRest(this)) this.#restMs = null
    else this.#restMs ??= this.nowMs
    return this.#restMs !== null && this.nowMs - this.#restMs >= REST_LASTS_MS
  }
}
