/** What a record about a run amounts to, in a word: the one place that events and the outbox take it from. */
import type { RunRecord, RunView } from '../../protocol/index.js'

export const HAPPENINGS = [
  'created',
  'assigned',
  'reassigned',
  'claimed',
  'started',
  'progressed',
  'declined',
  'released',
  'held',
  'completed',
  'conflict',
  'failed',
  'attempt-failed',
  'cancelled',
  'paused',
  'resumed',
  'approved',
  'retried',
  'expedited',
] as const
export type Happening = (typeof HAPPENINGS)[number]

/** `later`: the record has no effect as things stand; those that come may change that. `none`: there is nothing to tell. */
export function happeningOf(record: RunRecord, view: RunView | null): Happening | 'later' | 'none' {
  if (view === null || isRejected(record, view)) return 'later'
  switch (record.kind) {
    case 'created':
      if (view.created.id === record.id) return 'created'
      // A second submission under one key is no news, unless it asked for something else.
      return view.conflicts.some((conflict) => conflict.record === record.id) ? 'conflict' : 'none'
    case 'assigned':
      return record.parent !== undefined && record.reason !== 'created' ? 'reassigned' : 'assigned'
    case 'completed':
      return view.result?.record === record.id ? 'completed' : 'conflict'
    case 'failed':
      return record.final ? 'failed' : 'attempt-failed'
    default:
      return record.kind
  }
}

/** Whether a record has no effect on this view of its run. */
export function isRejected(record: RunRecord, view: RunView): boolean {
  const { rejected, rejectedCount } = view
  if (rejected.length === 0) return false
  if (rejected.some(({ record: id }) => id === record.id)) return true
  // A member who writes nonsense without end fills the list: then only what shows in the view is known to count.
  return rejectedCount > rejected.length && !isEvident(record, view)
}

function isEvident({ id, kind }: RunRecord, view: RunView): boolean {
  switch (kind) {
    case 'created':
      return view.created.id === id || view.conflicts.some(({ record }) => record === id)
    case 'assigned':
      return view.assignment?.id === id || view.previousAssignments.some((before) => before.id === id)
    case 'completed':
      return view.result?.record === id || view.conflicts.some(({ record }) => record === id)
    case 'failed':
      return view.error?.record === id
    case 'cancelled':
      return view.cancelled?.record === id
    default:
      return false
  }
}
