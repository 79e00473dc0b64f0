/** What a target says of its own assignment: taken, begun, gone forward, given up. */
import type { RejectionCode } from '../../errors.js'
import type { RecordOf } from '../../records/record.js'
import { findNode, grant, type RunState, type TreeNode, withOne } from '../state.js'
import { missing } from './citation.js'

type OwnRecord = RecordOf<
  'claimed' | 'started' | 'progressed' | 'declined' | 'released' | 'held' | 'completed'
>

/** The assignment that its target speaks of, or why the record does not count. */
export function ownNode(state: RunState, record: OwnRecord): TreeNode | RejectionCode {
  const node = findNode(state, record.assignment)
  if (node === undefined) return missing(record, record.assignment, 'UNKNOWN_ASSIGNMENT')
  return node.record.target === record.author ? node : 'NOT_TARGET'
}

/** Whether the target claimed in the incarnation that wrote this record. */
export function claimedIn(node: TreeNode, incarnation: number): RecordOf<'claimed'> | undefined {
  return node.claims.find((claim) => claim.incarnation === incarnation)
}

export function applyClaimed(state: RunState, record: RecordOf<'claimed'>): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  if (claimedIn(node, record.incarnation) === undefined) node.claims = withOne(node.claims, record)
  grant(state, node, record)
  return undefined
}

export function applyStarted(state: RunState, record: RecordOf<'started'>): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  if (claimedIn(node, record.incarnation) === undefined) return 'NOT_CLAIMED'
  const isFirst = !node.starts.some((started) => started.incarnation === record.incarnation)
  if (isFirst) node.starts = withOne(node.starts, record)
  return undefined
}

export function applyProgressed(state: RunState, record: RecordOf<'progressed'>): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  if (node.claims.length === 0) return 'NOT_CLAIMED'
  node.progress = record
  return undefined
}

export function applyGivenUp(
  state: RunState,
  record: RecordOf<'declined'> | RecordOf<'released'>,
): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  node.ends = withOne(node.ends, record)
  return undefined
}
