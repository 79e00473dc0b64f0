/** Sees everything: what is stored, sent, begun and ended, on all devices. Writes the log, and lets the oracles look. */
import type { AnyRecord, DeviceId, RunId, RunView } from '../protocol/index.js'
import type { Topic } from '../src/network/transport.js'
import type { Inside } from '../src/node/host.js'
import type { StoredBatch } from '../src/store/store.js'
import type { Heard } from './byzantine/index.js'
import { Choices } from './choices.js'
import { MAX_HEARD_DEVICES, MAX_VIOLATIONS, MAX_WIRE } from './constants.js'
import type { SimDevice } from './devices/device.js'
import { type Execution, Executions } from './devices/execution.js'
import { isDoable } from './doable.js'
import { Hearing } from './hearing.js'
import { EventLog } from './log.js'
import type { NetworkWatch, SimNetwork } from './network/network.js'
import { ORACLES } from './oracles/index.js'
import type { InvariantName } from './oracles/names.js'
import type { Asked, Disturbance, Oracle, Scene } from './oracles/oracle.js'
import type { Violation } from './outcome.js'
import { RecordBook } from './record-book.js'
import { sentenceOf } from './record-text.js'
import type { Heartbeat } from './script/types.js'
import { Spans } from './spans.js'
import type { World } from './world/world.js'

export interface WitnessOptions {
  readonly world: World
  readonly network: () => SimNetwork
  readonly heartbeat: Heartbeat
  readonly abortGraceMs: number
  /** Takes down why each assignment was made. */
  readonly hasChoices: boolean
  readonly onLine: ((line: string) => void) | null
}

export class Witness implements Scene, NetworkWatch {
  readonly devices: SimDevice[] = []
  readonly records: RecordBook = new RecordBook()
  readonly executions: Executions = new Executions()
  readonly asked: Asked[] = []
  readonly disturbances: Disturbance[] = []
  readonly violations: Violation[] = []
  readonly spans: Spans = new Spans()
  readonly log: EventLog
  readonly choices: Choices | null
  readonly heartbeat: Heartbeat
  readonly abortGraceMs: number
  readonly #options: WitnessOptions
  readonly #oracles: readonly Oracle[]
  readonly #byId = new Map<DeviceId, SimDevice>()
  readonly #names = new Map<RunId, string>()
  readonly #hearing = new Hearing()
  readonly #cancelled = new Set<RunId>()
  readonly published: { batches: number; beacons: number } = { batches: 0, beacons: 0 }
  /** The last messages that were published: whoever replays takes them from here. */
  readonly wire: Heard[] = []
  /** Bytes of signed batches that devices wrote themselves. */
  journalBytes = 0

  constructor(options: WitnessOptions) {
    this.#options = options
    this.heartbeat = options.heartbeat
    this.abortGraceMs = options.abortGraceMs
    this.log = new EventLog(options.onLine)
    this.choices = options.hasChoices ? new Choices(this) : null
    this.#oracles = ORACLES.map((make) => make(this))
  }

  get nowMs(): number {
    return this.#options.world.passedMs
  }

  get network(): SimNetwork {
    return this.#options.network()
  }

  join(device: SimDevice): void {
    this.devices.push(device)
    this.#byId.set(device.id, device)
  }

  placeOf(device: string): SimDevice | undefined {
    return this.#byId.get(device)
  }

  heardMs(by: SimDevice, of: string, beforeMs: number): number | null {
    return this.#hearing.before(by.id, of, beforeMs)
  }

  isDoable(view: RunView): boolean {
    return isDoable(this.devices, view)
  }

  isCancelled(run: RunId): boolean {
    for (const parent of this.#familyOf(run)) if (this.#cancelled.has(parent)) return true
    return false
  }

  /** Somebody asks for a run to be cancelled. */
  cancelled(run: RunId): void {
    this.#cancelled.add(run)
  }

  *#familyOf(run: RunId): Iterable<RunId> {
    for (let next: RunId | undefined = run; next !== undefined; next = this.#parentOf(next)) yield next
  }

  #parentOf(run: RunId): RunId | undefined {
    const created = this.records.byRun.get(run)?.find(({ kind }) => kind === 'created')
    return created?.kind === 'created' ? created.parent : undefined
  }

  /** A run as people call it. */
  nameOf(run: RunId): string {
    return this.#names.get(run) ?? run.slice(-8)
  }

