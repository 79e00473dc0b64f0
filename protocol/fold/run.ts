/** From records to a view: sort, walk, read off. */
import type { RunRecord } from '../records/record.js'
import type { GroupView } from './group.js'
import { orderRecords } from './order.js'
import { readView } from './read-view.js'
import { applyRecord } from './rules/index.js'
import { emptyState, type RunState, reject } from './state.js'
import type { RunView } from './view.js'

/**
 * The view of one run, from its records in any order and any repetition; null while no valid `created` is among them.
 *
 * Citations point back in time, so one walk in the total order meets every record after all that it cites.
 */
export function foldRun(records: readonly RunRecord[], group: GroupView): RunView | null {
  return readView(walk(records, group))
}

/** The state after all the records of a run. */
export function walk(records: readonly RunRecord[], group: GroupView): RunState {
  const { ordered, duplicates } = orderRecords(records)
  const state = emptyState(group)
  for (const record of duplicates) reject(state, record, 'DUPLICATE_ID')
  for (const record of ordered) step(state, record)
  return state
}

/** The state after one more record, later than all before it. */
export function step(state: RunState, record: RunRecord): void {
  const code = applyRecord(state, record)
  if (code !== undefined) reject(state, record, code)
}
