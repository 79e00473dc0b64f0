/** Why a sync ended before it was done, each with a stable code. What was taken in until then stays. */
export const SYNC_ERROR_CODES = {
  SYNC_MALFORMED: 'The other side sent something that is no part of a sync.',
  SYNC_CUT:
    'The channel ended before the sync did: the connection was lost, or the other side has no time now.',
  SYNC_TIMEOUT: 'Nothing moved for too long, or it took too long as a whole.',
  SYNC_TOO_LARGE: 'The other side sent more than one sync may take.',
  SYNC_STORE: 'The journals could not take in what came: the store failed, or they were closed.',
} as const
export type SyncErrorCode = keyof typeof SYNC_ERROR_CODES

export class SyncError extends Error {
  readonly code: SyncErrorCode

  constructor(code: SyncErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'SyncError'
    this.code = code
  }
}
