/** Which assignment is the current one (the end of the path from the root, the earliest sibling first), and what ended it all. */
import { sha256 } from '@noble/hashes/sha2.js'
import { compareBytes, encodeCbor } from '../cbor.js'
import { deviceKey, idToBytes } from '../ids.js'
import type { RecordOf } from '../records/record.js'
import { compareRecords } from './order.js'
import type { RoundEnd, RunState, TreeNode } from './state.js'

/** The end of the winning path of a round; null if nothing was assigned in it. */
export function currentNode(state: RunState, round: number): TreeNode | null {
  let node = earliest(state.nodes, (root) => root.parent === null && root.round === round)
  for (let next = node; next !== null; next = earliest(next.children, isInForce)) node = next
  return node
}

/** The child that goes on from this assignment; null at the end of its path. */
export function nextNode(node: TreeNode): TreeNode | null {
  return earliest(node.children, isInForce)
}

function isInForce(node: TreeNode): boolean {
  return node.voidedBy === null
}

function earliest(nodes: readonly TreeNode[], counts: (node: TreeNode) => boolean): TreeNode | null {
  let first: TreeNode | null = null
  for (const node of nodes) {
    if (counts(node) && (first === null || compareNodes(node, first) < 0)) first = node
  }
  return first
}

/**
 * Who called first has dibs. A root made for an earlier `created` record (two devices used one key) goes before, so
 * that the owner works on the input that the run has; then `assignedAt`; ties by a hash, which favours nobody.
 */
export function compareNodes(a: TreeNode, b: TreeNode): number {
  if (a === b) return 0
  if (a.created !== b.created) {
    const order = compareRecords(a.created, b.created)
    if (order !== 0) return order
  }
  if (a.record.stamp !== b.record.stamp) return a.record.stamp - b.record.stamp
  return compareBytes(tieHash(a.record), tieHash(b.record)) || compareRecords(a.record, b.record)
}

/** Breaks ties of `assignedAt`: the smaller hash of (run, assigner) wins. */
export function tieHash(record: RecordOf<'assigned'>): Uint8Array {
  return sha256(encodeCbor(['dibs/tie/1', idToBytes(record.run), deviceKey(record.author)]))
}

/** What ended a round: a cancellation outranks a failure; of each, the earliest. */
export function roundEnd(state: RunState, round: number): RoundEnd | null {
  let failed: RoundEnd | null = null
  for (const end of state.ends) {
    if (end.round !== round) continue
    if (end.record.kind === 'cancelled') return end
    failed ??= end
  }
  return failed
}
