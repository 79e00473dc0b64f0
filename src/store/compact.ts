/** Packing: the 256 single entries of a full segment become one value. */
import type { AtomicWrite } from './atomic-write.js'
import { MAX_PACK_BYTES, PACK_ENTRIES } from './constants.js'
import type { Database, Row } from './database.js'
import type { Sealer } from './entry.js'
import { logRange, packKey, positionOf } from './keys.js'
import { corrupt } from './level-errors.js'
import type { Log } from './logs.js'
import { encodePack, packedSize } from './pack.js'

/** How many segments of a log are full and were not tried yet. */
export function segmentsToPack(log: Log): number {
  return Math.max(0, Math.floor(log.next / PACK_ENTRIES) - log.nextSegment)
}

/** Puts the packing of a log's next segment into a write. Answers whether there is anything to pack in it. */
export async function packSegment(
  database: Database,
  sealer: Sealer,
  log: Log,
  write: AtomicWrite,
): Promise<boolean> {
  const first = log.nextSegment * PACK_ENTRIES
  const rows: Row[] = []
  for await (const chunk of database.rows(logRange(log.prefix, first, first + PACK_ENTRIES)))
    rows.push(...chunk)
  if (rows.length === 1 && isPack(rows[0] as Row)) return false
  const entries = rows.map(([key, value], i) => {
    const position = positionOf(key)
    const body =
      position?.packed === false && position.sequence === first + i ? sealer.unseal(key, value) : null
    if (body === null) throw damaged(database, log, first + i)
    return body
  })
  if (entries.length !== PACK_ENTRIES) throw damaged(database, log, first + entries.length)
  if (packedSize(entries) > MAX_PACK_BYTES) return false
  write.put(packKey(log.prefix, first), encodePack(entries))
  for (const [key, value] of rows) write.delete(key, value)
  return true
}

function isPack([key]: Row): boolean {
  return positionOf(key)?.packed === true
}

function damaged(database: Database, { key }: Log, sequence: number): Error {
  const name = `${key.journal}/${key.device}/${key.incarnation}`
  return corrupt(`Entry ${sequence} of ${name} cannot be read any more.`, database.location)
}
