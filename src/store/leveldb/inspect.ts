/**
 * Looks over LevelDB's files before LevelDB does: given a damaged table, it may stop the whole process, as it opens or
 * hours later when it merges tables. So it never gets to see one.
 */
import type { Files } from '../../platform/platform.js'
import { liveTables } from './manifest.js'
import { isSoundTable, salvageRows, type TableRow } from './table.js'

const CURRENT = /^(MANIFEST-\d+)\n$/
const TABLE = /^(\d+)\.(?:ldb|sst)$/
/** Where damaged tables go. LevelDB's own repair puts there what it cannot use, too. */
const LOST = 'lost'

/** What is wrong with the files in a folder, as a sentence; `null` if nothing is, or there are none. */
export async function inspect(files: Files, folder: string): Promise<string | null> {
  const names = await files.list(folder)
  const current = await files.read(files.join(folder, 'CURRENT'))
  if (current === null) {
    // LevelDB would make a new database over the rest, and delete the old tables.
    return names.some((name) => TABLE.test(name) || name.startsWith('MANIFEST-'))
      ? 'CURRENT is missing.'
      : null
  }
  const manifest = CURRENT.exec(new TextDecoder().decode(current))?.[1]
  const edits = manifest === undefined ? null : await files.read(files.join(folder, manifest))
  const live = edits === null ? null : liveTables(edits)
  if (live === null) return `${edits === null ? 'CURRENT' : manifest} is damaged.`
  for (const name of names) {
    const number = Number(TABLE.exec(name)?.[1] ?? Number.NaN)
    // Others were left half written by a crash, or are about to be deleted.
    if (!live.has(number)) continue
    const table = await files.read(files.join(folder, name))
    if (table === null || !isSoundTable(table)) return `The table ${name} is damaged.`
  }
  return null
}

/** Moves damaged tables out of LevelDB's way, into a folder of their own. Answers with what could be read of them. */
export async function removeDamagedTables(files: Files, folder: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = []
  for (const name of await files.list(folder)) {
    const path = files.join(folder, name)
    const table = TABLE.test(name) ? await files.read(path) : null
    if (table === null || isSoundTable(table)) continue
    rows.push(...salvageRows(table))
    await files.makeFolder(files.join(folder, LOST))
    await files.move(path, files.join(files.join(folder, LOST), name))
  }
  return rows
}
