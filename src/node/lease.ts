/** A run that was pulled: whoever holds it works in its own way, and says how it ended. */
import {
  fieldFault,
  isTerminal,
  type Payload,
  type RecordId,
  type RunId,
  type RunView,
} from '../../protocol/index.js'
import type { LeaseQuery, Outcome } from '../engine/index.js'
import { textOf } from '../engine/text.js'
import { LEASE_MS } from './constants.js'
import type { RunContext } from './context.js'
import type { Crew } from './crew.js'
import type { RunType } from './define-run.js'
import { OwnershipError } from './errors.js'
import { failureOf } from './failure.js'
import { invalidOption, unknownOption } from './invalid-option.js'
import type { RunHost } from './run.js'
import type { Shift } from './shift.js'
import { validateOutput } from './validate.js'
import { waitForView } from './wait-for-view.js'

export interface LeaseOptions {
  /** Runs of this project only. */
  readonly project?: string | undefined
  /** Runs of this type only. */
  readonly type?: string | undefined
  /** What the worker can do. @default what the device can */
  readonly capabilities?: readonly string[] | undefined
  /** Milliseconds without `heartbeat` or `progress` after which the lease is lost. @default 90_000 */
  readonly leaseMs?: number | undefined
}

const LEASE_FIELDS: {
  readonly [O in keyof LeaseOptions]-?: readonly [Parameters<typeof fieldFault>[0], string]
} = {
  project: ['name', 'the name of a project'],
  type: ['name', 'the name of a run type'],
  capabilities: ['names', 'a list of names'],
  leaseMs: ['duration', 'whole milliseconds from 1'],
}
const LEASE_OPTIONS = Object.keys(LEASE_FIELDS) as (keyof LeaseOptions)[]

/** What is asked for. Throws `INVALID_OPTIONS`. */
export function readLeaseOptions(options: LeaseOptions): LeaseQuery {
  if (typeof options !== 'object' || options === null) throw invalidOption('options', options, 'an object')
  for (const name of Object.keys(options))
    if (!Object.hasOwn(LEASE_FIELDS, name)) throw unknownOption(name, LEASE_OPTIONS)
  for (const name of LEASE_OPTIONS) {
    const [field, allowed] = LEASE_FIELDS[name]
    if (options[name] !== undefined && fieldFault(field, options[name]) !== undefined)
      throw invalidOption(name, options[name], allowed)
  }
  const { leaseMs = LEASE_MS, project, type, capabilities } = options
  return {
    leaseMs,
    ...(project !== undefined && { project }),
    ...(type !== undefined && { type }),
    ...(capabilities !== undefined && { capabilities: [...capabilities] }),
  }
}

/** What a failure is reported as: an error, or its parts. */
export interface LeaseFailure {
  readonly code?: string
  readonly message: string
  readonly details?: unknown
  /** False: no further attempt makes sense. @default true */
  readonly retry?: boolean
}

export class Lease {
  readonly run: RunId
  readonly assignment: RecordId
  readonly type: string
  readonly project: string | null
  readonly input: Payload
  readonly #context: RunContext
  readonly #crew: Crew
  readonly #host: RunHost
  readonly #shift: Shift
  readonly #runType: RunType | string
  #isEnding = false

  /** Use `node.leaseNext`. */
  constructor(host: RunHost, crew: Crew, view: RunView, shift: Shift) {
    const { created } = view
    this.run = view.run
    this.assignment = shift.assignment
    this.type = created.type
    this.project = created.project ?? null
    this.input = created.input ?? null
    this.#host = host
    this.#crew = crew
    this.#shift = shift
    this.#runType = crew.typeOf(created.type)
    this.#context = crew.contextOf(view, shift, this.#runType) as RunContext
  }

  get attempt(): number {
    return this.#context.attempt
  }

  get checkpoint(): Payload {
    return this.#context.checkpoint
  }

  /** Aborted when the run is no longer the holder's; `signal.reason.code` says why. */
  get signal(): RunContext['signal'] {
    return this.#context.signal
  }

  /** Pass it to whatever is written to. It can grow while the lease is held. */
  get fence(): number {
    return this.#context.fence
  }

  get log(): RunContext['log'] {
    return this.#context.log
  }

  /** Shows that the holder lives. Throws `STALE_FENCE` if the run has moved on. */
  heartbeat(): void {
    this.#checkHeld()
    this.#host.core.dispatch({ type: 'renew', run: this.run, assignment: this.assignment })
  }

  /** Reports how far it has come; also a heartbeat. */
  progress(data: Payload): void {
    this.heartbeat()
    this.#context.progress(data)
  }

  /** The result. Resolves once it is durable. Throws `STALE_FENCE`, or `INVALID_OUTPUT` with the lease still held. */
  async complete(output?: unknown): Promise<void> {
    this.#checkHeld()
    await this.#end({ type: 'completed', output: await validateOutput(this.#runType, output) })
  }

  /** The attempt failed. It is tried again as the run's retry policy says. */
  async fail(error: LeaseFailure | Error): Promise<void> {
    this.#checkHeld()
    await this.#end({ type: 'failed', ...failureOf(error) })
  }

  /** Gives it back, for another to take. Spends no attempt. */
  async release(note?: string): Promise<void> {
    this.#checkHeld()
    await this.#end({ type: 'released', note: note === undefined ? null : textOf(note) })
  }

  async #end(outcome: Outcome): Promise<void> {
    this.#isEnding = true
    const { assignment } = this
    const ended = waitForView(this.#host, this.run, (view) => hasEnded(view, assignment))
    await this.#crew.finish(this.#shift, outcome)
    const view = await ended
    const isTaken = outcome.type !== 'completed' || view.result?.assignment === assignment
    if (!isTaken && !view.conflicts.some(({ type }) => type === 'completed')) throw stale(this.run)
  }

  #checkHeld(): void {
    this.#host.checkOpen()
    if (this.#isEnding || this.#shift.isStopped) throw stale(this.run)
  }
}

/** Whether what the holder said about its assignment is in the view, or something else ended it. */
function hasEnded({ state, assignment }: RunView, held: RecordId): boolean {
  return isTerminal(state) || assignment?.id !== held || assignment.givenUp !== null
}

function stale(run: RunId): OwnershipError {
  return new OwnershipError(
    'STALE_FENCE',
    `The run ${run} is no longer this lease’s: it ended, was given back, or moved on. Nothing was written.`,
    { run },
  )
}
