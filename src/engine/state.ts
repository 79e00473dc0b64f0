/** What the engine knows. Everything in here follows from the events so far; nobody but `step` changes it. */
import {
  type DeviceId,
  type Draft,
  type GroupView,
  heartbeatOf,
  msOf,
  type RecordId,
  type RunId,
  type RunNeeds,
  type RunView,
} from '../../protocol/index.js'
import { Circuits } from './circuits.js'
import type { EngineConfig } from './config.js'
import type { Effect, LeaseQuery, LocalFacts, Now, Outcome, StopReason } from './events.js'
import { Holdings } from './holdings.js'
import { mayWork } from './members.js'
import { Peers } from './peers.js'
import type { Placement } from './place.js'
import { type TimerNode, Timers } from './timers.js'
import { WaitingIndex, type WaitNode } from './waiting-index.js'

/** A handler that runs here, or a lease that somebody holds. */
export interface Work {
  readonly assignment: RecordId
  readonly startedMs: number
  /** Why it was told to stop; null while it may go on. */
  stopping: StopReason | null
  /** When it is abandoned, on the monotonic clock. */
  graceEndsMs: number
  /** Of a lease: whom to hand it to and how long it lasts without a heartbeat. */
  readonly lease: Lease | null
  /** How it ended, while that is not written down yet. */
  outcome: Outcome | null
}

export interface Lease {
  readonly ask: number
  readonly query: LeaseQuery
  readonly leaseMs: number
  renewedMs: number
  /** Handed out at this time, if it is still the holder's by then; null: at once. */
  readonly settlesMs: number | null
}

/** An open run, or one that is still being worked on here. */
export interface Tracked {
  readonly run: RunId
  view: RunView
  /** An append about it is under way: nothing is decided before it ends. */
  isWriting: boolean
  work: Work | null
  /** A person wants this device to give it back. */
  givingBack: { readonly note: string | null } | null
  /** A slot of this device is kept for it. */
  hasSlot: boolean
  /** Since when its state, assignment and fence are what they are, on the monotonic clock. */
  sinceMs: number
  /** Since when its target or owner is overdue, on the monotonic clock; null if it is not. */
  overdueMs: number | null
  /** Set if it waits for a device: where it stands in the line. */
  wait: WaitNode | null
  readonly timer: TimerNode
  /** Nobody can take it: when to look again, and how long the last wait was. */
  parkedUntilMs: number
  backoffMs: number
  /** It has waited: those who refused it may be asked again, once. */
  mayAskAgain: boolean
}

/** What an append was for. */
export interface PendingAppend {
  readonly run: RunId | null
  /** A slot that was kept for the run that it makes. */
  readonly slotType: string | null
  /** The device that it gives a run to. */
  readonly promised: DeviceId | null
  readonly lease: Lease | null
}

/** A time without a beacon of this device, up to `endMs` on the monotonic clock, which did not count `frozenMs` of it. */
export interface Gap {
  readonly endMs: number
  readonly gapMs: number
  readonly frozenMs: number
}

/** The device's own clockwork. */
export interface Pulse {
  /** When it last ticked. */
  tick: Now
  /** When anything last happened. */
  seen: Now
  /** When the last beacon was sent, how long this device slept since, and how often one is due. */
  beaconMs: number
  frozenMs: number
  intervalMs: number
  /** The shortest silence that this device, or anything that it holds, allows it. */
  timeoutMs: number
  isBeaconWanted: boolean
  /** The correction of the wall clock that was asked for last. */
  skewMs: number
  /** When the timer that was asked for will fire. */
  timerMs: number
}

export class EngineState {
  readonly config: EngineConfig
  now: Now
  group: GroupView
  local: LocalFacts | null = null
  readonly runs: Map<RunId, Tracked> = new Map()
  readonly children: Map<RunId, Set<RunId>> = new Map()
  readonly holdings: Holdings = new Holdings()
  readonly waiting: WaitingIndex
  readonly peers: Peers
  readonly circuits: Circuits = new Circuits()
  readonly timers: Timers = new Timers()
  readonly appends: Map<number, PendingAppend> = new Map()
  /** Assignments to others that are being written: they count as taken already. */
  readonly promised: Map<DeviceId, number> = new Map()
  /** Changes whenever somebody may have become able to take more: what was found full is then looked at again. */
  epoch = 0
  /** Gaps between own beacons: times in which this device slept or was blocked. */
  readonly gaps: Gap[] = []
  readonly pulse: Pulse
  /** Runs that were told to make room, each for one other. */
  readonly preempting: Map<RunId, Tracked> = new Map()
  /** Runs for which room was made just now: they go first. */
  readonly urgent: Set<Tracked> = new Set()
  /** Runs outside the line that wait for a slot: given to this device, or to be taken from one that is gone. */
  readonly crowded: Set<Tracked> = new Set()
  /** Runs that nobody can take, looked at again after a while, or when somebody becomes able to do more. */
  readonly parked: Set<Tracked> = new Set()
  /** Runs that were pulled and are handed out once it is clear that nobody else has them. */
  readonly settling: Map<RunId, Lease> = new Map()
  /** Runs to look at before the step ends. */
  readonly dirty: Set<Tracked> = new Set()
  isClosing = false
  /** This device is a member: what it writes counts. */
  mayWrite: boolean
  /** Handlers and leases that have not ended, or whose end is not written down yet. */
  working = 0
  /** Slots in use here, in all and by type: running, told to stop, or about to begin. */
  used = 0
  readonly usedByType: Map<string, number> = new Map()
  /** Until then own claims are suspect: what was held is not gone on with before a sync. Null if all is well. */
  suspectUntilMs: number | null = null
  /** Until then the own wall clock is in doubt: it jumped, and nobody has told yet whether time did. Null if all is well. */
  doubtUntilMs: number | null = null
  /** When membership last changed, in milliseconds since 1970. */
  membershipChangedAt = 0
  wantsPump = false
  /** When the line may next move by itself, on the monotonic clock. */
  pumpAtMs: number = Number.POSITIVE_INFINITY
  effects: Effect[] = []
  /** Is shown each choice of a device as it is made. For whoever writes down why; it changes nothing. */
  onPlaced: ((needs: RunNeeds, placement: Placement) => void) | null = null
  #tokens = 0

