/** What every platform has. The platforms themselves: `node/index.ts` and `browser/index.ts`. */
export { systemClock } from './clock.js'
export { IDENTITY_ERROR_CODES, IdentityError, type IdentityErrorCode } from './errors.js'
export type { Cell, Files, Holder, Platform } from './platform.js'
export { systemRandom } from './random.js'
export type { CancelTimer, Clock, OnProgress, Random, Signer, Verifier } from './seams.js'
export { Ed25519Signer } from './signer.js'
export { turn } from './turn.js'
export { createVerifier } from './verifier.js'
