/** Which reassignments of a run that this device never let go it may void. */
import {
  type AssignmentView,
  MAX_HELD_VOIDS,
  MAX_REFERENCES,
  orderRecords,
  type RecordId,
  type RecordOf,
  type RunRecord,
  type RunView,
} from '../../protocol/index.js'
import type { EngineState } from './state.js'

/**
 * The children of its assignment that were made for `timeout`, if voiding them makes this device the owner again; none
 * if the run moved on for another reason, or `held` would not count.
 */
export function voidableBy(state: EngineState, view: RunView, own: AssignmentView): readonly RecordId[] {
  if (view.created.reconcile === 'latest' || own.givenUp !== null) return []
  // Of several records with one id the fold counts one.
  const { ordered: records } = orderRecords(state.config.recordsOf(view.run))
  if (!descends(records, view.assignment?.id, own.id)) return []
  const { claim, spent, voided } = ownSayings(state, records, own.id)
  if (claim === undefined || spent >= MAX_HELD_VOIDS) return []
  const counted = new Set([view.assignment, ...view.previousAssignments].map((assignment) => assignment?.id))
  const children = records.filter(
    (record): record is RecordOf<'assigned'> =>
      record.kind === 'assigned' &&
      record.parent === own.id &&
      !voided.has(record.id) &&
      counted.has(record.id),
  )
  // One that cannot be voided stands, whatever becomes of the others.
  const isInVain = children.some(({ reason, stamp }) => reason !== 'timeout' || stamp <= claim.stamp)
  return isInVain ? [] : children.map(({ id }) => id).slice(0, MAX_REFERENCES)
}

/** What this process said of its assignment: its first claim, and what it voided. */
function ownSayings(
  { config: { device, incarnation } }: EngineState,
  records: readonly RunRecord[],
  assignment: RecordId,
): {
  readonly claim: RecordOf<'claimed'> | undefined
  readonly spent: number
  readonly voided: ReadonlySet<RecordId>
} {
  let claim: RecordOf<'claimed'> | undefined
  let spent = 0
  const voided = new Set<RecordId>()
  for (const record of records) {
    if (record.author !== device || !('assignment' in record) || record.assignment !== assignment) continue
    if (record.kind === 'claimed' && record.incarnation === incarnation) claim ??= record
    if (record.kind !== 'held' || record.voids === undefined || record.voids.length === 0) continue
    spent++
    for (const id of record.voids) voided.add(id)
  }
  return { claim, spent, voided }
}

/**
 * Whether the path to an assignment goes through another. One way back through the records, in their order: what counts
 * stands after its parent, and whatever else names whom as its parent, the way ends.
 */
function descends(ordered: readonly RunRecord[], from: RecordId | undefined, through: RecordId): boolean {
  let id = from
  for (let i = ordered.length - 1; i >= 0 && id !== undefined && id !== through; i--) {
    const record = ordered[i] as RunRecord
    if (record.kind === 'assigned' && record.id === id) id = record.parent
  }
  return id === through
}
