/** What the fold knows of one run while it walks through the records in order. */
import type { Stamp } from '../clock.js'
import type { Rejection, RejectionCode } from '../errors.js'
import type { RecordId } from '../ids.js'
import { MAX_REJECTIONS_LISTED } from '../limits.js'
import type { RecordOf, RunRecord } from '../records/record.js'
import type { GroupView } from './group.js'

/** How an assignment was ended by its own target. */
export type EndRecord = RecordOf<'declined'> | RecordOf<'released'> | RecordOf<'failed'>

/** One assignment in the tree. */
export interface TreeNode {
  readonly record: RecordOf<'assigned'>
  readonly parent: TreeNode | null
  /** The `created` record that its root was made for: its policies hold on this branch. */
  readonly created: RecordOf<'created'>
  readonly round: number
  /** 1 for the first; one more than its parent's if it was made because that one failed or fell silent. */
  readonly attempt: number
  children: readonly TreeNode[]
  /** First claim of each incarnation of the target, in order. */
  claims: readonly RecordOf<'claimed'>[]
  /** Stamp of the latest `claimed` or `held`; 0 if never claimed. */
  fence: Stamp
  /** Incarnation of that record. */
  ownerIncarnation: number
  /** First start of each incarnation, in order. */
  starts: readonly RecordOf<'started'>[]
  progress: RecordOf<'progressed'> | null
  /** The records by which the target gave it up, in order. One is enough. */
  ends: readonly EndRecord[]
  /** The `held` record that voided it. */
  voidedBy: RecordOf<'held'> | null
  /** How many `held` records of its owner voided something. */
  heldVoids: number
}

/** A fact that ended a round. */
export interface RoundEnd {
  readonly round: number
  readonly record: RecordOf<'cancelled'> | RecordOf<'failed'>
}

export interface Completion {
  readonly record: RecordOf<'completed'>
  readonly node: TreeNode
}

export interface RunState {
  readonly group: GroupView
  /** In order: the first is the run. */
  createds: readonly RecordOf<'created'>[]
  /** In order of time. */
  readonly nodes: TreeNode[]
  /** Highest round that was opened. */
  round: number
  ends: readonly RoundEnd[]
  completions: readonly Completion[]
  retries: readonly RecordOf<'retried'>[]
  approvals: readonly RecordOf<'approved'>[]
  paused: RecordOf<'paused'> | null
  expedited: RecordOf<'expedited'> | null
  /** Highest fence that anyone was ever granted, on whatever branch. */
  highestFence: Stamp
  updated: Stamp
  rejected: readonly Rejection[]
  rejectedCount: number
}

/**
 * The empty list that all share. Most lists of most runs stay empty, and there may be a hundred thousand runs: lists are
 * replaced when something is added, never changed.
 */
export const NONE: readonly never[] = []

/** A list and one more. Not spread: that leaves room for 16 more in each of a hundred thousand lists (233 bytes against 89). */
export function withOne<T>(list: readonly T[], item: T): readonly T[] {
  return list.concat([item])
}

export function emptyState(group: GroupView): RunState {
  return {
    group,
    createds: NONE,
    nodes: [],
    round: 0,
    ends: NONE,
    completions: NONE,
    retries: NONE,
    approvals: NONE,
    paused: null,
    expedited: null,
    highestFence: 0,
    updated: 0,
    rejected: NONE,
    rejectedCount: 0,
  }
}

export function reject(state: RunState, record: RunRecord, code: RejectionCode): void {
  state.rejectedCount++
  if (state.rejected.length < MAX_REJECTIONS_LISTED)
    state.rejected = [...state.rejected, rejection(record, code)]
}

export function rejection(record: RunRecord, code: RejectionCode): Rejection {
  return { record: record.id, kind: record.kind, author: record.author, code }
}

/** The assignment with this id, if it counts. Searched from the latest: that is the one most records cite. */
export function findNode(state: RunState, id: RecordId): TreeNode | undefined {
  const { nodes } = state
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as TreeNode
    if (node.record.id === id) return node
  }
  return undefined
}

/** Takes down that the target was granted the run: its fence from now on. */
export function grant(state: RunState, node: TreeNode, record: RecordOf<'claimed'> | RecordOf<'held'>): void {
  node.fence = record.stamp
  node.ownerIncarnation = record.incarnation
  if (record.stamp > state.highestFence) state.highestFence = record.stamp
}
