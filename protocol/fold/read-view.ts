/** Reads the view off the state that the walk left behind. */
import { compareBytes, encodeCbor } from '../cbor.js'
import { msOf, type Stamp } from '../clock.js'
import { PRIORITIES, RETRY_BACKOFF_MS } from '../constants.js'
import type { Rejection } from '../errors.js'
import { MAX_REJECTIONS_LISTED } from '../limits.js'
import type { RecordOf } from '../records/record.js'
import { isTerminal, type State } from '../states.js'
import { assignmentView, previousAssignments } from './history.js'
import { compareNodes, currentNode, roundEnd } from './path.js'
import { attemptsAllowed, mayApprove } from './rules/assign.js'
import { type Completion, NONE, type RunState, rejection, type TreeNode } from './state.js'
import type { ApprovalView, Conflict, RunView } from './view.js'

export function readView(state: RunState): RunView | null {
  const created = state.createds[0]
  if (created === undefined) return null
  const accepted = acceptedCompletion(state)
  // Retries of a run that proved to be completed had no effect after all.
  const undone = accepted === null ? NONE : state.retries
  const end = accepted === null ? roundEnd(state, state.round) : null
  const node = accepted?.node ?? currentNode(state, state.round)
  const runState = accepted !== null ? 'completed' : (end?.record.kind ?? openState(node))
  const owner = node !== null && (runState === 'claimed' || runState === 'processing') ? node : null
  return {
    run: created.run,
    state: runState,
    round: accepted?.node.round ?? state.round,
    created,
    createdAt: msOf(created.stamp),
    updatedAt: msOf(state.updated),
    priority: state.expedited?.priority ?? created.priority ?? PRIORITIES.normal,
    paused: pausedView(state.paused),
    approval: bestApproval(state, created),
    assignment: node === null ? null : assignmentView(node),
    owner: owner?.record.target ?? null,
    fence: pathFence(node),
    highestFence: state.highestFence,
    contested: owner !== null && isContested(state, owner),
    attemptsSpent: attemptsSpent(node),
    attemptsAllowed: attemptsAllowed(node?.created ?? created),
    retryAt: isTerminal(runState) ? null : retryAt(node),
    progress: node?.progress?.data ?? null,
    checkpoint: checkpoint(node)?.data ?? null,
    previousAssignments: previousAssignments(state, node),
    result: accepted === null ? null : resultView(accepted),
    error: end?.record.kind === 'failed' ? errorView(end.record) : null,
    cancelled: end?.record.kind === 'cancelled' ? cancelledView(end.record) : null,
    conflicts: conflicts(state, node, accepted),
    starts: countStarts(state),
    rejected: undone.length === 0 ? state.rejected : listed(state, undone),
    rejectedCount: state.rejectedCount + undone.length,
  }
}

function listed(state: RunState, undone: readonly RecordOf<'retried'>[]): readonly Rejection[] {
  const more = undone.map((retried) => rejection(retried, 'RUN_COMPLETED'))
  return [...state.rejected, ...more].slice(0, MAX_REJECTIONS_LISTED)
}

/** Two can be granted the run at the very same stamp: then neither stands above the other. */
function isContested({ nodes, highestFence }: RunState, owner: TreeNode): boolean {
  if (owner.fence < highestFence) return true
  return nodes.length > 1 && nodes.some((node) => node !== owner && node.fence === owner.fence)
}

/** Several completions: the one of the earliest-assigned attempt is the result. */
function acceptedCompletion(state: RunState): Completion | null {
  let accepted: Completion | null = null
  for (const completion of state.completions) {
    if (accepted === null || compareNodes(completion.node, accepted.node) < 0) accepted = completion
  }
  return accepted
}

function openState(node: TreeNode | null): State {
  if (node === null) return 'created'
  if (node.ends.length > 0) return 'reassigning'
  if (node.claims.length === 0) return 'assigned'
  return node.starts.some((started) => started.incarnation === node.ownerIncarnation)
    ? 'processing'
    : 'claimed'
}

function pathFence(node: TreeNode | null): Stamp {
  let fence = 0
  for (let at = node; at !== null; at = at.parent) fence = Math.max(fence, at.fence)
  return fence
}

