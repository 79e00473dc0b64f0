/** One rule for each kind of record: takes it into the state, or says why it does not count. */
import type { RejectionCode } from '../../errors.js'
import type { RecordOf, RunKind, RunRecord } from '../../records/record.js'
import { standing } from '../group.js'
import { type RunState, withOne } from '../state.js'
import { applyAssigned, mayApprove } from './assign.js'
import { applyCancelled, applyCompleted, applyFailed, applyRetried } from './end.js'
import { applyHeld } from './held.js'
import { applyClaimed, applyGivenUp, applyProgressed, applyStarted } from './own.js'

type Rule<K extends RunKind> = (state: RunState, record: RecordOf<K>) => RejectionCode | undefined

const RULES: { readonly [K in RunKind]: Rule<K> } = {
  created: applyCreated,
  assigned: applyAssigned,
  claimed: applyClaimed,
  started: applyStarted,
  progressed: applyProgressed,
  declined: applyGivenUp,
  released: applyGivenUp,
  held: applyHeld,
  completed: applyCompleted,
  failed: applyFailed,
  cancelled: applyCancelled,
  retried: applyRetried,
  paused: applyPaused,
  resumed: applyResumed,
  approved: applyApproved,
  expedited: applyExpedited,
}

/** Takes the next record, in order, into the state; or says why it does not count. */
export function applyRecord(state: RunState, record: RunRecord): RejectionCode | undefined {
  const refused = standing(state.group.members, record.author, record.stamp)
  if (refused !== undefined) return refused
  if (record.kind !== 'created' && state.createds.length === 0) return 'BEFORE_CREATED'
  const fault = (RULES[record.kind] as Rule<RunKind>)(state, record)
  if (fault === undefined) state.updated = record.stamp
  return fault
}

function applyCreated(state: RunState, record: RecordOf<'created'>): undefined {
  state.createds = withOne(state.createds, record)
}

function applyPaused(state: RunState, record: RecordOf<'paused'>): undefined {
  state.paused = record
}

function applyResumed(state: RunState): undefined {
  state.paused = null
}

function applyExpedited(state: RunState, record: RecordOf<'expedited'>): undefined {
  state.expedited = record
}

function applyApproved(state: RunState, record: RecordOf<'approved'>): RejectionCode | undefined {
  if (!state.createds.some((created) => mayApprove(state, created, record))) return 'NOT_APPROVER'
  state.approvals = withOne(state.approvals, record)
  return undefined
}
