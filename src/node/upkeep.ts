/** Drops what the retention no longer keeps, and packs what is left. */
import { type RunId, type RunView, stampOf } from '../../protocol/index.js'
import { dayOf, type Journals } from '../journal/index.js'
import type { Store } from '../store/store.js'
import type { Outbox } from './outbox/index.js'
import type { RunBook } from './run-book.js'
import type { RunLogs } from './run-logs.js'

/** Retentions for which events that nobody listens to are kept: an app may have stopped using its outbox. */
const OUTBOX_PATIENCE = 2

export interface UpkeepParts {
  readonly journals: Journals
  readonly store: Store
  readonly book: RunBook
  readonly outbox: Outbox
  readonly logs: RunLogs
  readonly retentionMs: number
  /** Milliseconds since 1970. */
  readonly wallMs: number
  /** Runs that are no longer kept here. */
  readonly onForgotten: (runs: readonly RunId[]) => void
}

/** One round. Returns the journals that were dropped. */
export async function upkeep(parts: UpkeepParts): Promise<readonly string[]> {
  const { journals, book, outbox, store, retentionMs, wallMs } = parts
  const open = new Set<string>()
  for (const view of book.index.open()) for (const day of daysOf(book, view)) open.add(day)
  const oldest = dayOf(stampOf(Math.max(0, Math.floor(wallMs - OUTBOX_PATIENCE * retentionMs))))
  const isTold = (journal: string): boolean => outbox.isSettled(journal) || journal < oldest
  const dropped = await journals.evictExpired(retentionMs, (journal) => open.has(journal) || !isTold(journal))
  if (dropped.length > 0) forget(parts, new Set(dropped))
  await store.compact()
  return dropped
}

function forget({ book, logs, onForgotten }: UpkeepParts, dropped: ReadonlySet<string>): void {
  const gone = book.views
    .filter((view) => daysOf(book, view).every((day) => dropped.has(day)))
    .map(({ run }) => run)
  book.forget(gone)
  for (const run of gone) logs.forget(run)
  onForgotten(gone)
}

/** The journals that a run's records are in: one key may have been used on two days. */
function daysOf(book: RunBook, view: RunView): readonly string[] {
  if (view.created.key === undefined) return [dayOf(view.created.stamp)]
  const days = new Set<string>()
  for (const record of book.records(view.run)) if (record.kind === 'created') days.add(dayOf(record.stamp))
  return [...days]
}
