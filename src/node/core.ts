/**
 * The thin shell around the engine: hands it what happens, carries out what it decides, and answers those who asked.
 *
 * Events are handed in one after the other: what follows from carrying out an effect waits until the effects before it
 * are carried out.
 */
import type { AnyRecord, Draft, GroupView, RecordId, RunId, RunView } from '../../protocol/index.js'
import {
  type BeaconDraft,
  createEngine,
  type Effect,
  type EngineEvent,
  type EngineSettings,
  type EngineState,
  type LeaseQuery,
  type Notice,
  type Now,
  type Outcome,
  resolveRefs,
  type StopReason,
  step,
} from '../engine/index.js'
import type { Write } from '../journal/index.js'
import type { CancelTimer } from '../platform/seams.js'
import type { CorrectedClock } from './corrected-clock.js'
import { closedError, nodeErrorOf } from './node-error.js'
import type { RunBook } from './run-book.js'

/** What carries out the effects that reach beyond the core. */
export interface CoreHost {
  readonly commit: (fill: (write: Write) => void) => Promise<readonly AnyRecord[]>
  readonly startWork: (run: RunId, assignment: RecordId) => void
  readonly stopWork: (run: RunId, assignment: RecordId, reason: StopReason) => void
  readonly abandonWork: (run: RunId, assignment: RecordId) => void
  readonly startLease: (run: RunId, assignment: RecordId) => void
  readonly sendBeacon: (beacon: BeaconDraft) => void
  readonly sync: () => void
  readonly tell: (notice: Notice) => void
  /** The engine's timer fired so much too late. */
  readonly onLag: (lagMs: number) => void
}

/** Milliseconds after which a node whose engine failed looks at everything again. */
const FAULT_WAIT_MS = 1_000

/** A run that was pulled. */
export interface Leased {
  readonly run: RunId
  readonly assignment: RecordId
}

type WithoutNow<E> = E extends EngineEvent ? Omit<E, 'now'> : never
type Happening = WithoutNow<EngineEvent>
/** An event as it waits for its turn: the time is that of its turn. */
type Timed = EngineEvent & { now: Now }

const NOT_YET: Now = { wallMs: 0, monoMs: 0 }

interface Asker {
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
}

export class Core {
  readonly engine: EngineState
  readonly #clock: CorrectedClock
  readonly #book: RunBook
  readonly #host: CoreHost
  readonly #asks = new Map<number, Asker>()
  readonly #queue: Timed[] = []
  #askCount = 0
  #isStepping = false
  #cancelTimer: CancelTimer | null = null
  #idleWaiters: (() => void)[] = []
  #isClosed = false
  /** Appends that the store refused, since the start. */
  storeErrors = 0

  constructor(
    settings: Omit<EngineSettings, 'viewOf' | 'recordsOf'>,
    clock: CorrectedClock,
    book: RunBook,
    group: GroupView,
    host: CoreHost,
  ) {
    this.#clock = clock
    this.#book = book
    this.#host = host
    this.engine = createEngine(
      { ...settings, viewOf: (run) => book.view(run), recordsOf: (run) => book.records(run) },
      this.#now,
      group,
    )
  }

  get #now(): Now {
    return { wallMs: this.#clock.wallMs(), monoMs: this.#clock.monotonicMs() }
  }

  dispatch(event: Happening): void {
    this.#hand({ ...event, now: NOT_YET } as Timed)
  }

