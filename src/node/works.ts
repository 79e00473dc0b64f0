/** The works of a node: its parts, wired together. `node.ts` is the face of it. */
import type { AnyRecord, DeviceId, GroupView } from '../../protocol/index.js'
import type { BeaconDraft, Notice } from '../engine/index.js'
import type { JournalEvent, Journals } from '../journal/index.js'
import type { Verifier } from '../platform/seams.js'
import { Announcer } from './announcer.js'
import { Batches } from './batches/index.js'
import { Closing } from './closing.js'
import { CLOSE_SLACK_MS, LAG_NEWS_MS, POLL_MS, UPKEEP_MS } from './constants.js'
import type { AnyHandler } from './context.js'
import { Core } from './core.js'
import type { CorrectedClock } from './corrected-clock.js'
import { Crew } from './crew.js'
import type { RunType } from './define-run.js'
import { Devices } from './devices.js'
import { Facts } from './facts.js'
import { Group } from './group.js'
import { isChanged, membersOf } from './group-changes.js'
import { Holder } from './holder.js'
import type { Home } from './home.js'
import type { Machine } from './host.js'
import { Link } from './link.js'
import type { Metrics, MetricsSnapshot } from './metrics/index.js'
import { closedError, nodeErrorOf } from './node-error.js'
import { type NodeEvents, runEventOf } from './node-events.js'
import type { FullOptions } from './options.js'
import type { Outbox } from './outbox/index.js'
import { ProfileWriter } from './profile-writer.js'
import { Rules } from './rules/index.js'
import type { RunHost } from './run.js'
import type { Change, RunBook } from './run-book.js'
import type { RunLogs } from './run-logs.js'
import { Runs } from './runs.js'
import { Schedule } from './schedule.js'
import type { SubmitOptions } from './submit-options.js'
import { Submitter } from './submitter.js'
import { TypedEvents } from './typed-events.js'
import { upkeep } from './upkeep.js'

/** What `createNode` has opened. */
export interface Parts {
  readonly options: FullOptions
  readonly machine: Machine
  readonly home: Home
  readonly verifier: Verifier
  readonly clock: CorrectedClock
  readonly journals: Journals
  readonly book: RunBook
  readonly metrics: Metrics
  readonly logs: RunLogs
  readonly outbox: Outbox
}

export class Works {
  readonly device: DeviceId
  readonly core: Core
  readonly crew: Crew
  readonly group: Group
  readonly runs: Runs
  readonly devices: Devices
  readonly rules: Rules
  readonly submitter: Submitter
  readonly events: TypedEvents<NodeEvents> = new TypedEvents()
  readonly runHost: RunHost
  readonly #parts: Parts
  readonly #facts: Facts
  readonly #link: Link | null
  readonly #closing = new Closing()
  readonly #schedule: Schedule
  readonly #holder: Holder
  readonly #announcer: Announcer
  readonly #profile: ProfileWriter
  #members: string
  #batches: Batches | null = null
  #lastBeacon: Promise<void> = Promise.resolve()
  #closed: Promise<void> | null = null

