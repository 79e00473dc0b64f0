/**
 * LevelDB's MANIFEST: which tables are alive. Read with more care than LevelDB takes, which passes over zeroed parts in
 * silence, and then stops the whole process when tables turn out to overlap.
 */
import { maskedCrc32c } from './crc32c.js'
import { Cursor } from './cursor.js'

const BLOCK_BYTES = 32 * 1024
const HEADER_BYTES = 7
const FULL = 1
const FIRST = 2
const LAST = 4

// Tags of what an edit says.
const COMPARATOR = 1
const COMPACT_POINTER = 5
const DELETED_TABLE = 6
const NEW_TABLE = 7

/**
 * Numbers of the tables that are alive, or `null` if the MANIFEST is damaged. A last record that was not written to its
 * end counts as never written: that is how a crash looks.
 */
export function liveTables(manifest: Uint8Array): ReadonlySet<number> | null {
  try {
    const tables = new Set<number>()
    for (const edit of records(manifest)) apply(edit, tables)
    return tables
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function apply(edit: Uint8Array, tables: Set<number>): void {
  const cursor = new Cursor(edit)
  while (!cursor.atEnd) {
    const tag = cursor.number()
    switch (tag) {
      case COMPARATOR:
        cursor.bytes()
        break
      case COMPACT_POINTER:
        cursor.number()
        cursor.bytes()
        break
      case DELETED_TABLE:
        cursor.number()
        tables.delete(cursor.number())
        break
      case NEW_TABLE:
        cursor.number()
        tables.add(cursor.number())
        cursor.number()
        cursor.bytes()
        cursor.bytes()
        break
      default:
        cursor.number() // Numbers of logs, files and writes.
    }
  }
}

/** The records of a file in LevelDB's log format. Throws a RangeError where it is damaged. */
function* records(file: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  let parts: Uint8Array[] = []
  let at = 0
  while (at < file.length) {
    const blockLeft = BLOCK_BYTES - (at % BLOCK_BYTES)
    if (blockLeft < HEADER_BYTES) {
      at += blockLeft
      continue
    }
    if (file.length - at < HEADER_BYTES || isZero(file, at)) return
    const end = at + HEADER_BYTES + view.getUint16(at + 4, true)
    const type = view.getUint8(at + 6)
    if (end > at + blockLeft) throw new RangeError('A record leaves its block.')
    if (end > file.length) return
    if (view.getUint32(at, true) !== maskedCrc32c(file, at + 6, end)) {
      throw new RangeError('A record does not match its checksum.')
    }
    if (type === FULL || type === FIRST) parts = []
    parts.push(file.subarray(at + HEADER_BYTES, end))
    if (type === FULL || type === LAST) yield join(parts)
    at = end
  }
}

// Zeros to the end of the file are space that was never written to.
function isZero(file: Uint8Array, from: number): boolean {
  for (let i = from; i < file.length; i++) if (file[i] !== 0) return false
  return true
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
