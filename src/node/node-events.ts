/** Every event that a node emits, and which of them a record is. */
import type { DeviceId, GroupView, RunId, RunRecord, RunView } from '../../protocol/index.js'
import { type Happening, happeningOf } from './happening.js'

/** Something that happened to a run. */
export interface RunEventDetail {
  readonly run: RunId
  /** The run with this record in it, and with those that came together with it. */
  readonly view: RunView
  readonly record: RunRecord
  /** Whether this device wrote the record. */
  readonly own: boolean
}

export interface DeviceEventDetail {
  readonly device: DeviceId
}

export type RunEventName = `run:${Happening}`

/** Each event by name, with its `detail`. */
export type NodeEvents = { readonly [Name in RunEventName]: RunEventDetail } & {
  readonly 'device:joined': DeviceEventDetail
  readonly 'device:online': DeviceEventDetail
  readonly 'device:offline': DeviceEventDetail
  /** Its profile, its role or its clearances; or it was put out. */
  readonly 'device:changed': DeviceEventDetail
  /** Somebody was admitted, revoked, or described itself anew. */
  readonly 'group:changed': { readonly group: GroupView }
  /** This machine slept, or its process was stopped. */
  readonly 'node:sleep': { readonly gapMs: number }
  /** This device's clock is off by so much from those of its peers. */
  readonly 'node:skew': { readonly skewMs: number }
  /** Timers fire this late: something blocks the event loop. */
  readonly 'node:lag': { readonly lagMs: number }
  /** A handler ignored its signal and was abandoned. */
  readonly 'node:unresponsive': { readonly run: RunId; readonly type: string }
  /** A device signed two batches for one place in its log. The log is frozen. */
  readonly 'node:equivocation': {
    readonly device: DeviceId
    readonly journal: string
    readonly sequence: number
  }
  readonly 'node:damaged': { readonly journal: string; readonly message: string }
  /** Something failed that nobody waits for. It is tried again. */
  readonly 'node:error': { readonly error: unknown }
}
export type NodeEventName = keyof NodeEvents

/** The event that a record is, seen with the view that has it; null if it has no effect, or is no news. */
export function runEventOf(record: RunRecord, view: RunView | null): RunEventName | null {
  const happening = happeningOf(record, view)
  return happening === 'later' || happening === 'none' ? null : EVENT_NAMES[happening]
}

/** Written out, so that the busiest path joins no text. */
const EVENT_NAMES: { readonly [H in Happening]: `run:${H}` } = {
  created: 'run:created',
  assigned: 'run:assigned',
  reassigned: 'run:reassigned',
  claimed: 'run:claimed',
  started: 'run:started',
  progressed: 'run:progressed',
  declined: 'run:declined',
  released: 'run:released',
  held: 'run:held',
  completed: 'run:completed',
  conflict: 'run:conflict',
  failed: 'run:failed',
  'attempt-failed': 'run:attempt-failed',
  cancelled: 'run:cancelled',
  paused: 'run:paused',
  resumed: 'run:resumed',
  approved: 'run:approved',
  retried: 'run:retried',
  expedited: 'run:expedited',
}
