/**
 * What a handler is given, made as it is asked for: a handler that uses none of it costs none of it. Apps take it apart
 * (`{ signal, progress }`), so each function works without its object.
 */
import type { DeviceId, Payload, RunId, RunView } from '../../protocol/index.js'
import type { RunContext, RunLogger } from './context.js'
import type { RunType } from './define-run.js'
import type { LogLevel, RunLogs } from './run-logs.js'
import type { Shift } from './shift.js'
import type { SubmitOptions } from './submit-options.js'
import { checkProgress, readCheckpoint } from './validate.js'

/** What a context needs of its node. */
export interface ContextHost {
  readonly device: DeviceId
  readonly logs: RunLogs
  readonly viewOf: (run: RunId) => RunView | null
  readonly submit: RunContext['submit']
  /** Lets the event loop turn. */
  readonly turn: () => Promise<void>
}

export class ShiftContext implements RunContext<unknown, unknown> {
  readonly run: RunId
  readonly type: string
  readonly version: number | null
  readonly device: DeviceId
  readonly attempt: number
  readonly #stored: Payload
  readonly #type: RunType | string
  readonly #granted: number
  readonly #shift: Shift
  readonly #host: ContextHost
  #log: RunLogger | null = null

  constructor(
    { created, assignment, checkpoint }: RunView,
    shift: Shift,
    type: RunType | string,
    host: ContextHost,
  ) {
    this.run = shift.run
    this.type = created.type
    this.version = created.version ?? null
    this.device = host.device
    this.attempt = assignment?.attempt ?? 1
    this.#stored = checkpoint
    this.#type = type
    this.#granted = assignment?.fence ?? 0
    this.#shift = shift
    this.#host = host
  }

  get signal(): RunContext['signal'] {
    return this.#shift.signal as RunContext['signal']
  }

  get fence(): number {
    const now = this.#host.viewOf(this.run)?.assignment
    return now?.id === this.#shift.assignment ? now.fence : this.#granted
  }

  get checkpoint(): unknown {
    return readCheckpoint(this.#type, this.#stored)
  }

  get progress(): RunContext<unknown>['progress'] {
    return (data) => this.#shift.report(checkProgress(this.#type, data))
  }

  get log(): RunLogger {
    this.#log ??= loggerOf(this.#host.logs, this.run)
    return this.#log
  }

  get submit(): RunContext['submit'] {
    return ((type: string, input: Payload, options?: SubmitOptions) =>
      this.#host.submit(type, input, { ...options, parent: this.run })) as RunContext['submit']
  }

  get yield(): RunContext['yield'] {
    return async () => {
      this.signal.throwIfAborted()
      await this.#host.turn()
      this.signal.throwIfAborted()
    }
  }
}

function loggerOf(logs: RunLogs, run: RunId): RunLogger {
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
