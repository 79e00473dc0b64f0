/** Reads the records of journals again, for the outbox. */
import type { AnyRecord } from '../../protocol/index.js'
import { GROUP_JOURNAL, type Journal, JournalError, type Journals } from '../journal/index.js'
import type { RecordSource } from './outbox/index.js'

export function recordSource(journals: () => Journals): RecordSource {
  return {
    journals: () => journals().names.filter((name) => name !== GROUP_JOURNAL),
    read: async (name) => {
      const journal = await loadIfKept(journals(), name)
      return journal === null ? [] : recordsOf(journal)
    },
  }
}

/** The journal, from memory or disk; null if it was dropped. */
export async function loadIfKept(journals: Journals, name: string): Promise<Journal | null> {
  try {
    return await journals.load(name)
  } catch (error) {
    if (error instanceof JournalError && error.code === 'JOURNAL_EVICTED') return null
    throw error
  }
}

function* recordsOf(journal: Journal): Generator<readonly AnyRecord[]> {
  for (const log of journal.logs) yield* journal.records(log, 0, log.counted)
}
