/** Pull: the next run for whoever asks. */
import { failedGates, needsOf } from '../../protocol/index.js'
import { ownCandidate } from './candidates.js'
import { ref } from './drafts.js'
import type { LeaseQuery } from './events.js'
import { isOverdue } from './others.js'
import { assignedDraft, reasonOf } from './records.js'
import type { EngineState, Lease, Tracked } from './state.js'
import { type Bucket, fitsQuery } from './waiting-index.js'

/** Looks for a run and takes it; or answers at once that there is none. */
export function lease(state: EngineState, ask: number, query: LeaseQuery): void {
  const isReady = state.heldBackUntilMs === null && state.local !== null && !state.isClosing && state.mayWrite
  const next = isReady ? state.waiting.next((bucket) => mayLease(state, bucket, query)) : null
  if (next === null) {
    state.emit({ type: 'leased', ask, run: null, assignment: null })
    return
  }
  const { view, run } = next
  const isMine = next.wait?.bucket.responsible === state.me || !hasRivals(state)
  state.waiting.remove(next)
  state.keepSlot(next)
  next.parkedUntilMs = 0
  const given: Lease = {
    ask,
    query,
    leaseMs: query.leaseMs,
    renewedMs: state.now.monoMs,
    settlesMs: isMine ? null : state.now.monoMs + state.config.leaseSettleMs,
  }
  const assigned = assignedDraft(view, state.me, reasonOf(view))
  const claimed = { kind: 'claimed', run, assignment: ref(0) } as const
  const started = { kind: 'started', run, assignment: ref(0) } as const
  // A run that another device may give away at this very moment is not begun before its record would have come.
  state.append(next, isMine ? [assigned, claimed, started] : [assigned, claimed], { lease: given })
}

/** Whether another device that is alive may place or pull the same run. */
function hasRivals(state: EngineState): boolean {
  for (const { device } of state.peers.all) if (state.peers.isLive(device, state.now)) return true
  return false
}

function mayLease(state: EngineState, bucket: Bucket, query: LeaseQuery): boolean {
  if (!fitsQuery(bucket, query)) return false
  const own = ownCandidate(state, bucket.sample.created.type)
  if (own === null) return false
  const { handles: _, ...candidate } = own
  const { tracked } = bucket.heap.first as NonNullable<Tracked['wait']>
  const { view } = tracked
  // Its device may have been heard again since.
  if (view.state !== 'created' && view.state !== 'reassigning' && !isOverdue(state, tracked)) return false
  const needs = { ...needsOf(view, state.now.wallMs), exclusions: [] }
  return (
    failedGates(
      { group: state.config.group, run: needs, candidates: [], nowMs: state.now.wallMs },
      { ...candidate, capabilities: query.capabilities ?? own.capabilities },
      state.config.choose,
    ).length === 0
  )
}
