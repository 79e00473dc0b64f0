/** Codes of what a store throws, and what each means. */
export const STORE_ERROR_CODES = {
  STORE_LOCKED: 'Another process has the store open. Nothing was touched.',
  STORE_NEWER_FORMAT: 'A newer dibs wrote the store. Nothing was touched.',
  STORE_FULL: 'The disk is full. Nothing of this write was kept; everything acknowledged before is there.',
  STORE_UNAVAILABLE: 'The disk failed, or forbids what the store needs.',
  STORE_CORRUPT: 'LevelDB’s files are damaged beyond what can be skipped. Nothing was changed.',
  STORE_CLOSED: 'The store was closed.',
  ENTRY_OUT_OF_ORDER: 'An entry is not the next of its log. Nothing of this append was kept.',
  ENTRY_TOO_LARGE: 'An entry, an item or a stub is over its limit. Nothing of this write was kept.',
} as const

export type StoreErrorCode = keyof typeof STORE_ERROR_CODES

/** All that a store throws, but for `TypeError`s at callers who pass what is no journal, device or name. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: StoreErrorCode,
    message: string,
    { details = {}, cause }: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'StoreError'
    this.code = code
    this.details = details
  }
}

export function storeClosed(): StoreError {
  return new StoreError(
    'STORE_CLOSED',
    'The store was closed. What was acknowledged is kept; open it again to go on.',
  )
}
