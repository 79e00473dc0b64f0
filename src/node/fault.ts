/** What is kept of something that app code threw: a code and a message, bounded, whatever it was. */
import { cut } from './cut.js'

/** Characters of a message, and of a code, that are kept. As long as a text in a record may be. */
export const MAX_FAULT_LENGTH = 1024

export interface Fault {
  readonly code: string
  readonly message: string
}

/** Never throws, though what was thrown may be a trap itself. `code` is for what has none. */
export function faultOf(error: unknown, code: string): Fault {
  try {
    const own = Object(error) as { readonly code?: unknown; readonly message?: unknown }
    return {
      code: cut(typeof own.code === 'string' ? own.code : code, MAX_FAULT_LENGTH - 1),
      message: cut(typeof own.message === 'string' ? own.message : String(error), MAX_FAULT_LENGTH - 1),
    }
  } catch {
    return { code, message: 'Something was thrown that cannot be shown.' }
  }
}
