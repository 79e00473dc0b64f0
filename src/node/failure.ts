/** From what a handler threw to what a record says. */
import { fieldFault, type RunFailure } from '../../protocol/index.js'
import { textOf } from '../engine/text.js'
import { InputError } from './errors.js'
import { plainData } from './plain-data.js'

const UNNAMED = 'HANDLER_ERROR'

export interface Failure {
  readonly error: RunFailure
  /** No further attempt makes sense. */
  readonly permanent: boolean
}

/** Never throws, though what was thrown may be a trap itself: a run whose end cannot be told would never end. */
export function failureOf(thrown: unknown): Failure {
  try {
    return readFailure(thrown)
  } catch {
    const message = 'Something was thrown that cannot be shown.'
    return { error: { code: UNNAMED, message }, permanent: false }
  }
}

/** Codes and messages are the handler's own; anything that a record cannot carry is left out. */
function readFailure(thrown: unknown): Failure {
  const { code, message, details, retry } = Object(thrown) as {
    readonly code?: unknown
    readonly message?: unknown
    readonly details?: unknown
    readonly retry?: unknown
  }
  const data = details === undefined ? null : plainData(details).payload
  return {
    error: {
      code: typeof code === 'string' && fieldFault('name', code) === undefined ? code : UNNAMED,
      message: textOf(typeof message === 'string' ? message : String(thrown)),
      ...(data !== null && { details: data }),
    },
    permanent: retry === false || isBadOutput(thrown),
  }
}

/** The handler would make the same of the same input again. */
function isBadOutput(thrown: unknown): boolean {
  return thrown instanceof InputError && thrown.code === 'INVALID_OUTPUT'
}
