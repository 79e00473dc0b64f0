/** What goes into the engine and what comes out. All plain data: a recorded list of events can be played again. */
import type {
  AnyRecord,
  DeviceClass,
  DeviceId,
  Draft,
  GroupView,
  Payload,
  RecordId,
  RunFailure,
  RunId,
  RunView,
} from '../../protocol/index.js'
import type { Beacon, BeaconDraft } from './beacon.js'

/** The clocks at the moment of an event. */
export interface Now {
  /** Milliseconds since 1970, corrected: what a record would be stamped with. */
  readonly wallMs: number
  /** Milliseconds since some moment. Never goes back; may stand still while the machine sleeps. */
  readonly monoMs: number
}

/** What the app said about this device. */
export interface LocalFacts {
  readonly name: string
  readonly class: DeviceClass
  readonly capabilities: readonly string[]
  /** Absent: all projects. */
  readonly projects?: readonly string[]
  readonly slots: number
  /** Slots kept for high priority. */
  readonly reserved: number
  /** Run types that have a handler here, and how many of each may run at once. */
  readonly handles: ReadonlyMap<string, number>
  /** It takes no new work. */
  readonly draining: boolean
  /** How busy the machine is beyond its slots, 0 to 1. */
  readonly load: number
  /** How late its timers fire. */
  readonly lagMs: number
  readonly onMains: boolean
  readonly battery: number | null
}

/** How a handler, or whoever holds a lease, ended. */
export type Outcome =
  | { readonly type: 'completed'; readonly output: Payload }
  /** `permanent`: no further attempt makes sense. */
  | { readonly type: 'failed'; readonly error: RunFailure; readonly permanent: boolean }
  /** It gave the run back: another may have it. */
  | { readonly type: 'released'; readonly note: string | null }
  /** It ended because it was told to. */
  | { readonly type: 'stopped' }

/** What a pull worker asks for. */
export interface LeaseQuery {
  readonly project?: string
  readonly type?: string
  /** What the worker can do. Absent: what the device can. */
  readonly capabilities?: readonly string[]
  /** Milliseconds without a heartbeat after which the lease is lost. */
  readonly leaseMs: number
}

type Happening =
  /** Once, first: what the journals held. */
  | { readonly type: 'start'; readonly group: GroupView; readonly views: readonly RunView[] }
  /** Records of others changed these views. */
  | { readonly type: 'views'; readonly views: readonly RunView[] }
  /** Runs that are no longer kept here. */
  | { readonly type: 'forgotten'; readonly runs: readonly RunId[] }
  | { readonly type: 'group'; readonly group: GroupView }
  | { readonly type: 'beacon'; readonly beacon: Beacon }
  | { readonly type: 'connection'; readonly device: DeviceId; readonly quality: number | null }
  | { readonly type: 'local'; readonly facts: LocalFacts }
  /** The timer that was asked for fired. */
  | { readonly type: 'wake' }
  /** Everyone connected was synced with, or there is nobody. */
  | { readonly type: 'synced' }
  /** An `append` is durable, with the views as they are after it; or it failed and nothing was written. */
  | {
      readonly type: 'appended'
      readonly token: number
      readonly records: readonly AnyRecord[] | null
      readonly views: readonly RunView[]
    }
  | {
      readonly type: 'ended'
      readonly run: RunId
      readonly assignment: RecordId
      readonly outcome: Outcome
    }
  /** The app wants a run made. */
  | { readonly type: 'submit'; readonly ask: number; readonly draft: Draft<'created'> }
  /** The app wants these records written: cancel, pause, approve, … */
  | { readonly type: 'write'; readonly ask: number; readonly drafts: readonly Draft[] }
  | { readonly type: 'lease'; readonly ask: number; readonly query: LeaseQuery }
  /** The holder of a lease lives. */
  | { readonly type: 'renew'; readonly run: RunId; readonly assignment: RecordId }
  /** A person wants the run given back by this device. */
  | { readonly type: 'release'; readonly run: RunId; readonly note: string | null }
  /** Stop all handlers and hand back what is held. */
  | { readonly type: 'shutdown' }
  /** The last event: tell the others that nobody needs to wait for this device. */
  | { readonly type: 'leave' }

export type EngineEvent = Happening & { readonly now: Now }

/** Why a handler is told to stop: `ctx.signal.reason.code`. */
export type StopReason =
  | 'cancelled'
  | 'superseded'
  | 'lapsed'
  | 'preempted'
  | 'paused'
  | 'timeout'
  | 'shutdown'
  | 'released'

export type Effect =
  /** Write these records together; then report `appended`. `ask`: whom to answer. */
  | {
      readonly type: 'append'
      readonly token: number
      readonly drafts: readonly Draft[]
      readonly ask: number | null
    }
  /** Begin to work: all that this needs is durable. */
  | { readonly type: 'work'; readonly run: RunId; readonly assignment: RecordId }
  /** Tell a handler, or the holder of a lease, to stop. */
  | {
      readonly type: 'stop'
      readonly run: RunId
      readonly assignment: RecordId
      readonly reason: StopReason
    }
  /** Wait no longer for a handler that ignored its signal. */
  | { readonly type: 'abandon'; readonly run: RunId; readonly assignment: RecordId }
  /** The answer to a `lease`. */
  | {
      readonly type: 'leased'
      readonly ask: number
      readonly run: RunId | null
      readonly assignment: RecordId | null
    }
  /** Report `wake` at this monotonic time. Replaces the one before. */
  | { readonly type: 'timer'; readonly atMs: number }
  | { readonly type: 'beacon'; readonly beacon: BeaconDraft }
  /** Sync with everyone who is connected, and report `synced`. */
  | { readonly type: 'sync' }
  /** Add this to the wall clock from now on. */
  | { readonly type: 'correct'; readonly skewMs: number }
  | { readonly type: 'tell'; readonly notice: Notice }

/** What the app is told. */
export type Notice =
  | { readonly type: 'slept'; readonly gapMs: number }
  | { readonly type: 'skewed'; readonly skewMs: number }
  | { readonly type: 'unresponsive'; readonly run: RunId; readonly runType: string }
  | { readonly type: 'online'; readonly device: DeviceId }
  | { readonly type: 'offline'; readonly device: DeviceId }
