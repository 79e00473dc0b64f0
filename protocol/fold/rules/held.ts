/**
 * `held`: the one who had it first and never let go keeps it.
 *
 * It counts only from the incarnation that claimed, and only if its own heartbeats had no gap over the timeout: a
 * device that slept or crashed has lapsed, and does not take back work that moved on.
 */
import type { RejectionCode } from '../../errors.js'
import { heartbeatOf } from '../../heartbeat.js'
import type { RecordId } from '../../ids.js'
import { MAX_HELD_VOIDS } from '../../limits.js'
import type { RecordOf } from '../../records/record.js'
import { findNode, grant, type RunState, reject, type TreeNode } from '../state.js'
import { missing } from './citation.js'
import { claimedIn, ownNode } from './own.js'

export function applyHeld(state: RunState, record: RecordOf<'held'>): RejectionCode | undefined {
  const node = ownNode(state, record)
  if (typeof node === 'string') return node
  const claim = claimedIn(node, record.incarnation)
  if (claim === undefined) return 'NOT_CLAIMED'
  if (record.gapMs > heartbeatOf(node.created.heartbeat).timeoutMs) return 'HELD_AFTER_GAP'
  grant(state, node, record)
  let voided = 0
  for (const id of record.voids ?? []) {
    const child = voidable(state, record, node, claim, id)
    if (typeof child === 'string') reject(state, record, child)
    else {
      child.voidedBy ??= record
      voided++
    }
  }
  if (voided > 0) node.heldVoids++
  return undefined
}

function voidable(
  state: RunState,
  record: RecordOf<'held'>,
  node: TreeNode,
  claim: RecordOf<'claimed'>,
  id: RecordId,
): TreeNode | RejectionCode {
  const child = findNode(state, id)
  if (child === undefined) return missing(record, id, 'UNKNOWN_ASSIGNMENT')
  if (child.parent !== node || child.record.reason !== 'timeout') return 'HELD_NOT_TIMEOUT'
  if (node.created.reconcile === 'latest') return 'HELD_OFF'
  if (node.ends.length > 0) return 'HELD_ENDED'
  if (claim.stamp >= child.record.stamp) return 'HELD_NOT_FIRST'
  return node.heldVoids < MAX_HELD_VOIDS ? child : 'HELD_LIMIT'
}
