/** Drops what the retention no longer keeps, and packs what is left. */
import { type RunId, stampOf } from '../../protocol/index.js'
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
  const { journals, store, retentionMs } = parts
  const kept = keptJournals(parts)
  const dropped = await journals.evictExpired(retentionMs, (journal) => kept.has(journal))
  if (dropped.length > 0) forget(parts, new Set(dropped))
  await store.compact()
  return dropped
}

/**
 * Journals that are not dropped, whatever their day: those with records of open runs, and of runs that stand in a journal
 * which is kept. Half of a run's records would amount to something else than all of them.
 */
function keptJournals({ journals, book, outbox, retentionMs, wallMs }: UpkeepParts): ReadonlySet<string> {
  const dayBefore = (ms: number): string => dayOf(stampOf(Math.max(0, Math.floor(wallMs - ms))))
  const [expired, untold] = [dayBefore(retentionMs), dayBefore(OUTBOX_PATIENCE * retentionMs)]
  const isKept = (journal: string): boolean =>
    journal >= expired || (journal >= untold && !outbox.isSettled(journal))
  const kept = new Set(journals.names.filter(isKept))
  for (const { run } of book.index.open()) for (const journal of book.places.of(run)) kept.add(journal)
  return book.places.spread(kept)
}

function forget({ book, logs, onForgotten }: UpkeepParts, dropped: ReadonlySet<string>): void {
  const gone = book.views.map(({ run }) => run).filter((run) => isGone(book.places.of(run), dropped))
  book.places.drop(dropped)
  book.forget(gone)
  for (const run of gone) logs.forget(run)
  onForgotten(gone)
}

function isGone(places: readonly string[], dropped: ReadonlySet<string>): boolean {
  return places.every((place) => dropped.has(place))
}
