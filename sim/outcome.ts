/** What came out of a simulation: plain data, printed by `--json`, and the same for the same seed. */
import type { InvariantName } from './oracles/names.js'

/** Something that must not be. */
export interface Violation {
  readonly invariant: InvariantName
  /** Milliseconds since the simulation began. */
  readonly atMs: number
  readonly place: number | null
  readonly run: string | null
  readonly message: string
}

/** Milliseconds: half, nine of ten, ninety-nine of a hundred were not longer. Null where nothing was measured. */
export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export interface Outcome {
  readonly seed: number
  readonly title: string | null
  readonly parameters: {
    readonly devices: number
    readonly steps: number
    readonly lastsMs: number
    readonly heartbeat: { readonly intervalMs: number; readonly timeoutMs: number }
    readonly signatures: string
  }
  readonly simulatedMs: number
  /** SHA-256, as hex, of all records and of all views of all devices. */
  readonly digest: string
  /** SHA-256, as hex, of every line of the log. */
  readonly logDigest: string
  readonly violations: readonly Violation[]
  readonly runs: number
  readonly terminal: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  /** Runs that have not ended. */
  readonly waiting: number
  /** Times that a handler was called. */
  readonly starts: number
  /** Starts beyond the first of each run that were not owed to a failure, a release or a retry that was written down. */
  readonly doubleExecutions: number
  readonly acceptedResults: number
  /** From the submit of a run to its accepted result. */
  readonly delays: Percentiles
  /** From the submit of a run to its first start. */
  readonly pickups: Percentiles
  /** Messages over wires, hop by hop: batches, beacons and frames of syncs. */
  readonly messages: number
  readonly messagesByKind: { readonly batches: number; readonly beacons: number; readonly frames: number }
  /** Messages that devices published, of batches and of beacons. */
  readonly published: { readonly batches: number; readonly beacons: number }
  readonly bytes: number
  readonly bytesByKind: { readonly batches: number; readonly beacons: number; readonly frames: number }
  /** Bytes of signed batches that all devices wrote themselves. */
  readonly journalBytes: number
  readonly records: number
  /** Assignments that were written, by reason. */
  readonly decisions: Readonly<Record<string, number>>
  /** Things that happened: timers, messages, steps. */
  readonly events: number
}
