/** The assignments of a run, from the first to the one that holds, or held last. */
import type { AssignmentView, PreviousAssignment, RunView } from '../../protocol/index.js'

/** One assignment of a run's history. */
export type HistoryEntry = Omit<PreviousAssignment, 'reason'> & {
  /** Why it ended; null while it holds. */
  readonly reason: PreviousAssignment['reason'] | null
}

export function historyOf(view: RunView): readonly HistoryEntry[] {
  const { previousAssignments, assignment } = view
  return assignment === null ? previousAssignments : [...previousAssignments, latest(view, assignment)]
}

/** The current assignment. What ended it, if anything did, stands elsewhere in the view. */
function latest(view: RunView, assignment: AssignmentView): HistoryEntry {
  const { reason, detail, at } = endOf(view, assignment)
  const durationMs = at === null ? null : Math.max(0, at - assignment.assignedAt)
  return { ...assignment, reason, detail, endedAt: at, durationMs }
}

function endOf(
  { state, result, error, cancelled }: RunView,
  { givenUp }: AssignmentView,
): { readonly reason: HistoryEntry['reason']; readonly detail: string | null; readonly at: number | null } {
  if (state === 'completed') return { reason: 'completed', detail: null, at: result?.at ?? null }
  if (givenUp !== null) return givenUp
  if (state === 'cancelled')
    return { reason: 'cancelled', detail: cancelled?.reason ?? null, at: cancelled?.at ?? null }
  if (state === 'failed')
    return { reason: 'failed', detail: `${error?.code}: ${error?.message}`, at: error?.at ?? null }
  return { reason: null, detail: null, at: null }
}
