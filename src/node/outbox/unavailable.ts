/** The error for a store that does not do what the outbox needs. */
import { StorageError } from '../errors.js'

/** Passes on what a store gives; what it throws comes as `STORE_UNAVAILABLE`, with what it means for events. */
export async function stored<T>(work: Promise<T>, meaning: string): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new StorageError('STORE_UNAVAILABLE', meaning, {}, cause)
  }
}
