/** The history of a run's assignments: complete, from the tree. */
import { msOf, type Stamp } from '../clock.js'
import { nextNode, roundEnd } from './path.js'
import { type EndRecord, NONE, type RunState, type TreeNode } from './state.js'
import type { AssignmentEnd, AssignmentView, PreviousAssignment } from './view.js'

export function assignmentView(node: TreeNode): AssignmentView {
  const { record, round, attempt, fence, ownerIncarnation } = node
  const [claim] = node.claims
  const [started] = node.starts
  const [end] = node.ends
  return {
    id: record.id,
    device: record.target,
    assignedBy: record.author,
    assignedAt: msOf(record.stamp),
    madeFor: record.reason,
    round,
    attempt,
    claimedAt: claim === undefined ? null : msOf(claim.stamp),
    startedAt: started === undefined ? null : msOf(started.stamp),
    fence,
    incarnation: claim === undefined ? null : ownerIncarnation,
    givenUp: end === undefined ? null : { ...ownEnd(end), at: msOf(end.stamp) },
  }
}

export function previousAssignments(
  state: RunState,
  current: TreeNode | null,
): readonly PreviousAssignment[] {
  const { nodes } = state
  if (nodes.length === 0 || (nodes.length === 1 && nodes[0] === current)) return NONE
  return nodes.filter((node) => node !== current).map((node) => previousView(state, node))
}

interface NodeEnd {
  readonly reason: AssignmentEnd
  readonly detail: string | null
  readonly stamp: Stamp | null
}

function previousView(state: RunState, node: TreeNode): PreviousAssignment {
  const { reason, detail, stamp } = endOf(state, node)
  const view = assignmentView(node)
  const endedAt = stamp === null ? null : msOf(stamp)
  return {
    ...view,
    reason,
    detail,
    endedAt,
    durationMs: endedAt === null ? null : Math.max(0, endedAt - view.assignedAt),
  }
}

function endOf(state: RunState, node: TreeNode): NodeEnd {
  const completed = state.completions.find((completion) => completion.node === node)
  if (completed !== undefined) return { reason: 'completed', detail: null, stamp: completed.record.stamp }
  const [own] = node.ends
  if (own !== undefined) return { ...ownEnd(own), stamp: own.stamp }
  if (node.voidedBy !== null) return { reason: 'voided', detail: null, stamp: node.voidedBy.stamp }
  const next = nextNode(node)
  if (next !== null) {
    const reason = next.record.reason === 'manual' ? 'manual' : 'timeout'
    return { reason, detail: next.record.note ?? null, stamp: next.record.stamp }
  }
  const closed = roundEnd(state, node.round)
  if (closed !== null) return { reason: closed.record.kind, detail: null, stamp: closed.record.stamp }
  return { reason: 'superseded', detail: null, stamp: null }
}

function ownEnd(end: EndRecord): { reason: AssignmentEnd; detail: string } {
  if (end.kind === 'failed') return { reason: 'failed', detail: `${end.error.code}: ${end.error.message}` }
  const detail = end.note === undefined ? end.reason : `${end.reason}: ${end.note}`
  return { reason: end.kind === 'released' && end.reason === 'preempted' ? 'preempted' : end.kind, detail }
}
