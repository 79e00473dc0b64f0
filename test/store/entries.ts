/** Entries to put into stores. */
import { deviceOfKey } from '../../protocol/index.js'
import type { LogKey, Store, StoredBatch } from '../../src/store/index.js'
import { seededRandom } from '../../src/testing/seeded.js'

export const DAY = '2026-01-11'

export function logOf(device: number, journal: string = DAY): LogKey {
  return { journal, device: deviceOfKey(new Uint8Array(32).fill(device)), incarnation: 4096 }
}

export function entriesOf(log: LogKey, from: number, count: number, bytes = 100): StoredBatch[] {
  return Array.from({ length: count }, (_, i) => ({
    log,
    sequence: from + i,
    signed: seededRandom(from + i).bytes(bytes),
  }))
}

/** What a call of the store failed with. */
export async function failure(call: Promise<unknown>): Promise<{ code?: unknown; message: string }> {
  return call.then(
    () => ({ message: 'It did not fail.' }),
    (error: Error) => error,
  )
}

export async function sequencesOf(store: Store, journal: string = DAY): Promise<number[]> {
  const sequences: number[] = []
  for await (const chunk of store.read(journal)) for (const { sequence } of chunk) sequences.push(sequence)
  return sequences
}
