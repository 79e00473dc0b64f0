/** The node: what apps embed. `createNode` makes one. */
import type { Decision, DeviceId, Draft, Payload } from '../../protocol/index.js'
import { fieldFault } from '../../protocol/index.js'
import { needsOfDraft } from '../engine/assign.js'
import { evaluate } from '../engine/index.js'
import type { BatchHandle, BatchProgress, StartBatchOptions } from './batches/index.js'
import { BATCH_FROM, CONCURRENCY, DRAIN_TIMEOUT_MS } from './constants.js'
import type { AnyHandler, Handler } from './context.js'
import type {
  CheckpointOf,
  HandlerInputOf,
  HandlerOutputOf,
  OutputOf,
  ProgressOf,
  RunType,
} from './define-run.js'
import type { Devices } from './devices.js'
import type { Group } from './group.js'
import { invalidOption } from './invalid-option.js'
import { Lease, type LeaseOptions, readLeaseOptions } from './lease.js'
import type { MetricsSnapshot } from './metrics/index.js'
import type { NodeEventName, NodeEvents } from './node-events.js'
import type { DeadLetters, Outbox } from './outbox/index.js'
import type { IngestResult, Rule } from './rules/index.js'
import type { Run } from './run.js'
import type { Runs } from './runs.js'
import type { SubmitArguments, SubmitOptions } from './submit-options.js'
import type { ListenOptions, TypedListener } from './typed-events.js'
import type { Works } from './works.js'

/** One item of `submitMany`. */
export interface SubmitItem {
  readonly type: RunType | string
  readonly input?: unknown
  readonly options?: SubmitOptions | undefined
}

export interface HandleOptions {
  /** Runs of this type at once on this device. @default 10 */
  readonly concurrency?: number | undefined
}

/** What `submitMany` answers: all runs, or, from 100 items on, a batch that goes on by itself. */
export type SubmittedMany =
  | { readonly runs: readonly Run[]; readonly batch: null }
  | { readonly runs: null; readonly batch: BatchHandle }

export class DibsNode {
  readonly #works: Works

  /** Use `createNode`. */
  constructor(works: Works) {
    this.#works = works
  }

  /** This device's id: its public key. */
  get device(): DeviceId {
    return this.#works.device
  }

  /** The group that it works in. */
  get group(): Group {
    return this.#works.group
  }

  get runs(): Runs {
    return this.#works.runs
  }

  get devices(): Devices {
    return this.#works.devices
  }

  /** Delivers lifecycle events to the app or a webhook, at least once: `node.outbox.start(deliver)`. */
  get outbox(): Outbox {
    return this.#works.outbox
  }

  /** Events that could not be delivered. */
  get deadLetters(): DeadLetters {
    return this.#works.outbox.deadLetters
  }

  /**
   * Makes a run. Resolves once it is durable on this device: from then on it is not lost.
   *
   * Throws `INVALID_INPUT`, `INVALID_OPTIONS`, `QUEUE_FULL`, `NOT_A_MEMBER`, `STORE_UNAVAILABLE` or `NODE_CLOSED`;
   * nothing was written then.
   *
   * @example
   * ```ts
   * const run = await node.submit(thumbnail, { file }, { priority: 'high', key: 'photo-17' })
   * const { url } = await run.result()
   * ```
   */
  submit<T extends RunType>(type: T, ...rest: SubmitArguments<T>): Promise<Run<OutputOf<T>>>
  submit(type: string, input?: Payload, options?: SubmitOptions): Promise<Run>
  submit(type: RunType | string, input?: unknown, options?: SubmitOptions): Promise<Run<never>> {
    return this.#works.submitter.submit(type, input, options) as Promise<Run<never>>
  }

