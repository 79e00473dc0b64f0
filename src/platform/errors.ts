/** What can be wrong with a device's key, once: a stable code and what it means. */
export const IDENTITY_ERROR_CODES = {
  IDENTITY_EXPOSED: 'Others on this machine can read the device’s private key.',
  IDENTITY_DAMAGED: 'The bytes are no Ed25519 private key, or its two halves do not belong together.',
} as const

export type IdentityErrorCode = keyof typeof IDENTITY_ERROR_CODES

/** A key that must not be used. It was left as it is. */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode

  constructor(code: IdentityErrorCode, message: string) {
    super(message)
    this.name = 'IdentityError'
    this.code = code
  }
}
