/**
 * Reading a log in order, while appends and packing go on.
 *
 * A reader knows from the ledger how far each log goes, and is content with nothing less: entries that LevelDB fails to
 * show are an error, never a shorter answer. It starts a log over, from where it is, when packing moved entries under
 * its feet (IndexedDB has no snapshots) or the database was opened anew (after a full disk).
 */
import { PACK_ENTRIES } from './constants.js'
import type { Database, Row } from './database.js'
import type { Sealer } from './entry.js'
import { StoreError } from './errors.js'
import { logRange, positionOf } from './keys.js'
import { corrupt } from './level-errors.js'
import type { Log } from './logs.js'
import { decodePack } from './pack.js'
import type { StoredBatch } from './store.js'

export interface ReadSource {
  readonly database: Database
  readonly sealer: Sealer
  /** Whether the log still has so many entries, and was not evicted. */
  has(log: Log, count: number): boolean
  /** Resolves once the database can be read. Throws `STORE_CLOSED` if it never will. */
  ready(): Promise<void>
}

/** The first `until` entries of a log. */
export async function* readLog(
  source: ReadSource,
  log: Log,
  until: number,
): AsyncGenerator<readonly StoredBatch[]> {
  let next = 0
  let stuckAt = -1
  while (next < until) {
    for await (const entries of pass(source, log, next, until)) {
      next += entries.length
      yield entries
    }
    if (next >= until || !source.has(log, until)) return
    if (stuckAt === next) {
      const { journal, device, incarnation } = log.key
      const what = `Entry ${next} of ${journal}/${device}/${incarnation} cannot be read any more.`
      throw corrupt(what, source.database.location)
    }
    stuckAt = next
  }
}

// One walk over the log's rows: all that follows on without a gap.
async function* pass(
  source: ReadSource,
  log: Log,
  from: number,
  until: number,
): AsyncGenerator<readonly StoredBatch[]> {
  await source.ready()
  let next = from
  try {
    for await (const rows of source.database.rows(logRange(log.prefix, from, until))) {
      const entries: StoredBatch[] = []
      const goesOn = rows.every((row) =>
        takeRow(source.sealer, log, row, next + entries.length, until, entries),
      )
      next += entries.length
      if (entries.length > 0) yield entries
      if (!goesOn) return
    }
  } catch (error) {
    // Closed to be opened again? Then `ready` lets the next pass wait for it; otherwise it throws the same.
    if (!(error instanceof StoreError && error.code === 'STORE_CLOSED')) throw error
    await source.ready()
  }
}

// Adds what a row holds from `next` on. Answers whether the walk can go on.
function takeRow(
  sealer: Sealer,
  log: Log,
  [key, value]: Row,
  next: number,
  until: number,
  into: StoredBatch[],
): boolean {
  const position = positionOf(key)
  if (position === null || position.sequence > next) return false
  const end = position.sequence + (position.packed ? PACK_ENTRIES : 1)
  if (end <= next) return true
  const body = sealer.unseal(key, value)
  const bodies = body === null ? null : position.packed ? decodePack(body) : [body]
  if (bodies === null) return false
  for (let sequence = next; sequence < Math.min(end, until); sequence++) {
    into.push({ log: log.key, sequence, signed: bodies[sequence - position.sequence] as Uint8Array })
  }
  return true
}
