/** A handle on one run: what an app holds in its hands after `submit`. */
import {
  type DeviceId,
  type Draft,
  isTerminal,
  type Payload,
  type RunId,
  type RunView,
} from '../../protocol/index.js'
import { type Explanation, explain } from '../engine/index.js'
import { textOf } from '../engine/text.js'
import type { Closing } from './closing.js'
import type { Core } from './core.js'
import type { RunType } from './define-run.js'
import { OwnershipError, RunError } from './errors.js'
import { invalidOption } from './invalid-option.js'
import type { RunBook } from './run-book.js'
import { checkMayWrite, manualDraft, mayApprove } from './run-commands.js'
import { endError, notFound, notOwner, terminal } from './run-errors.js'
import { type HistoryEntry, historyOf } from './run-history.js'
import type { LogLine, RunLogs } from './run-logs.js'
import { applySetting, type CreatedFields, type Priority } from './run-settings.js'
import { readOutput } from './validate.js'
import { waitForView } from './wait-for-view.js'
import { watchViews } from './watch-views.js'

/** What a run needs of its node. */
export interface RunHost {
  readonly core: Core
  readonly book: RunBook
  readonly logs: RunLogs
  readonly device: DeviceId
  readonly deviceName: () => string
  readonly wallMs: () => number
  readonly checkOpen: () => void
  readonly closing: Closing
  readonly setTimer: (delayMs: number, callback: () => void) => () => void
  /** Keeps the process alive until the returned function is called. */
  readonly hold: () => () => void
}

export interface WaitOptions {
  /** Stops waiting; the run goes on. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds to wait at most; the run goes on. */
  readonly timeoutMs?: number | undefined
}

export interface ApproveOptions {
  /** Who agreed: a name for people. @default the device's name */
  readonly by?: string | undefined
  readonly reason?: string | undefined
  /** For how many milliseconds it counts. @default for good */
  readonly expiresInMs?: number | undefined
}

export class Run<Output = Payload> {
  readonly id: RunId
  /** False if a run with the same key was there already. */
  readonly isNew: boolean
  readonly #host: RunHost
  readonly #type: RunType | string

  /** Use `submit` or `runs.get`. */
  constructor(host: RunHost, id: RunId, type: RunType | string, isNew: boolean) {
    this.#host = host
    this.id = id
    this.#type = type
    this.isNew = isNew
  }

  /** How it stands now. Throws `RUN_NOT_FOUND` if it is no longer kept here. */
  get view(): RunView {
    const view = this.#host.book.view(this.id)
    if (view === null) throw notFound(this.id)
    return view
  }

  get state(): RunView['state'] {
    return this.view.state
  }

