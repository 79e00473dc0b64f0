/** The handlers of this device, and what runs of them. */
import type { RecordId, RunId, RunView } from '../../protocol/index.js'
import type { Outcome, StopReason } from '../engine/index.js'
import type { AnyHandler, RunContext } from './context.js'
import { type RunType, typeName } from './define-run.js'
import { InputError } from './errors.js'
import { failureOf } from './failure.js'
import { Shift, type ShiftHost } from './shift.js'
import { type ContextHost, ShiftContext } from './shift-context.js'
import { readInput, validateOutput } from './validate.js'

interface Registration {
  readonly type: RunType | string
  readonly handler: AnyHandler
  readonly concurrency: number
}

/** What the crew needs of its node. */
export interface CrewHost extends ShiftHost, ContextHost {
  readonly ended: (run: RunId, assignment: RecordId, outcome: Outcome) => void
}

export class Crew {
  readonly #host: CrewHost
  readonly #registrations = new Map<string, Registration>()
  /** By run and assignment: a forger can use one id for assignments of two runs. */
  readonly #shifts = new Map<string, Shift>()

  constructor(host: CrewHost) {
    this.#host = host
  }

  /** Run types with a handler, and how many of each may run at once. */
  get handles(): ReadonlyMap<string, number> {
    return new Map([...this.#registrations].map(([type, { concurrency }]) => [type, concurrency]))
  }

  register(type: RunType | string, handler: AnyHandler, concurrency: number): () => void {
    const name = typeName(type)
    if (this.#registrations.has(name)) {
      throw new InputError(
        'DUPLICATE_HANDLER',
        `“${name}” has a handler already. Take it away first, or register once.`,
        { type: name },
      )
    }
    const registration: Registration = { type, handler, concurrency }
    this.#registrations.set(name, registration)
    return () => {
      if (this.#registrations.get(name) === registration) this.#registrations.delete(name)
    }
  }

  typeOf(name: string): RunType | string {
    return this.#registrations.get(name)?.type ?? name
  }

  /** Runs the handler for an assignment whose start is durable. */
  start(run: RunId, assignment: RecordId): void {
    const view = this.#host.viewOf(run)
    if (view === null || this.#shifts.has(keyOf(run, assignment))) return
    const shift = this.begin(run, assignment)
    const registration = this.#registrations.get(view.created.type)
    if (registration === undefined) {
      // Taken away since: somebody else may have one.
      this.#end(shift, { type: 'released', note: 'It has no handler any more.' })
      return
    }
    void this.#work(view, shift, registration)
  }

  /** The shift of an assignment; null once it is over. */
  shiftOf(run: RunId, assignment: RecordId): Shift | null {
    return this.#shifts.get(keyOf(run, assignment)) ?? null
  }

  /** Opens a shift: for a handler, or for whoever holds a lease. */
  begin(run: RunId, assignment: RecordId): Shift {
    const shift = new Shift(run, assignment, this.#host)
    this.#shifts.set(keyOf(run, assignment), shift)
    return shift
  }

  stop(run: RunId, assignment: RecordId, reason: StopReason): void {
    this.shiftOf(run, assignment)?.stop(reason)
  }

  /** Waits no longer for a handler. Whatever it still says is let go. */
  abandon(run: RunId, assignment: RecordId): void {
    const shift = this.shiftOf(run, assignment)
    this.#shifts.delete(keyOf(run, assignment))
    shift?.close()
  }

  async #work(view: RunView, shift: Shift, { type, handler }: Registration): Promise<void> {
    let outcome: Outcome
    try {
      const input = readInput(type, view.created.input ?? null)
      const output = await handler(
        (input instanceof Promise ? await input : input) as never,
        this.contextOf(view, shift, type),
      )
      const payload = shift.isStopped ? null : validateOutput(type, output)
      outcome = { type: 'completed', output: payload instanceof Promise ? await payload : payload }
    } catch (error) {
      outcome = shift.isStopped ? { type: 'stopped' } : { type: 'failed', ...failureOf(error) }
    }
    if (shift.isStopped) outcome = { type: 'stopped' }
    if (outcome.type === 'completed') this.#end(shift, outcome)
    else await this.finish(shift, outcome)
  }

  /** The end of a shift. What it last reported is durable before anyone else may go on from it. */
  async finish(shift: Shift, outcome: Outcome): Promise<void> {
    if (!this.#isOpen(shift)) return
    if (outcome.type !== 'completed') await shift.flush().catch(() => {})
    this.#end(shift, outcome)
  }

  #end(shift: Shift, outcome: Outcome): void {
    // Abandoned meanwhile: the engine has concluded without it.
    if (!this.#isOpen(shift)) return
    this.#shifts.delete(keyOf(shift.run, shift.assignment))
    shift.close()
    this.#host.ended(shift.run, shift.assignment, outcome)
  }

  #isOpen(shift: Shift): boolean {
    return this.shiftOf(shift.run, shift.assignment) === shift
  }

  contextOf(view: RunView, shift: Shift, type: RunType | string): RunContext<never, never> {
    return new ShiftContext(view, shift, type, this.#host) as RunContext<never, never>
  }
}

function keyOf(run: RunId, assignment: RecordId): string {
  return `${run}/${assignment}`
}
