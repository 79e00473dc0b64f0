/** When an `assigned` record counts. All conditions are of the sort “there is …”, so more records never undo one. */
import { msOf } from '../../clock.js'
import { RETRY_MAX } from '../../constants.js'
import type { RejectionCode } from '../../errors.js'
import type { AssignReason } from '../../records/field-types.js'
import type { RecordOf } from '../../records/record.js'
import { admissionAt, roleAt, standing } from '../group.js'
import { findNode, NONE, type RunState, type TreeNode, withOne } from '../state.js'
import { missing } from './citation.js'

export function applyAssigned(state: RunState, record: RecordOf<'assigned'>): RejectionCode | undefined {
  const parent = record.parent === undefined ? null : findNode(state, record.parent)
  if (parent === undefined) return missing(record, record.parent, 'UNKNOWN_ASSIGNMENT')
  const created = parent === null ? rootCreated(state, record) : parent.created
  if (created === undefined) return missing(record, record.created ?? record.run, 'UNKNOWN_CREATED')
  const round = parent === null ? (record.round ?? 0) : parent.round
  const attempt = parent === null ? 1 : parent.attempt + (spendsAttempt(record.reason) ? 1 : 0)
  const fault =
    (parent === null ? rootFault(state, record, round) : causeFault(parent, record, round)) ??
    targetFault(state, record, created) ??
    approvalFault(state, record, created) ??
    (created.notBefore !== undefined && msOf(record.stamp) < created.notBefore ? 'TOO_EARLY' : undefined) ??
    (attempt > attemptsAllowed(created) ? 'RETRIES_EXHAUSTED' : undefined)
  if (fault !== undefined) return fault
  const node = newNode(record, parent, created, round, attempt)
  state.nodes.push(node)
  if (parent !== null) parent.children = withOne(parent.children, node)
  return undefined
}

function newNode(
  record: RecordOf<'assigned'>,
  parent: TreeNode | null,
  created: RecordOf<'created'>,
  round: number,
  attempt: number,
): TreeNode {
  return {
    record,
    parent,
    created,
    round,
    attempt,
    children: NONE,
    claims: NONE,
    fence: 0,
    ownerIncarnation: -1,
    starts: NONE,
    progress: null,
    ends: NONE,
    voidedBy: null,
    heldVoids: 0,
  }
}

function rootCreated(state: RunState, record: RecordOf<'assigned'>): RecordOf<'created'> | undefined {
  const id = record.created ?? record.run
  return state.createds.find((created) => created.id === id)
}

function rootFault(state: RunState, record: RecordOf<'assigned'>, round: number): RejectionCode | undefined {
  if (record.reason !== 'created' && record.reason !== 'manual') return 'WRONG_REASON'
  const isOpen = round === 0 || state.retries.some((retried) => retried.round === round)
  return isOpen ? undefined : 'ROUND_NOT_OPEN'
}

/** A reassignment that blames the owner needs the owner's own word. Silence leaves no record, so `timeout` needs none. */
function causeFault(
  parent: TreeNode,
  record: RecordOf<'assigned'>,
  round: number,
): RejectionCode | undefined {
  if (record.round !== undefined && record.round !== round) return 'ROUND_NOT_OPEN'
  switch (record.reason) {
    case 'created':
      return 'WRONG_REASON'
    case 'timeout':
    case 'manual':
      return undefined
    case 'preempted':
      return parent.ends.some((end) => end.kind === 'released' && end.reason === 'preempted')
        ? undefined
        : 'NO_CAUSE'
    default:
      return parent.ends.some((end) => end.kind === record.reason) ? undefined : 'NO_CAUSE'
  }
}

function targetFault(
  state: RunState,
  record: RecordOf<'assigned'>,
  created: RecordOf<'created'>,
): RejectionCode | undefined {
  const { members } = state.group
  if (standing(members, record.target, record.stamp) !== undefined) return 'TARGET_NOT_ALLOWED'
  for (const label of created.privacy ?? []) {
    const cleared =
      label === 'local_only'
        ? record.target === created.author
        : admissionAt(members.get(record.target), record.stamp)?.clearances.includes(label)
    if (!cleared) return 'PRIVACY'
  }
  return undefined
}

function approvalFault(
  state: RunState,
  record: RecordOf<'assigned'>,
  created: RecordOf<'created'>,
): RejectionCode | undefined {
  if (created.approval === undefined) return undefined
  const approvals = state.approvals.filter((approved) => mayApprove(state, created, approved))
  if (approvals.length === 0) return 'APPROVAL_MISSING'
  const now = msOf(record.stamp)
  return approvals.some(({ expiresAt }) => expiresAt === undefined || now < expiresAt)
    ? undefined
    : 'APPROVAL_EXPIRED'
}

/** Whether the author of an approval is among those whom the run's policy names. */
export function mayApprove(
  state: RunState,
  created: RecordOf<'created'>,
  approved: RecordOf<'approved'>,
): boolean {
  const policy = created.approval ?? 'members'
  if (policy === 'members') return true
  if (policy === 'admins') return roleAt(state.group.members.get(approved.author), approved.stamp) === 'admin'
  return policy.includes(approved.author)
}

/** Attempts that the retry policy of a run allows in one round: the first, and its retries. */
export function attemptsAllowed(created: RecordOf<'created'>): number {
  return 1 + (created.retry?.max ?? RETRY_MAX)
}

/**
 * Whether the assignment before one with this reason spent an attempt: a failure or a timeout does; a decline, a drain,
 * a preemption or a person's hand does not. A voided timeout is off the path, so it costs nothing.
 */
export function spendsAttempt(reason: AssignReason): boolean {
  return reason === 'failed' || reason === 'timeout'
}
