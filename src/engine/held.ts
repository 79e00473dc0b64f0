/** Which reassignments of a run that this device never let go it may void. */
import {
  type AssignmentView,
  MAX_HELD_VOIDS,
  MAX_REFERENCES,
  type RecordId,
  type RecordOf,
  type RunView,
} from '../../protocol/index.js'
import type { EngineState } from './state.js'

/** The children of its assignment that were made for `timeout`, as far as `held` would count against them. */
export function voidableBy(state: EngineState, view: RunView, own: AssignmentView): readonly RecordId[] {
  if (view.created.reconcile === 'latest' || own.givenUp !== null) return []
  const records = state.config.recordsOf(view.run)
  const { device, incarnation } = state.config
  let claim: RecordOf<'claimed'> | undefined
  let spent = 0
  const voided = new Set<RecordId>()
  const children: RecordOf<'assigned'>[] = []
  for (const record of records) {
    if (record.kind === 'assigned' && record.parent === own.id && record.reason === 'timeout')
      children.push(record)
    const isOwn = 'assignment' in record && record.assignment === own.id && record.author === device
    if (!isOwn) continue
    if (record.kind === 'claimed' && record.incarnation === incarnation) claim ??= record
    if (record.kind === 'held' && (record.voids ?? []).length > 0) {
      spent++
      for (const id of record.voids ?? []) voided.add(id)
    }
  }
  if (claim === undefined || spent >= MAX_HELD_VOIDS) return []
  const { stamp } = claim
  return children
    .filter((child) => !voided.has(child.id) && child.stamp > stamp)
    .map(({ id }) => id)
    .slice(0, MAX_REFERENCES)
}