  constructor(config: EngineConfig, now: Now, group: GroupView) {
    this.config = config
    this.now = now
    this.group = group
    this.peers = new Peers(config, now)
    this.waiting = new WaitingIndex(config.ageStepMs, config.choose.reservedFromPriority)
    this.mayWrite = mayWork(group, config.device)
    this.pulse = {
      tick: now,
      seen: now,
      beaconMs: Number.NEGATIVE_INFINITY,
      frozenMs: 0,
      intervalMs: config.heartbeat.intervalMs,
      timeoutMs: config.heartbeat.timeoutMs,
      isBeaconWanted: true,
      skewMs: 0,
      timerMs: Number.POSITIVE_INFINITY,
    }
  }

  get me(): DeviceId {
    return this.config.device
  }

  emit(effect: Effect): void {
    this.effects.push(effect)
  }

  /** Writes records. Whatever is decided about the run next waits until they are durable. */
  append(
    tracked: Tracked | null,
    drafts: readonly Draft[],
    more: {
      readonly ask?: number
      readonly slotType?: string
      readonly promised?: DeviceId
      readonly lease?: Lease
    } = {},
  ): void {
    const token = ++this.#tokens
    if (tracked !== null) tracked.isWriting = true
    const promised = more.promised ?? null
    if (promised !== null) this.promised.set(promised, (this.promised.get(promised) ?? 0) + 1)
    this.appends.set(token, {
      run: tracked?.run ?? null,
      slotType: more.slotType ?? null,
      promised,
      lease: more.lease ?? null,
    })
    this.emit({ type: 'append', token, drafts, ask: more.ask ?? null })
  }

  takeSlot(type: string): void {
    this.used++
    this.usedByType.set(type, (this.usedByType.get(type) ?? 0) + 1)
  }

  freeSlot(type: string): void {
    this.used--
    const left = (this.usedByType.get(type) ?? 0) - 1
    if (left > 0) this.usedByType.set(type, left)
    else this.usedByType.delete(type)
    this.capacityChanged()
  }

  /** Keeps a slot for a run of this device. */
  keepSlot(tracked: Tracked): void {
    if (tracked.hasSlot) return
    tracked.hasSlot = true
    this.takeSlot(tracked.view.created.type)
  }

  /** Gives back the slot of a run, if it has one. */
  freeSlotOf(tracked: Tracked): void {
    if (!tracked.hasSlot) return
    tracked.hasSlot = false
    this.freeSlot(tracked.view.created.type)
  }

  lookAgain(tracked: Tracked): void {
    this.dirty.add(tracked)
  }

  /** Clocks moved, or what all decisions rest on did. */
  lookAtAll(): void {
    for (const tracked of this.runs.values()) this.dirty.add(tracked)
  }

  /** Until then nothing is begun, taken or given away; null if nothing is in the way. */
  get heldBackUntilMs(): number | null {
    if (this.suspectUntilMs === null || this.doubtUntilMs === null)
      return this.suspectUntilMs ?? this.doubtUntilMs
    return Math.max(this.suspectUntilMs, this.doubtUntilMs)
  }

  /** Somebody may be able to take more than before. */
  capacityChanged(): void {
    this.epoch++
    this.wantsPump = true
  }

  /** Somebody may be able to do what nobody could. */
  abilityChanged(): void {
    for (const tracked of this.parked) {
      tracked.parkedUntilMs = 0
      tracked.backoffMs = 0
      // Whoever has come is asked before those who refused.
      tracked.mayAskAgain = false
      this.dirty.add(tracked)
    }
    this.parked.clear()
    this.capacityChanged()
  }

  /** Nothing runs here, nothing is being written, and nothing has to be. */
  get isIdle(): boolean {
    return this.used === 0 && this.appends.size === 0 && this.working === 0
  }

  /** The monotonic time of a moment on the wall clock. */
  monoOf(wallMs: number): number {
    return this.now.monoMs + Math.max(0, wallMs - this.now.wallMs)
  }
}

/** After how much silence a run is taken from its owner. */
export function timeoutOf(view: RunView): number {
  return heartbeatOf(view.created.heartbeat).timeoutMs
}

/** Who sees to it that a run without an owner gets one: who assigned it last, else who made it. */
export function responsibleFor(view: RunView): DeviceId {
  return view.assignment?.assignedBy ?? view.created.author
}

/** When somebody last came or went. */
export function lastChange(group: GroupView): number {
  let last = 0
  for (const { admissions, revokedAt } of group.members.values()) {
    last = Math.max(last, admissions[admissions.length - 1]?.stamp ?? 0, revokedAt ?? 0)
  }
  return msOf(last)
}
