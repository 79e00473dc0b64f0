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
export function isRejected({ id }: RunRecord, { rejected }: RunView): boolean {
  return rejected.length > 0 && rejected.some(({ record }) => record === id)
}