  /**
   * Makes many runs. Under 100, all of them are durable when it resolves (up to 768 KB, all or none). From 100 on it answers with
   * a batch, whose plan is durable: it reports progress, can be cancelled, and goes on after a crash without duplicates.
   */
  async submitMany(items: readonly SubmitItem[], options: StartBatchOptions = {}): Promise<SubmittedMany> {
    this.#works.checkOpen()
    if (!Array.isArray(items)) throw invalidOption('items', items, 'a list of { type, input, options }')
    const drafts: Draft<'created'>[] = []
    for (const { type, input, options: settings } of items as readonly SubmitItem[])
      drafts.push(await this.#works.submitter.draftOf(type, input, settings))
    if (items.length < BATCH_FROM) return { runs: await this.#works.submitter.submitAll(drafts), batch: null }
    return { runs: null, batch: await this.#works.batches.start(drafts, options) }
  }

  /** A batch of `submitMany`, also from before a restart. Throws `BATCH_NOT_FOUND`. */
  batch(id: string): BatchHandle {
    return this.#works.batches.get(id)
  }

  batches(): readonly BatchProgress[] {
    return this.#works.batches.list()
  }

  /**
   * Works on runs of a type. Returns what takes the handler away again; what runs then goes on to its end.
   *
   * @example
   * ```ts
   * node.handle(thumbnail, async ({ file }, { signal, progress }) => ({ url: await render(file, signal, progress) }))
   * ```
   */
  handle<T extends RunType>(
    type: T,
    handler: Handler<HandlerInputOf<T>, HandlerOutputOf<T>, ProgressOf<T>, CheckpointOf<T>>,
    options?: HandleOptions,
  ): () => void
  handle(type: string, handler: Handler, options?: HandleOptions): () => void
  handle(
    type: RunType | string,
    handler: AnyHandler,
    { concurrency = CONCURRENCY }: HandleOptions = {},
  ): () => void {
    this.#works.checkOpen()
    if (typeof handler !== 'function') throw invalidOption('handler', handler, 'a function')
    if (concurrency < 1 || fieldFault('slots', concurrency) !== undefined)
      throw invalidOption('concurrency', concurrency, 'a whole number from 1 to 10000')
    return this.#works.handle(type, handler, concurrency)
  }

  /**
   * Pulls the next run that fits, by priority and age: for workers that ask rather than wait to be asked. Null if there
   * is none. Whoever holds the lease calls `complete`, `fail` or `release`, and `heartbeat` or `progress` meanwhile.
   */
  async leaseNext(options: LeaseOptions = {}): Promise<Lease | null> {
    const { core, crew, runHost } = this.#works
    this.#works.checkOpen()
    const leased = await this.#works.keepAlive(core.lease(readLeaseOptions(options)))
    if (leased === null) return null
    const view = runHost.book.view(leased.run)
    const shift = crew.shiftOf(leased.run, leased.assignment)
    return view === null || shift === null ? null : new Lease(runHost, crew, view, shift)
  }

  /** A dry run: who would get such a run now, each candidate with its gates and score, and why. Writes nothing. */
  async evaluate<T extends RunType>(
    type: T | string,
    input?: unknown,
    options?: SubmitOptions,
  ): Promise<Decision> {
    this.#works.checkOpen()
    const draft = await this.#works.submitter.draftOf(type, input, options)
    const { engine } = this.#works.core
    return evaluate(engine, needsOfDraft(engine, draft))
  }

  /** Puts these rules in the place of all before: outside events become runs by policy. Throws `INVALID_OPTIONS`. */
  rules(rules: readonly Rule[]): void {
    this.#works.rules.set(rules)
  }

  /** Takes an outside event in: makes a run for each rule that matches. The same event may come any number of times. */
  async ingest(event: unknown): Promise<IngestResult> {
    this.#works.checkOpen()
    return this.#works.rules.ingest(event)
  }

  /** Counts, depths, rates and times since the start. Plain data. */
  metrics(): MetricsSnapshot {
    return this.#works.snapshot()
  }

  addEventListener<Type extends NodeEventName>(
    type: Type,
    listener: TypedListener<Type, NodeEvents[Type]>,
    options?: ListenOptions,
  ): void {
    this.#works.events.addEventListener(type, listener, options)
  }

  removeEventListener<Type extends NodeEventName>(
    type: Type,
    listener: TypedListener<Type, NodeEvents[Type]>,
  ): void {
    this.#works.events.removeEventListener(type, listener)
  }

  /** The detail of the next such event. */
  once<Type extends NodeEventName>(
    type: Type,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<NodeEvents[Type]> {
    return this.#works.keepAlive(this.#works.events.once(type, options))
  }

  /**
   * Takes no new work and waits for handlers to end; those that have not by then are stopped, and their runs handed back
   * without spending an attempt. The node stays open: it can submit, watch and sync.
   */
  async drain({
    timeoutMs = DRAIN_TIMEOUT_MS,
  }: {
    readonly timeoutMs?: number | undefined
  } = {}): Promise<void> {
    this.#works.checkOpen()
    await this.#works.drain(timeoutMs)
  }

  /** Forgets nothing, loses nothing: hands back what it holds, writes down where it stands, closes. */
  close(): Promise<void> {
    return this.#works.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
