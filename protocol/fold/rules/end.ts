/** What ends a run, or a round of it, and what opens the next. Ends absorb: no condition here can be undone by more records. */
import { msOf } from '../../clock.js'
import type { RejectionCode } from '../../errors.js'
import type { RecordOf } from '../../records/record.js'
import { findNode, type RoundEnd, type RunState, type TreeNode, withOne } from '../state.js'
import { attemptsAllowed } from './assign.js'
import { missing } from './citation.js'
import { ownNode } from './own.js'

/** Codes of failures that any member may declare: nobody is left to speak for the run. */
export const RUN_FAILURES = { deadline: 'DEADLINE', exhausted: 'RETRIES_EXHAUSTED' } as const

export function applyCompleted(state: RunState, record: RecordOf<'completed'>): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  if (node.claims.length === 0) return 'NOT_CLAIMED'
  // One result for each assignment: its first.
  const isFirst = !state.completions.some((completion) => completion.node === node)
  if (isFirst) state.completions = withOne(state.completions, { record, node })
  return undefined
}

export function applyFailed(state: RunState, record: RecordOf<'failed'>): RejectionCode | undefined {
  const node = record.assignment === undefined ? null : findNode(state, record.assignment)
  if (node === undefined) return missing(record, record.assignment, 'UNKNOWN_ASSIGNMENT')
  if (node !== null && node.record.target === record.author) return ownFailure(state, node, record)
  if (record.final === undefined) return 'NOT_FINAL'
  const fault = strangerFault(state, node, record)
  if (fault === undefined) endRound(state, node?.round ?? record.round ?? 0, record)
  return fault
}

function ownFailure(state: RunState, node: TreeNode, record: RecordOf<'failed'>): RejectionCode | undefined {
  if (node.claims.length === 0) return 'NOT_CLAIMED'
  node.ends = withOne(node.ends, record)
  if (record.final) endRound(state, node.round, record)
  return undefined
}

function strangerFault(
  state: RunState,
  node: TreeNode | null,
  record: RecordOf<'failed'>,
): RejectionCode | undefined {
  if (record.error.code === RUN_FAILURES.deadline) {
    const passed = state.createds.some(
      ({ deadline }) => deadline !== undefined && msOf(record.stamp) >= deadline,
    )
    return passed ? undefined : 'BEFORE_DEADLINE'
  }
  if (record.error.code !== RUN_FAILURES.exhausted || node === null) return 'NOT_TARGET'
  return node.attempt >= attemptsAllowed(node.created) ? undefined : 'NOT_EXHAUSTED'
}

export function applyCancelled(state: RunState, record: RecordOf<'cancelled'>): RejectionCode | undefined {
  endRound(state, record.round ?? 0, record)
  return undefined
}

export function applyRetried(state: RunState, record: RecordOf<'retried'>): RejectionCode | undefined {
  const end = state.ends.find((candidate) => candidate.record.id === record.ended)
  if (end === undefined) return missing(record, record.ended, 'NOT_ENDED')
  if (end.round !== record.round - 1 || end.round > state.round) return 'NOT_ENDED'
  state.retries = withOne(state.retries, record)
  state.round = Math.max(state.round, record.round)
  return undefined
}

function endRound(state: RunState, round: number, record: RoundEnd['record']): void {
  state.ends = withOne(state.ends, { round, record })
}