  /**
   * The result, once there is one. Rejects with a `RunError` if the run fails or is cancelled, and with `TIMEOUT`,
   * `ABORTED` or `NODE_CLOSED` if the wait ends before: the run itself goes on.
   *
   * @example
   * ```ts
   * const { url } = await run.result({ signal })
   * ```
   */
  async result(options: WaitOptions = {}): Promise<Output> {
    const view = await this.#until(({ state }) => isTerminal(state), options)
    if (view.result === null) throw endError(view)
    const output = readOutput(this.#type, view.result.output)
    return (output instanceof Promise ? await output : output) as Output
  }

  /** The view now, and whenever it changes, up to and including its end. A slow reader gets the latest, not all. */
  watch(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterable<RunView> {
    return watchViews(this.#host, this.id, options.signal)
  }

  /** Calls it off, from any device. A handler that runs is told by its signal; child runs are cancelled with it. */
  async cancel(reason?: string): Promise<void> {
    const { round } = this.#open('cancel')
    await this.#write({ kind: 'cancelled', run: this.id, ...roundOf(round), ...textField('reason', reason) })
  }

  /** Lets it wait until `resume`. A handler that runs is stopped; it goes on from its checkpoint. */
  async pause(reason?: string): Promise<void> {
    if (this.#open('pause').paused !== null) return
    await this.#write({ kind: 'paused', run: this.id, ...textField('reason', reason) })
  }

  async resume(): Promise<void> {
    if (this.#open('resume').paused === null) return
    await this.#write({ kind: 'resumed', run: this.id })
  }

  /** Gives it back, for another device to take. Only its owner can. Spends no attempt. Throws `NOT_OWNER`. */
  async release(note?: string): Promise<void> {
    const { host, view } = { host: this.#host, view: this.#open('release') }
    const assignment = view.assignment?.id
    if (view.owner !== host.device || assignment === undefined) throw notOwner(this.id)
    host.core.dispatch({
      type: 'release',
      run: this.id,
      note: note === undefined ? null : readText('note', note),
    })
    await this.#until(
      (now) => isTerminal(now.state) || now.assignment?.id !== assignment || now.assignment.givenUp !== null,
    )
  }

  /** Opens a new round of a failed or cancelled run, with all its attempts. Throws `RUN_OPEN`, or `RUN_TERMINAL` if it is completed. */
  async retry(reason?: string): Promise<void> {
    this.#host.checkOpen()
    const { state, round, error, cancelled } = this.view
    const ended = (error ?? cancelled)?.record
    if (state === 'completed') throw terminal(this.id, state, 'retry')
    if (ended === undefined) {
      throw new RunError(
        'RUN_OPEN',
        `The run ${this.id} has not ended. Nothing was written; cancel it first.`,
        {
          run: this.id,
          state,
        },
      )
    }
    await this.#write({
      kind: 'retried',
      run: this.id,
      round: round + 1,
      ended,
      ...textField('reason', reason),
    })
  }

  /** Agrees to it, where it needs an approval. Throws `NOT_APPROVER` if this device may not. */
  async approve(options: ApproveOptions = {}): Promise<void> {
    const view = this.#open('approve')
    const { core, device, deviceName, wallMs } = this.#host
    if (!mayApprove(core.engine.group.members.get(device), view, device)) {
      throw new OwnershipError(
        'NOT_APPROVER',
        `This device may not approve the run ${this.id}. Nothing was written; approve it where its policy allows.`,
        { run: this.id, approval: view.created.approval },
      )
    }
    const { by = deviceName(), reason, expiresInMs } = options
    if (expiresInMs !== undefined && !(Number.isSafeInteger(expiresInMs) && expiresInMs > 0))
      throw invalidOption('expiresInMs', expiresInMs, 'whole milliseconds from 1')
    const expires = expiresInMs === undefined ? {} : { expiresAt: Math.ceil(wallMs()) + expiresInMs }
    await this.#write({ kind: 'approved', run: this.id, by, ...textField('reason', reason), ...expires })
  }

  /** Changes its priority. */
  async expedite(priority: Priority): Promise<void> {
    this.#open('expedite')
    const fields: CreatedFields = { priority: 0 }
    applySetting(fields, 'priority', priority)
    await this.#write({
      kind: 'expedited',
      run: this.id,
      priority: (fields['priority'] as number | undefined) ?? 0,
    })
  }

  /**
   * Gives it to another device by hand: to this one, or to the best there is. Spends no attempt.
   *
   * Throws `NO_CAPABLE_DEVICE` (with the gates in `details`), or `APPROVAL_REQUIRED`.
   */
  async reassign(options: { readonly to?: DeviceId | undefined } = {}): Promise<void> {
    const view = this.#open('reassign')
    await this.#write(manualDraft(this.#host.core, view, options.to))
  }

  /** Why it is where it is, what comes next, and who else could do it. */
  explain(): Explanation {
    return explain(this.#host.core.engine, this.view)
  }

  /** Every assignment that it had, in order. */
  history(): readonly HistoryEntry[] {
    return historyOf(this.view)
  }

  /** What handlers on this device logged for it. */
  logs(): Promise<readonly LogLine[]> {
    return this.#host.logs.read(this.id)
  }

  #open(what: string): RunView {
    this.#host.checkOpen()
    const { view } = this
    if (isTerminal(view.state)) throw terminal(this.id, view.state, what)
    return view
  }

  async #write(draft: Draft): Promise<void> {
    checkMayWrite(this.#host.core)
    await this.#host.core.write([draft])
  }

  #until(holds: (view: RunView) => boolean, options: WaitOptions = {}): Promise<RunView> {
    return waitForView(this.#host, this.id, holds, options)
  }
}

function roundOf(round: number): { readonly round?: number } {
  return round > 0 ? { round } : {}
}

function textField<N extends string>(name: N, text: string | undefined): { readonly [P in N]?: string } {
  return (text === undefined ? {} : { [name]: readText(name, text) }) as { readonly [P in N]?: string }
}

function readText(option: string, text: string): string {
  if (typeof text !== 'string') throw invalidOption(option, text, 'text')
  return textOf(text)
}
