/** What the records of a run amount to. Plain data: equal record sets give byte-equal views (`encodeView`). */
import { encodeCbor } from '../cbor.js'
import type { Stamp } from '../clock.js'
import type { Rejection } from '../errors.js'
import type { DeviceId, RecordId, RunId } from '../ids.js'
import type { AssignReason, RunFailure } from '../records/field-types.js'
import type { Payload } from '../records/payload.js'
import type { RecordOf } from '../records/record.js'
import type { State } from '../states.js'

/** The assignment that holds now. Times are milliseconds since 1970. */
export interface AssignmentView {
  readonly id: RecordId
  readonly device: DeviceId
  readonly assignedBy: DeviceId
  readonly assignedAt: number
  readonly madeFor: AssignReason
  readonly round: number
  readonly attempt: number
  readonly claimedAt: number | null
  readonly startedAt: number | null
  /** The owner's own fence: the stamp of its latest `claimed` or `held`. 0 before the claim. */
  readonly fence: Stamp
  readonly incarnation: number | null
  /** Set once the device gave it up and nobody has it yet (`reassigning`). */
  readonly givenUp: { readonly reason: AssignmentEnd; readonly detail: string; readonly at: number } | null
}

/** Why an earlier assignment no longer holds. */
export type AssignmentEnd =
  | 'declined'
  | 'released'
  | 'preempted'
  | 'failed'
  | 'timeout'
  | 'manual'
  | 'voided'
  | 'superseded'
  | 'completed'
  | 'cancelled'

export interface PreviousAssignment extends AssignmentView {
  readonly reason: AssignmentEnd
  /** What the device said when it gave the run up. */
  readonly detail: string | null
  /** Null where nobody wrote down when it ended (a loser that stopped by itself). */
  readonly endedAt: number | null
  readonly durationMs: number | null
}

/** Something that happened twice. */
export interface Conflict {
  /** `created`: one key, other contents. `owner`: two devices had claimed at once. `completed`: a further result. */
  readonly type: 'created' | 'owner' | 'completed'
  readonly record: RecordId
  readonly device: DeviceId
  readonly at: number
  readonly output: Payload
}

export interface ApprovalView {
  readonly by: string
  readonly device: DeviceId
  readonly at: number
  readonly expiresAt: number | null
}

export interface RunView {
  readonly run: RunId
  readonly state: State
  /** 0, and one more for each manual retry after an end. */
  readonly round: number
  /** The record that made the run. Its absent fields have the defaults of `constants`. */
  readonly created: RecordOf<'created'>
  readonly createdAt: number
  readonly updatedAt: number
  /** From `created`, or the latest `expedited`. */
  readonly priority: number
  readonly paused: { readonly by: DeviceId; readonly at: number; readonly reason: string | null } | null
  /** The approval that lasts longest, if any counts. */
  readonly approval: ApprovalView | null
  /** The current assignment; of a completed run, the one whose result was taken. Null while there is none. */
  readonly assignment: AssignmentView | null
  /** Who has the run now. Null unless it is claimed or in process. */
  readonly owner: DeviceId | null
  /** The latest grant on the current path; 0 if never claimed. */
  readonly fence: Stamp
  /** The latest grant on any branch. It never decreases as records are added. */
  readonly highestFence: Stamp
  /** Someone else was granted as high a fence as the owner has, or a higher one: the owner should write `held` to stand above it. */
  readonly contested: boolean
  /** Attempts spent on the current path of this round, and how many the retry policy allows. */
  readonly attemptsSpent: number
  readonly attemptsAllowed: number
  /** After a failure: when the next attempt may begin. */
  readonly retryAt: number | null
  /** What the current owner last reported. */
  readonly progress: Payload
  /** What an attempt may go on from: the latest report on the current path. */
  readonly checkpoint: Payload
  /** Every assignment but the current one, in order of `assignedAt`. */
  readonly previousAssignments: readonly PreviousAssignment[]
  readonly result: {
    readonly output: Payload
    readonly device: DeviceId
    readonly assignment: RecordId
    readonly record: RecordId
    readonly at: number
  } | null
  readonly error:
    | (RunFailure & { readonly device: DeviceId; readonly record: RecordId; readonly at: number })
    | null
  readonly cancelled: {
    readonly by: DeviceId
    readonly record: RecordId
    readonly at: number
    readonly reason: string | null
  } | null
  readonly conflicts: readonly Conflict[]
  /** How often work on it was begun, over all devices and rounds. */
  readonly starts: number
  /** Records that were left without effect, in order; at most `MAX_REJECTIONS_LISTED` of `rejectedCount`. */
  readonly rejected: readonly Rejection[]
  readonly rejectedCount: number
}

/** The canonical bytes of a view: compare these to see whether two devices agree. */
export function encodeView(view: RunView): Uint8Array {
  return encodeCbor(view)
}
