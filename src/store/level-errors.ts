/** What level and LevelDB say, in the store's own words. */
import { StoreError, storeClosed } from './errors.js'

// LevelDB and IndexedDB tell a full disk only in their messages.
const FULL = /no space left|disk quota|ENOSPC|EDQUOT|QuotaExceeded/i
// What LevelDB says of files that are not as it left them, besides `Corruption`.
const DAMAGED = /corruption|does not exist|missing file|CURRENT|MANIFEST|No such file|no such file/
const NOT_OPEN: ReadonlySet<unknown> = new Set([
  'LEVEL_ITERATOR_NOT_OPEN',
  'LEVEL_DATABASE_NOT_OPEN',
  'LEVEL_BATCH_NOT_OPEN',
])

/** Whether another process, or another part of this one, has the database open. */
export function isLocked(error: unknown): boolean {
  return codeOf(rootOf(error)) === 'LEVEL_LOCKED'
}

/** Why LevelDB would not open. */
export function openError(error: unknown, location: string): StoreError {
  const root = rootOf(error)
  if (FULL.test(textOf(root))) return full(root)
  return DAMAGED.test(`${codeOf(root)} ${textOf(root)}`) || codeOf(root) === 'LEVEL_CORRUPTION'
    ? corrupt(root, location)
    : unavailable(root, 'could not be opened')
}

/** Why a read or a write failed. */
export function levelError(error: unknown, location: string): StoreError {
  if (error instanceof StoreError) return error
  const root = rootOf(error)
  if (NOT_OPEN.has(codeOf(root))) return storeClosed()
  if (FULL.test(textOf(root))) return full(root)
  if (codeOf(root) === 'LEVEL_CORRUPTION') return corrupt(root, location)
  return unavailable(root, 'failed')
}

/** Something that must be there is not, or is not what was written. */
export function corrupt(cause: unknown, location: string): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `The files of the store in ${location} are damaged: ${textOf(cause)} Nothing was changed. Copy the folder, then ` +
      'open it with `repair: true`: what can be read is kept, the rest is listed and asked of peers.',
    { cause },
  )
}

function full(cause: unknown): StoreError {
  return new StoreError(
    'STORE_FULL',
    'The disk is full. Nothing of this write was kept; everything acknowledged before is there and can be read. Make ' +
      'room and write again: the store recovers by itself.',
    { cause },
  )
}

function unavailable(cause: unknown, what: string): StoreError {
  return new StoreError(
    'STORE_UNAVAILABLE',
    `The store ${what}: ${textOf(cause)} What was acknowledged before is kept. See to the disk and its permissions, ` +
      'then try again.',
    { cause },
  )
}

// level wraps the reason in a "failed to open".
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function textOf(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}` : `${error}`
  return text.endsWith('.') ? text : `${text}.`
}
