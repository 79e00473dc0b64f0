/**
 * LevelDB's tables: blocks of sorted rows, an index of the blocks, a footer that says where the index is. LevelDB has a
 * checksum for each block and does not look at it; when a block turns out not to be sorted, it stops the whole process.
 */
import { maskedCrc32c } from './crc32c.js'
import { Cursor } from './cursor.js'

const FOOTER_BYTES = 48
const MAGIC_BYTES = 8
const MAGIC = 0xdb4775248b80fb57n
/** Behind each block: one byte of compression, four of checksum. */
const TRAILER_BYTES = 5
const UNCOMPRESSED = 0
/** Behind each key: the number of the write, and whether it put or deleted. */
const KEY_TAG_BYTES = 8
const PUT = 1

export type TableRow = readonly [key: Uint8Array, value: Uint8Array]

/** Whether every block of a table is there and matches its checksum. */
export function isSoundTable(file: Uint8Array): boolean {
  const footer = readFooter(file)
  const filters = footer === null ? null : readBlock(file, footer.filters)
  const blocks = footer === null ? null : blocksOf(file, footer.index)
  if (filters === null || blocks === null) return false
  const handles = attempt(() => blockRows(filters).map(([, handle]) => readHandle(new Cursor(handle))))
  return handles?.concat(blocks).every((handle) => readBlock(file, handle) !== null) ?? false
}

/** The rows that were put, from those blocks of a damaged table that are still sound. */
export function salvageRows(file: Uint8Array): readonly TableRow[] {
  const footer = readFooter(file)
  const handles = footer === null ? null : blocksOf(file, footer.index)
  return (handles ?? []).flatMap((handle) => {
    const block = readBlock(file, handle)
    const rows = block === null ? null : attempt(() => blockRows(block))
    return (rows ?? [])
      .filter(([key]) => key[key.length - KEY_TAG_BYTES] === PUT)
      .map(([key, value]) => [key.slice(0, -KEY_TAG_BYTES), value] as const)
  })
}

interface Handle {
  readonly offset: number
  readonly size: number
}

function readFooter(file: Uint8Array): { readonly filters: Handle; readonly index: Handle } | null {
  if (file.length < FOOTER_BYTES) return null
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  if (view.getBigUint64(file.length - MAGIC_BYTES, true) !== MAGIC) return null
  const cursor = new Cursor(file, file.length - FOOTER_BYTES)
  return attempt(() => ({ filters: readHandle(cursor), index: readHandle(cursor) }))
}

function readHandle(cursor: Cursor): Handle {
  return { offset: cursor.number(), size: cursor.number() }
}

function blocksOf(file: Uint8Array, index: Handle): readonly Handle[] | null {
  const block = readBlock(file, index)
  return block === null
    ? null
    : attempt(() => blockRows(block).map(([, handle]) => readHandle(new Cursor(handle))))
}

/** The block there, or `null` if it does not match its checksum. */
function readBlock(file: Uint8Array, { offset, size }: Handle): Uint8Array | null {
  const end = offset + size
  if (end + TRAILER_BYTES > file.length) return null
  const stored = new DataView(file.buffer, file.byteOffset).getUint32(end + 1, true)
  if (file[end] !== UNCOMPRESSED || stored !== maskedCrc32c(file, offset, end + 1)) return null
  return file.subarray(offset, end)
}

/** The rows of a block. Each key is written as what differs from the one before. */
function blockRows(block: Uint8Array): readonly TableRow[] {
  const restarts = new DataView(block.buffer, block.byteOffset, block.length).getUint32(
    block.length - 4,
    true,
  )
  const cursor = new Cursor(block.subarray(0, block.length - 4 * (restarts + 1)))
  const rows: TableRow[] = []
  let key = new Uint8Array(0)
  while (!cursor.atEnd) {
    const [shared, own, length] = [cursor.number(), cursor.number(), cursor.number()] as const
    const next = new Uint8Array(shared + own)
    next.set(key.subarray(0, shared))
    next.set(cursor.take(own), shared)
    rows.push([next, cursor.take(length)])
    key = next
  }
  return rows
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