  constructor(parts: Parts) {
    const { options, home, clock, journals, book, logs } = parts
    this.#parts = parts
    this.device = home.signer.device
    this.#announcer = new Announcer(this.events)
    this.#schedule = new Schedule(clock)
    this.#holder = new Holder(parts.machine.hold)
    this.#members = membersOf(journals.group)
    this.#facts = new Facts({ ...options, name: options.name ?? `device-${this.device.slice(-6)}` })
    this.#link = this.#makeLink()
    this.core = this.#makeCore()
    this.crew = this.#makeCrew()
    this.#profile = new ProfileWriter({
      clock,
      schedule: this.#schedule,
      facts: this.#facts,
      engine: this.core.engine,
      hasNetwork: this.#link !== null,
      handles: () => this.crew.handles,
      mayWrite: () => this.#closed === null && this.group.isMember,
      write: (draft) => void this.core.write([draft]).catch((error: unknown) => this.#onError(error)),
    })
    this.runHost = {
      core: this.core,
      book,
      logs,
      device: this.device,
      deviceName: () => this.#facts.name,
      wallMs: () => clock.wallMs(),
      checkOpen: () => this.checkOpen(),
      closing: this.#closing,
      setTimer: (delayMs, callback) => clock.setTimer(delayMs, callback),
      hold: () => this.#holder.hold(),
    }
    this.group = new Group(journals.group.id, this.core, this.device, () => this.checkOpen())
    this.runs = new Runs(this.runHost, (name) => this.crew.typeOf(name))
    this.devices = new Devices(this.core)
    this.submitter = new Submitter(this.runHost, options.heartbeat, (name) => this.crew.typeOf(name))
    this.rules = new Rules(async (type, input, settings) => {
      const run = await this.submitter.submit(type as RunType | string, input, settings as SubmitOptions)
      return { run: run.id, isNew: run.isNew }
    })
  }

  get batches(): Batches {
    this.checkOpen()
    return this.#batches as Batches
  }

  get outbox(): Outbox {
    return this.#parts.outbox
  }

  /** All is wired: begins to decide, and to talk. */
  async start(): Promise<void> {
    const { journals, book, home, clock, options } = this.#parts
    this.core.dispatch({ type: 'start', group: journals.group, views: book.index.open() })
    this.#tellFacts()
    this.#batches = await Batches.open({
      store: home.store,
      clock,
      random: options.random ?? this.#parts.machine.platform.random,
      submitChunk: async (drafts) =>
        (await this.submitter.submitAll(drafts)).map(({ id, isNew }) => ({ run: id, isNew })),
      cancelRun: async (run) => {
        await this.runs.get(run)?.cancel('Its batch was cancelled.')
      },
    })
    this.#batches.resumeAll()
    this.#schedule.every(UPKEEP_MS, () => void this.upkeep().catch((error: unknown) => this.#onError(error)))
    if (options.power !== undefined || options.load !== undefined)
      this.#schedule.every(POLL_MS, () => this.#tellFacts())
    this.#profile.soon()
    await this.#link?.start()
  }

  checkOpen(): void {
    if (this.#closed !== null) throw closedError()
  }

  /** Keeps the process alive while somebody waits for this. */
  keepAlive<T>(work: Promise<T>): Promise<T> {
    return work.finally(this.#holder.hold())
  }

  // --- handlers

  handle(type: RunType | string, handler: AnyHandler, concurrency: number): () => void {
    const remove = this.crew.register(type, handler, concurrency)
    const letGo = this.#holder.hold()
    this.#tellFacts()
    this.#profile.soon()
    return () => {
      remove()
      letGo()
      this.#tellFacts()
      this.#profile.soon()
    }
  }

  #tellFacts(): void {
    this.core.dispatch({ type: 'local', facts: this.#facts.local(this.crew.handles) })
  }

  // --- what the journals tell

  onJournalEvent(event: JournalEvent): void {
    switch (event.type) {
      case 'records':
        this.#onRecords(event.journal, event.records, event.own)
        return
      case 'withdrawn':
        this.#onWithdrawn(event.records)
        return
      case 'group':
        this.#onGroup(event.group)
        return
      case 'equivocation': {
        const { device, journal } = event.proof.log
        this.events.emit('node:equivocation', { device, journal, sequence: event.proof.sequence })
        return
      }
      case 'damaged':
        this.events.emit('node:damaged', { journal: event.log.journal, message: event.message })
        return
    }
  }

  #onRecords(journal: string, records: readonly AnyRecord[], own: boolean): void {
    const changes = this.#parts.book.take(journal, records)
    this.outbox.take(journal, records)
    // Of its own records the engine is told when they are durable, with the answer to its append.
    if (!own && changes.length > 0) this.#tellViews(changes)
    if (!this.events.isUnheard) for (const change of changes) this.#emit(change, own)
  }

  #onWithdrawn(records: readonly AnyRecord[]): void {
    const { changes, gone } = this.#parts.book.withdraw(records)
    if (gone.length > 0) this.core.dispatch({ type: 'forgotten', runs: gone })
    if (changes.length > 0) this.#tellViews(changes)
  }

  #tellViews(changes: readonly Change[]): void {
    this.core.dispatch({ type: 'views', views: changes.map(({ after }) => after) })
  }

  #emit({ after, records }: Change, own: boolean): void {
    for (const record of records) {
      const name = runEventOf(record, after)
      if (name !== null && this.events.hasListeners(name))
        this.events.emit(name, { run: after.run, view: after, record, own })
    }
  }

  #onGroup(group: GroupView): void {
    const before = this.core.engine.group
    const members = membersOf(group)
    if (members !== this.#members) {
      this.#members = members
      const { changes, gone } = this.#parts.book.setGroup(group)
      this.core.dispatch({ type: 'group', group })
      if (gone.length > 0) this.core.dispatch({ type: 'forgotten', runs: gone })
      this.#tellViews(changes)
      this.#link?.review()
      this.#profile.soon()
    } else this.core.dispatch({ type: 'group', group })
    for (const device of group.members.keys()) {
      if (!before.members.has(device)) this.events.emit('device:joined', { device })
      else if (isChanged(before, group, device)) this.events.emit('device:changed', { device })
    }
    this.events.emit('group:changed', { group })
  }

  // --- what the engine asks for

  #makeCore(): Core {
    const { options, clock, journals, book } = this.#parts
    return new Core(
      {
        group: journals.group.id,
        device: this.device,
        incarnation: journals.incarnation,
        heartbeat: options.heartbeat,
        choose: options.choose,
        willing: options.willing,
        abortGraceMs: options.abortGraceMs,
        ageStepMs: options.ageStepMs,
      },
      clock,
      book,
      journals.group,
      {
        commit: (fill) => journals.commit(fill),
        startWork: (run, assignment) => this.crew.start(run, assignment),
        stopWork: (run, assignment, reason) => this.crew.stop(run, assignment, reason),
        abandonWork: (run, assignment) => this.crew.abandon(run, assignment),
        startLease: (run, assignment) => void this.crew.begin(run, assignment),
        sendBeacon: (beacon) => this.#sendBeacon(beacon),
        sync: () => this.#sync(),
        tell: (notice) => this.#onNotice(notice),
        onLag: (lagMs) => this.#onLag(lagMs),
      },
    )
  }

  #makeCrew(): Crew {
    const { clock, logs, book, machine } = this.#parts
    return new Crew({
      clock,
      device: this.device,
      logs,
      viewOf: (run) => book.view(run),
      write: (drafts) => this.core.write(drafts),
      ended: (run, assignment, outcome) => this.core.ended(run, assignment, outcome),
      submit: ((type: RunType | string, input: unknown, options?: SubmitOptions) =>
        this.submitter.submit(type, input, options)) as never,
      turn: machine.turn,
    })
  }

  #makeLink(): Link | null {
    const { options, home, verifier, clock, journals, machine } = this.#parts
    if (options.transport === undefined) return null
    return new Link({
      transport: options.transport,
      journals,
      signer: home.signer,
      verifier,
      openBeacon: machine.openBeacon,
      clock,
      random: options.random ?? machine.platform.random,
      onBeacon: (beacon) => this.core.dispatch({ type: 'beacon', beacon }),
      onConnection: (device, quality) => this.core.dispatch({ type: 'connection', device, quality }),
      onSynced: () => this.core.dispatch({ type: 'synced' }),
      onError: (error) => this.#onError(error),
    })
  }

  /** Own batches that became durable go out by this. */
  publish(message: Uint8Array): void {
    this.#link?.publish(message)
  }

  #sendBeacon(beacon: BeaconDraft): void {
    if (this.#link !== null && this.group.isMember) this.#lastBeacon = this.#link.sendBeacon(beacon)
  }

  /** Without a network there is nobody to wait for. Else each sync that ends well says so, and one that fails does not. */
  #sync(): void {
    if (this.#link === null) this.core.dispatch({ type: 'synced' })
    else void this.#link.syncAll()
  }

  #onNotice(notice: Notice): void {
    if (notice.type === 'online') this.#profile.soon()
    this.#announcer.announce(notice)
  }

  #onLag(lagMs: number): void {
    this.#facts.lagMs = this.#announcer.lag(lagMs)
    const isNews = Math.abs(this.#facts.lagMs - (this.core.engine.local?.lagMs ?? 0)) >= LAG_NEWS_MS
    if (isNews) this.#tellFacts()
  }

  #onError(error: unknown): void {
    this.events.emit('node:error', { error })
  }

  // --- upkeep, figures, the end

  upkeep(): Promise<readonly string[]> {
    const { journals, home, book, outbox, logs, options } = this.#parts
    return upkeep({
      journals,
      store: home.store,
      book,
      outbox,
      logs,
      retentionMs: options.retentionMs,
      wallMs: this.#parts.clock.wallMs(),
      onForgotten: (runs) => this.core.dispatch({ type: 'forgotten', runs }),
    })
  }

  snapshot(): MetricsSnapshot {
    const { engine, storeErrors } = this.core
    const { metrics, outbox, logs } = this.#parts
    const skewMs = engine.peers.skew(engine.now)
    return metrics.snapshot({
      ...this.#announcer.gauges,
      loopLagMs: this.#facts.lagMs,
      clockSkewMs: skewMs === null ? null : skewMs + engine.pulse.skewMs,
      slots: engine.local?.slots ?? 0,
      active: engine.used,
      peers: this.#link?.peers.length ?? 0,
      outbox: outbox.pending(),
      storeErrors: storeErrors + logs.storeErrors + (this.#batches?.storeErrors ?? 0),
    })
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#facts.isDraining = true
    this.#tellFacts()
    if (!(await this.#idleWithin(timeoutMs))) await this.#handBack()
  }

  async #handBack(): Promise<void> {
    this.core.dispatch({ type: 'shutdown' })
    await this.#idleWithin(this.core.engine.config.abortGraceMs + CLOSE_SLACK_MS)
  }

  #idleWithin(timeoutMs: number): Promise<boolean> {
    if (this.core.engine.isIdle) return Promise.resolve(true)
    return new Promise((resolve) => {
      const letGo = this.#holder.hold()
      const cancel = this.#parts.clock.setTimer(timeoutMs, () => {
        letGo()
        resolve(false)
      })
      void this.core.idle().then(() => {
        cancel()
        letGo()
        resolve(true)
      })
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { journals, outbox, logs, home } = this.#parts
    this.#schedule.close()
    await this.#handBack()
    await this.#batches?.close()
    this.core.dispatch({ type: 'leave' })
    await this.#lastBeacon
    this.core.close()
    this.#closing.close()
    const ends = [() => journals.close(), () => outbox.close(), () => logs.close(), () => this.#link?.close()]
    if (home.isOwnStore) ends.push(() => home.store.close())
    const faults: unknown[] = []
    // What one of them cannot write, on a full disk, must leave neither the others open nor the process alive.
    for (const end of ends) await Promise.resolve(end()).catch((error: unknown) => void faults.push(error))
    this.events.close()
    this.#holder.letGo()
    if (faults.length > 0) throw nodeErrorOf(faults[0])
  }
}