function attemptsSpent(node: TreeNode | null): number {
  if (node === null) return 0
  return node.attempt - 1 + (node.ends.some((end) => end.kind === 'failed') ? 1 : 0)
}

function retryAt(node: TreeNode | null): number | null {
  const failed = node?.ends.find((end) => end.kind === 'failed')
  if (node === null || failed === undefined) return null
  const steps = node.created.retry?.backoffMs ?? RETRY_BACKOFF_MS
  return msOf(failed.stamp) + (steps[Math.min(node.attempt, steps.length) - 1] ?? 0)
}

function checkpoint(node: TreeNode | null): RecordOf<'progressed'> | null {
  for (let at = node; at !== null; at = at.parent) if (at.progress !== null) return at.progress
  return null
}

function pausedView(paused: RecordOf<'paused'> | null): RunView['paused'] {
  return paused === null ? null : { by: paused.author, at: msOf(paused.stamp), reason: paused.reason ?? null }
}

function resultView({ record, node }: Completion): RunView['result'] {
  const { output = null, author, id, stamp } = record
  return { output, device: author, assignment: node.record.id, record: id, at: msOf(stamp) }
}

function errorView({ error, author, id, stamp }: RecordOf<'failed'>): RunView['error'] {
  return { ...error, device: author, record: id, at: msOf(stamp) }
}

function cancelledView({ author, id, stamp, reason }: RecordOf<'cancelled'>): RunView['cancelled'] {
  return { by: author, record: id, at: msOf(stamp), reason: reason ?? null }
}

function bestApproval(state: RunState, created: RecordOf<'created'>): ApprovalView | null {
  let best: RecordOf<'approved'> | null = null
  for (const approved of state.approvals) {
    const lasts = (record: RecordOf<'approved'>): number => record.expiresAt ?? Number.POSITIVE_INFINITY
    if (mayApprove(state, created, approved) && (best === null || lasts(approved) >= lasts(best)))
      best = approved
  }
  if (best === null) return null
  return { by: best.by, device: best.author, at: msOf(best.stamp), expiresAt: best.expiresAt ?? null }
}

function conflicts(
  state: RunState,
  current: TreeNode | null,
  accepted: Completion | null,
): readonly Conflict[] {
  if (state.createds.length < 2 && state.nodes.length < 2) return NONE
  return [
    ...createdConflicts(state),
    ...ownerConflicts(state, current),
    ...completedConflicts(state, accepted),
  ]
}

function createdConflicts({ createds }: RunState): readonly Conflict[] {
  const [first, ...rest] = createds
  if (first === undefined || rest.length === 0) return []
  const contents = ({
    id: _id,
    stamp: _stamp,
    author: _author,
    incarnation: _incarnation,
    ...fields
  }: RecordOf<'created'>): Uint8Array => encodeCbor(fields)
  const original = contents(first)
  return rest
    .filter((created) => compareBytes(contents(created), original) !== 0)
    .map(({ id, author, stamp }) => ({
      type: 'created',
      record: id,
      device: author,
      at: msOf(stamp),
      output: null,
    }))
}

/** Assignments off the path that were claimed: for a while two devices held the run to be theirs. */
function ownerConflicts(state: RunState, current: TreeNode | null): readonly Conflict[] {
  const path = new Set<TreeNode>()
  for (let at = current; at !== null; at = at.parent) path.add(at)
  return state.nodes
    .filter((node) => node.round === current?.round && node.claims.length > 0 && !path.has(node))
    .map(({ claims: [claim], record }) => ({
      type: 'owner',
      record: record.id,
      device: record.target,
      at: msOf(claim?.stamp ?? record.stamp),
      output: null,
    }))
}

function completedConflicts(state: RunState, accepted: Completion | null): readonly Conflict[] {
  return state.completions
    .filter((completion) => completion !== accepted)
    .map(({ record: { id, author, stamp, output = null } }) => ({
      type: 'completed',
      record: id,
      device: author,
      at: msOf(stamp),
      output,
    }))
}

function countStarts(state: RunState): number {
  let starts = 0
  for (const node of state.nodes) starts += node.starts.length
  return starts
}
