import { expect } from 'vitest'

/** The error that a call throws: of exactly this class, or the test fails. */
export function thrown<E extends Error>(kind: abstract new (...args: never[]) => E, call: () => unknown): E {
  try {
    call()
  } catch (error) {
    if (error instanceof kind && error.constructor === kind) return error
    throw error
  }
  return expect.fail(`nothing was thrown, not even a ${kind.name}`)
}