  #hand(event: Timed): void {
    if (this.#isClosed) return
    if (this.#isStepping) {
      this.#queue.push(event)
      return
    }
    this.#isStepping = true
    try {
      for (let next: Timed | undefined = event; next !== undefined; next = this.#queue.shift()) {
        next.now = this.#now
        for (const effect of step(this.engine, next)) this.#carryOut(effect)
      }
    } finally {
      this.#isStepping = false
    }
    if (this.#idleWaiters.length > 0 && this.engine.isIdle) this.#tellIdle()
  }

  /** Makes a run. Resolves once it is durable, with all that was written for it. */
  submit(draft: Draft<'created'>): Promise<readonly AnyRecord[]> {
    return this.#ask((ask) => this.#hand({ type: 'submit', ask, draft, now: NOT_YET }))
  }

  /** Writes records together. Resolves once they are durable. */
  write(drafts: readonly Draft[]): Promise<readonly AnyRecord[]> {
    return this.#ask((ask) => this.dispatch({ type: 'write', ask, drafts }))
  }

  lease(query: LeaseQuery): Promise<Leased | null> {
    return this.#ask((ask) => this.dispatch({ type: 'lease', ask, query }))
  }

  ended(run: RunId, assignment: RecordId, outcome: Outcome): void {
    this.#hand({ type: 'ended', run, assignment, outcome, now: NOT_YET })
  }

  /** Resolves once nothing runs here and nothing is being written. */
  idle(): Promise<void> {
    if (this.engine.isIdle || this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => void this.#idleWaiters.push(resolve))
  }

  /** Decides nothing more. Whoever waits for an answer is told. */
  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#tellIdle()
    for (const { reject } of this.#asks.values()) reject(closedError())
    this.#asks.clear()
  }

  #tellIdle(): void {
    const waiters = this.#idleWaiters
    this.#idleWaiters = []
    for (const resolve of waiters) resolve()
  }

  #ask<T>(begin: (ask: number) => void): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      const ask = ++this.#askCount
      this.#asks.set(ask, { resolve: resolve as Asker['resolve'], reject })
      begin(ask)
    })
  }

  #answer(ask: number | null, answer: unknown): void {
    if (ask === null) return
    const asker = this.#asks.get(ask)
    this.#asks.delete(ask)
    asker?.resolve(answer as never)
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'append':
        this.#append(effect)
        return
      case 'work':
        this.#host.startWork(effect.run, effect.assignment)
        return
      case 'stop':
        this.#host.stopWork(effect.run, effect.assignment, effect.reason)
        return
      case 'abandon':
        this.#host.abandonWork(effect.run, effect.assignment)
        return
      case 'leased':
        this.#lease(effect)
        return
      case 'timer':
        this.#setTimer(effect.atMs)
        return
      case 'beacon':
        this.#host.sendBeacon(effect.beacon)
        return
      case 'sync':
        this.#host.sync()
        return
      case 'correct':
        this.#clock.skewMs = effect.skewMs
        return
      case 'tell':
        this.#host.tell(effect.notice)
        return
    }
  }

  /** Its shift begins before it is handed out: it may be told to stop before whoever asked has it. */
  #lease({ ask, run, assignment }: Extract<Effect, { readonly type: 'leased' }>): void {
    const leased = run === null || assignment === null ? null : { run, assignment }
    if (leased !== null) this.#host.startLease(leased.run, leased.assignment)
    this.#answer(ask, leased)
  }

  #append({ drafts, token, ask }: Extract<Effect, { readonly type: 'append' }>): void {
    this.#host
      .commit((write) => {
        const [first] = drafts
        if (drafts.length === 1 && first !== undefined) {
          write(first)
          return
        }
        const written: AnyRecord[] = []
        for (const draft of drafts) written.push(write(resolveRefs(draft, written)) as AnyRecord)
      })
      .then(
        (records) => {
          this.#hand({ type: 'appended', token, records, views: this.#viewsOf(records), now: NOT_YET })
          this.#answer(ask, records)
        },
        (error: unknown) => {
          this.storeErrors++
          this.dispatch({ type: 'appended', token, records: null, views: [] })
          if (ask === null) return
          const asker = this.#asks.get(ask)
          this.#asks.delete(ask)
          asker?.reject(nodeErrorOf(error))
        },
      )
  }

  #viewsOf(records: readonly AnyRecord[]): readonly RunView[] {
    const views: RunView[] = []
    let last = ''
    for (const record of records) {
      if (!('run' in record) || record.run === last) continue
      last = record.run
      const view = this.#book.view(last)
      if (view !== null && !views.includes(view)) views.push(view)
    }
    return views
  }

  #setTimer(atMs: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    if (atMs === Number.POSITIVE_INFINITY || this.#isClosed) return
    const delayMs = Math.max(0, atMs - this.#clock.monotonicMs())
    this.#cancelTimer = this.#clock.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#host.onLag(Math.max(0, this.#clock.monotonicMs() - atMs))
      try {
        this.dispatch({ type: 'wake' })
      } finally {
        // A fault in the engine comes up as an uncaught error. It must not be the last thing that happens here.
        if (this.#cancelTimer === null) this.#setTimer(this.#clock.monotonicMs() + FAULT_WAIT_MS)
      }
    })
  }
}
