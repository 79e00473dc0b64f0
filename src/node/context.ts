/** What a handler is given beside its input. */
import type { DeviceId, Payload, RunId } from '../../protocol/index.js'
import type { StopReason } from '../engine/index.js'
import type { OutputOf, RunType } from './define-run.js'
import type { Run } from './run.js'
import type { SubmitArguments, SubmitOptions } from './submit-options.js'

/** Why a handler has to stop: the `reason` of its signal. */
export class StopSignal extends Error {
  readonly code: StopReason

  constructor(code: StopReason) {
    super(STOP_SENTENCES[code])
    this.name = 'StopSignal'
    this.code = code
  }
}

/** What each reason means. */
export const STOP_SENTENCES: { readonly [R in StopReason]: string } = {
  cancelled: 'The run was cancelled.',
  superseded: 'Another device has the run, or it has ended.',
  lapsed: 'This device was asleep or blocked for too long, and the run moved on.',
  preempted: 'Something more urgent needs the slot.',
  paused: 'The run was paused.',
  timeout: 'The run took too long, or its deadline passed.',
  shutdown: 'The node is closing.',
  released: 'The run was given back.',
}

/** Logs a line for this run: kept on this device, bounded. `run.logs()` reads them. */
export interface RunLogger {
  /** The same as `info`. */
  (message: string, data?: unknown): void
  debug(message: string, data?: unknown): void
  info(message: string, data?: unknown): void
  warn(message: string, data?: unknown): void
  error(message: string, data?: unknown): void
}

export interface RunContext<Progress = Payload, Checkpoint = Payload> {
  readonly run: RunId
  readonly type: string
  /** The version that the run was submitted with; null if none. */
  readonly version: number | null
  readonly device: DeviceId
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when the run is no longer this handler's; `signal.reason.code` says why. Stop soon: a grace period runs. */
  readonly signal: AbortSignal & { readonly reason: StopSignal | undefined }
  /**
   * Grows with every change of owner. Pass it to whatever you write to, and have it refuse a lower one than it has seen.
   * It can grow while the handler runs: read it each time.
   */
  readonly fence: number
  /** What an earlier attempt last reported by `progress`; null if nothing. */
  readonly checkpoint: Checkpoint | null
  /** Reports how far it has come, and where another attempt may go on. Call it as often as you like: it is coalesced. */
  progress(data: Progress): void
  readonly log: RunLogger
  /** Makes a run on behalf of this one. If this one is cancelled, so are those. */
  submit<T extends RunType>(type: T, ...rest: SubmitArguments<T>): Promise<Run<OutputOf<T>>>
  submit(type: string, input?: Payload, options?: SubmitOptions): Promise<Run>
  /** Lets the event loop turn, so that a long computation keeps its claim. Throws the signal's reason once aborted. */
  yield(): Promise<void>
}

/** Works on runs of one type. What it returns is the result; what it throws fails the attempt. */
export type Handler<Input = Payload, Output = unknown, Progress = Payload, Checkpoint = Payload> = (
  input: Input,
  context: RunContext<Progress, Checkpoint>,
) => Output | Promise<Output>

/** A handler of whatever type. */
export type AnyHandler = Handler<never, unknown, never, never>
