/** What a report shows: a simulation as plain data. Times are milliseconds since it began. */
import type { Outcome } from './outcome.js'

export interface TraceDevice {
  readonly place: number
  /** As `laptop-2`. */
  readonly name: string
  readonly id: string
  readonly profile: string
}

/** A time in which a device, or the network, was not as it should be. */
export interface TraceSpan {
  /** Null: the whole network. */
  readonly place: number | null
  readonly kind:
    | 'absent'
    | 'down'
    | 'asleep'
    | 'stalled'
    | 'revoked'
    | 'byzantine'
    | 'disk'
    | 'split'
    | 'weather'
  readonly fromMs: number
  readonly toMs: number
  /** For people: `0 1 | 2 3 4`. */
  readonly text: string
}

/** A time in which a device had a run. */
export interface TraceBar {
  readonly place: number
  readonly state: 'assigned' | 'claimed' | 'processing'
  readonly fromMs: number
  readonly toMs: number
  /** How it ended: `completed`, `failed`, `released`, `crashed`, `superseded` … Null if it goes on in another bar. */
  readonly end: string | null
  readonly fence: number
}

export interface TraceRun {
  readonly id: string
  /** As its script names it. */
  readonly name: string
  readonly type: string
  readonly state: string
  readonly priority: number
  readonly creator: number
  readonly createdMs: number
  readonly endedMs: number | null
  readonly starts: number
  readonly bars: readonly TraceBar[]
  /** Where it stands, in sentences. */
  readonly sentences: readonly string[]
  readonly conflicts: number
}

/** A line of the log. */
export interface TraceEntry {
  readonly atMs: number
  readonly place: number | null
  /** `record`, `step`, `start`, `end`, `beacon`, `notice`, `violation` … */
  readonly kind: string
  readonly run: string | null
  readonly text: string
}

/** An assignment, and why it was made so. */
export interface TraceDecision {
  readonly atMs: number
  readonly by: number
  readonly run: string
  readonly target: number
  /** `created`, `timeout`, `declined` … */
  readonly reason: string
  readonly sentence: string
  readonly candidates: readonly {
    readonly place: number
    /** In points; null if a gate was shut. */
    readonly score: number | null
    readonly parts: Readonly<Record<string, number>> | null
    /** Sentences of the gates that were shut. */
    readonly gates: readonly string[]
  }[]
}

export interface Trace {
  readonly outcome: Outcome
  /** How to play it again. */
  readonly replay: string
  /** When faults ended, and all had to come to rest. */
  readonly calmMs: number
  readonly devices: readonly TraceDevice[]
  readonly spans: readonly TraceSpan[]
  readonly runs: readonly TraceRun[]
  readonly decisions: readonly TraceDecision[]
  readonly entries: readonly TraceEntry[]
}
