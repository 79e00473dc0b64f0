/** The handlers of this device, and what runs of them. */
import type { DeviceId, Draft, Payload, RecordId, RunId, RunView } from '../../protocol/index.js'
import type { Outcome, StopReason } from '../engine/index.js'
import type { Clock } from '../platform/seams.js'
import { type Handler, type RunContext, type RunLogger, StopSignal } from './context.js'
import type { RunType } from './define-run.js'
import { InputError } from './errors.js'
import { failureOf } from './failure.js'
import { ProgressWriter } from './progress.js'
import type { LogLevel, RunLogs } from './run-logs.js'
import type { SubmitOptions } from './submit-options.js'
import { readInput, validateOutput } from './validate.js'

interface Registration {
  readonly type: RunType | string
  readonly handler: Handler<never>
  readonly concurrency: number
}

/** A handler that runs, or a lease that somebody holds. */
export interface Shift {
  readonly run: RunId
  readonly assignment: RecordId
  readonly abort: AbortController
  readonly progress: ProgressWriter
}

/** What the crew needs of its node. */
export interface CrewHost {
  readonly clock: Clock
  readonly device: DeviceId
  readonly logs: RunLogs
  readonly viewOf: (run: RunId) => RunView | null
  readonly write: (drafts: readonly Draft[]) => Promise<unknown>
  readonly ended: (run: RunId, assignment: RecordId, outcome: Outcome) => void
  readonly submit: RunContext['submit']
  /** Lets the event loop turn. */
  readonly turn: () => Promise<void>
}

export class Crew {
  readonly #host: CrewHost
  readonly #registrations = new Map<string, Registration>()
  readonly #shifts = new Map<RecordId, Shift>()

  constructor(host: CrewHost) {
    this.#host = host
  }

  /** Run types with a handler, and how many of each may run at once. */
  get handles(): ReadonlyMap<string, number> {
    return new Map([...this.#registrations].map(([type, { concurrency }]) => [type, concurrency]))
  }

  register(type: RunType | string, handler: Handler<never>, concurrency: number): () => void {
    const name = typeof type === 'string' ? type : type.type
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

  get size(): number {
    return this.#shifts.size
  }

  /** Runs the handler for an assignment whose start is durable. */
  start(run: RunId, assignment: RecordId): void {
    const view = this.#host.viewOf(run)
    if (view === null || this.#shifts.has(assignment)) return
    const shift = this.begin(run, assignment)
    const registration = this.#registrations.get(view.created.type)
    if (registration === undefined) {
      // Taken away since: somebody else may have one.
      this.#end(shift, { type: 'released', note: 'It has no handler any more.' })
      return
    }
    void this.#work(view, shift, registration)
  }

  /** Opens a shift: for a handler, or for whoever holds a lease. */
  begin(run: RunId, assignment: RecordId): Shift {
    const { clock, write } = this.#host
    const shift: Shift = {
      run,
      assignment,
      abort: new AbortController(),
      progress: new ProgressWriter({
        clock,
        write: async (data) => {
          await write([{ kind: 'progressed', run, assignment, ...(data !== null && { data }) }])
        },
      }),
    }
    this.#shifts.set(assignment, shift)
    return shift
  }

  stop(assignment: RecordId, reason: StopReason): void {
    this.#shifts.get(assignment)?.abort.abort(new StopSignal(reason))
  }

  /** Waits no longer for a handler. Whatever it still says is let go. */
  abandon(assignment: RecordId): void {
    const shift = this.#shifts.get(assignment)
    this.#shifts.delete(assignment)
    shift?.progress.close()
  }

  async #work(view: RunView, shift: Shift, { type, handler }: Registration): Promise<void> {
    let outcome: Outcome
    try {
      const input = readInput(type, view.created.input ?? null)
      const output = await handler(
        (input instanceof Promise ? await input : input) as never,
        this.contextOf(view, shift),
      )
      const payload = shift.abort.signal.aborted ? null : validateOutput(type, output)
      outcome = { type: 'completed', output: payload instanceof Promise ? await payload : payload }
    } catch (error) {
      const isStopped = shift.abort.signal.aborted
      outcome = isStopped ? { type: 'stopped' } : { type: 'failed', ...failureOf(error) }
    }
    if (shift.abort.signal.aborted) outcome = { type: 'stopped' }
    await this.finish(shift, outcome)
  }

  /** The end of a shift. What it last reported is durable before anyone else may go on from it. */
  async finish(shift: Shift, outcome: Outcome): Promise<void> {
    if (!this.#shifts.has(shift.assignment)) return
    if (outcome.type !== 'completed') await shift.progress.flush().catch(() => {})
    this.#end(shift, outcome)
  }

  #end(shift: Shift, outcome: Outcome): void {
    // Abandoned meanwhile: the engine has concluded without it.
    if (!this.#shifts.delete(shift.assignment)) return
    shift.progress.close()
    this.#host.ended(shift.run, shift.assignment, outcome)
  }

  contextOf(view: RunView, shift: Shift): RunContext {
    const { device, submit, turn, viewOf } = this.#host
    const { run, abort, progress, assignment } = shift
    const { signal } = abort
    const granted = view.assignment?.fence ?? 0
    return {
      run,
      type: view.created.type,
      version: view.created.version ?? null,
      device,
      attempt: view.assignment?.attempt ?? 1,
      signal: signal as RunContext['signal'],
      get fence(): number {
        const now = viewOf(run)?.assignment
        return now?.id === assignment ? now.fence : granted
      },
      checkpoint: view.checkpoint,
      progress: (data) => progress.set(data),
      log: this.#loggerOf(run),
      submit: ((type: string, input: Payload, options?: SubmitOptions) =>
        submit(type, input, { ...options, parent: run })) as RunContext['submit'],
      yield: async () => {
        signal.throwIfAborted()
        await turn()
        signal.throwIfAborted()
      },
    }
  }

  #loggerOf(run: RunId): RunLogger {
    const { logs } = this.#host
    const at =
      (level: LogLevel) =>
      (message: string, data?: unknown): void =>
        logs.add(run, { level, message, data })
    return Object.assign(at('info'), {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
    })
  }
}
