/** What an oracle is: it looks on, and says when something is not as it must be. */
import type { RunId, RunView } from '../../protocol/index.js'
import type { Topic } from '../../src/network/transport.js'
import type { Change } from '../../src/node/run-book.js'
import type { StoredBatch } from '../../src/store/store.js'
import type { SimDevice } from '../devices/device.js'
import type { Execution, Executions } from '../devices/execution.js'
import type { SimNetwork } from '../network/network.js'
import type { Noted, RecordBook } from '../record-book.js'
import type { Job } from '../script/types.js'
import type { InvariantName } from './names.js'

/** A run that somebody asked for. */
export interface Asked {
  readonly name: string
  readonly place: number
  readonly askedMs: number
  readonly job: Job | null
  /** Its id and when it was acknowledged; null until then. */
  acknowledged: { readonly run: RunId; readonly atMs: number } | null
}

/** What befell devices or the network: whoever counts executions has to know. */
export interface Disturbance {
  readonly atMs: number
  readonly kind: string
  /** Null: the network. */
  readonly place: number | null
}

/** All that the world knows. Oracles read it, and change nothing. */
export interface Scene {
  /** Milliseconds since the simulation began. */
  readonly nowMs: number
  readonly devices: readonly SimDevice[]
  readonly network: SimNetwork
  readonly records: RecordBook
  readonly executions: Executions
  readonly asked: readonly Asked[]
  readonly disturbances: readonly Disturbance[]
  readonly heartbeat: { readonly intervalMs: number; readonly timeoutMs: number }
  readonly abortGraceMs: number
  /** Whether some device that is there can do a run at all. */
  isDoable(view: RunView): boolean
  /** Whether somebody asked for a run, or for the one that made it, to be cancelled. */
  isCancelled(run: RunId): boolean
  placeOf(device: string): SimDevice | undefined
  /** When a device last got a fresh beacon of another before a moment; null if it never did. */
  heardMs(by: SimDevice, of: string, beforeMs: number): number | null
  violated(invariant: InvariantName, message: string, about?: { place?: number; run?: RunId }): void
}

export interface Oracle {
  /** A record stands on a disk for the first time. */
  onRecord?(noted: Noted, holder: SimDevice): void
  /** A batch has come to stand on a device's disk. */
  onStored?(device: SimDevice, batch: StoredBatch): void
  /** A device's view of a run changed. */
  onChange?(device: SimDevice, change: Change): void
  onPublish?(device: SimDevice, topic: Topic, bytes: Uint8Array): void
  onStart?(execution: Execution, device: SimDevice): void
  onStop?(execution: Execution, device: SimDevice): void
  /** Something happened. Cheap things only. */
  onStep?(): void
  /** Looks at everything. Whatever holds at any moment is checked here too. */
  onCheck?(): void
  /** Faults are over, and all has come to rest. */
  onEnd?(): void
}
