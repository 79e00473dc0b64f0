/** What `metrics()` gives: plain data, fit for JSON. */
import type { DeviceId, RunId, State } from '../../../protocol/index.js'
import type { PriorityClass } from '../../engine/priority-class.js'
import type { OutboxCounts } from '../outbox/index.js'
import type { HistogramSnapshot } from './histogram.js'
import type { Rate } from './rates.js'

/** What is counted. Each counts from 0 at the start of the process and never goes down. */
export const COUNTED = {
  created: 'Runs that were made.',
  claimed:
    'Times that a device took a run. A process that takes its run up again after a restart counts too.',
  started: 'Times that work was begun.',
  completed: 'Runs that got their result.',
  failed: 'Runs that were given up.',
  attemptsFailed: 'Attempts that failed, whether or not another followed.',
  cancelled: 'Runs that were called off.',
  reassigned: 'Times that a run was given to another device, or again to the same.',
  timedOut: 'Of those: because the device fell silent, or did not answer in time.',
  declined: 'Times that a device did not want a run.',
  preempted: 'Times that a run made room for one of higher priority.',
  released: 'Times that a run was given back, for whatever reason; those that were preempted too.',
  held: 'Times that an owner insisted on its run.',
  doubleExecutions:
    'Executions besides the one that counts: an assignment brought a further result, or was begun off the path that won.',
} as const
export type Counted = keyof typeof COUNTED
export type Counts = { readonly [C in Counted]: number }

export type ByPriority = { readonly [C in PriorityClass]: number }

/** What the node itself measures. */
export interface NodeGauges {
  /** Handlers that ignored their signal and were abandoned, since the start. */
  readonly unresponsive: number
  /** How late timers fire, in milliseconds. */
  readonly loopLagMs: number
  /** How far the wall clock is off from the peers' median; null while too few are heard. */
  readonly clockSkewMs: number | null
  /** Times that the machine was found to have slept, since the start. */
  readonly sleeps: number
  readonly slots: number
  /** Slots in use. */
  readonly active: number
  /** Devices that are connected. */
  readonly peers: number
  /** Null if no outbox is set up. */
  readonly outbox: OutboxCounts | null
  /** Reads and writes of the store that failed, since the start. */
  readonly storeErrors: number
}

/** A run that a device has. */
export interface CurrentClaim {
  readonly run: RunId
  readonly device: DeviceId
  /** For how many milliseconds it has had it. */
  readonly sinceMs: number
}

export interface MetricsSnapshot extends NodeGauges {
  /** How many runs there are, now. */
  readonly depth: {
    readonly byState: { readonly [S in State]: number }
    /** Those that have not ended. */
    readonly open: ByPriority
    /** Those of them that nobody has claimed: the queue. */
    readonly waiting: ByPriority
  }
  readonly counts: {
    /** What this device saw happen since it started, whoever did it. What it catches up on after being offline is seen then. */
    readonly group: Counts
    /** What this device did itself since it started. */
    readonly device: Counts
  }
  /** Of the whole group, as far as seen since the start. */
  readonly seconds: {
    /** From creation, or `notBefore` if that is later, to the first claim. */
    readonly timeToClaim: HistogramSnapshot
    /** From the start of work to the end of the attempt, whatever end. */
    readonly processing: HistogramSnapshot
    /** From a claim to the end of the attempt. */
    readonly lease: HistogramSnapshot
  }
  /** Per minute, of the whole group. */
  readonly rates: {
    readonly claimed: Rate
    readonly completed: Rate
    readonly failed: Rate
    /** Failed runs among those that completed or failed, 0 to 1; null if there were none. */
    readonly failureShare: { readonly [P in keyof Rate]: number | null }
  }
  readonly claims: {
    readonly count: number
    /** Those with most first, at most 100. */
    readonly byDevice: readonly { readonly device: DeviceId; readonly count: number }[]
    /** Those seen first come first, at most 100. */
    readonly current: readonly CurrentClaim[]
  }
}
