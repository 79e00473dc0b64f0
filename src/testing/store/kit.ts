/** Logs, entries and readers for the suite. */
import { type DeviceId, deviceOfKey } from '../../../protocol/index.js'
import { StoreError } from '../../store/errors.js'
import type { LogKey, Store, StoredBatch } from '../../store/store.js'
import { type SeededRandom, seededRandom } from '../seeded.js'
import type { StoreSuiteOptions } from './options.js'
export const DURABLE = { durable: true }
export const PASSING = { durable: false }

export const DAY = '2026-01-11'

export function logOf(device: number, journal: string = DAY): LogKey {
  return { journal, device: deviceNumber(device), incarnation: 4096 + device }
}

export function deviceNumber(number: number): DeviceId {
  return deviceOfKey(new Uint8Array(32).fill(number))
}

/** So many entries from this sequence on, each unlike the others. */
export function entriesOf(log: LogKey, from: number, count: number, random?: SeededRandom): StoredBatch[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = from + i + log.incarnation * 1009
    const signed = random?.bytes(random.below(50)) ?? seededRandom(seed).bytes(64 + (seed % 30))
    return { log, sequence: from + i, signed }
  })
}

export async function readAll(store: Store, journal: string = DAY): Promise<Uint8Array[]> {
  const entries: Uint8Array[] = []
  for await (const chunk of store.read(journal)) for (const { signed } of chunk) entries.push(signed)
  return entries
}

export async function readToEnd(reader: AsyncIterator<unknown>): Promise<void> {
  while (!(await reader.next()).done);
}

export function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The code of the `StoreError` that this fails with; `null` if it does not fail. */
export async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  }
}

export async function using(
  create: StoreSuiteOptions['create'],
  body: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await create()
  try {
    await body(store)
  } finally {
    await store.close()
  }
}