  note(kind: string, text: string, place: number | null = null, run: RunId | null = null): void {
    this.log.add({ atMs: this.nowMs, place, kind, run: run === null ? null : this.nameOf(run), text })
  }

  /** Something was done to a device or the network. */
  disturbed(kind: string, text: string, place: number | null = null): void {
    this.disturbances.push({ atMs: this.nowMs, kind, place })
    this.note('step', text === '' ? kind : `${kind}: ${text}`, place)
  }

  violated(invariant: InvariantName, message: string, about: { place?: number; run?: RunId } = {}): void {
    const { place = null, run = null } = about
    if (this.violations.length >= MAX_VIOLATIONS) return
    const name = run === null ? null : this.nameOf(run)
    this.violations.push({ invariant, atMs: this.nowMs, place, run: name, message })
    this.note('violation', `${invariant}: ${message}`, place, run)
  }

  // --- what happens

  ask(asked: Asked): void {
    this.asked.push(asked)
  }

  acknowledge(asked: Asked, run: RunId): void {
    asked.acknowledged = { run, atMs: this.nowMs }
    if (!this.#names.has(run)) this.#names.set(run, asked.name)
  }

  opened(device: SimDevice, inside: Inside): void {
    inside.book.watchAll((change) => {
      for (const oracle of this.#oracles) oracle.onChange?.(device, change)
    })
    this.choices?.listen(device, inside)
  }

  stored(device: SimDevice, batch: StoredBatch): void {
    if (batch.log.device === device.id) this.journalBytes += batch.signed.length
    const group = this.#group
    if (group === null) return
    for (const noted of this.records.take(group, batch, device.id, this.nowMs)) {
      const author = this.placeOf(noted.record.author)
      this.note('record', sentenceOf(noted.record, this), author?.place ?? null, runOf(noted.record))
      if (noted.record.kind === 'assigned' && author === device) this.choices?.note(device, noted.record)
      for (const oracle of this.#oracles) oracle.onRecord?.(noted, device)
    }
    for (const oracle of this.#oracles) oracle.onStored?.(device, batch)
  }

  #group: string | null = null

  founded(group: string): void {
    this.#group = group
  }

  onPublish(from: DeviceId, topic: Topic, bytes: Uint8Array): void {
    const device = this.placeOf(from)
    if (device === undefined) return
    this.published[topic]++
    this.wire.push({ topic, bytes, from })
    if (this.wire.length > MAX_WIRE) this.wire.shift()
    if (topic === 'beacons') {
      device.pulse.beat(this.nowMs)
      this.note('beacon', `${bytes.length} bytes`, device.place)
    }
    for (const oracle of this.#oracles) oracle.onPublish?.(device, topic, bytes)
  }

  onArrive(to: DeviceId, from: DeviceId, topic: Topic, number: number): void {
    if (topic === 'beacons' && this.devices.length <= MAX_HEARD_DEVICES)
      this.#hearing.note(to, from, number, this.nowMs)
  }

  started(execution: Execution, device: SimDevice): void {
    this.executions.add(execution)
    const { attempt, isLease, run } = execution
    this.note('start', `attempt ${attempt}${isLease ? ', pulled' : ''}`, device.place, run)
    for (const oracle of this.#oracles) oracle.onStart?.(execution, device)
  }

  stopped(execution: Execution, device: SimDevice): void {
    this.note('stop', execution.stopped?.reason ?? '', device.place, execution.run)
    for (const oracle of this.#oracles) oracle.onStop?.(execution, device)
  }

  ended(execution: Execution, how: string): void {
    if (execution.ended !== null) return
    this.executions.end(execution, this.nowMs, how)
    this.note('end', how, execution.place, execution.run)
  }

  /** A process is no more. */
  died(device: SimDevice): void {
    this.#hearing.forget(device.id)
    this.executions.died(device.place, this.nowMs)
  }

  stepped(): void {
    for (const oracle of this.#oracles) oracle.onStep?.()
  }

  check(): void {
    for (const oracle of this.#oracles) oracle.onCheck?.()
  }

  checkEnd(): void {
    for (const oracle of this.#oracles) oracle.onEnd?.()
  }
}

function runOf(record: AnyRecord): RunId | null {
  return 'run' in record ? record.run : null
}
