import type { FindingCode, LogKey } from './store.js'

/** Where what the scan judged goes. */
export interface Verdicts {
  /** A key and value that stay. */
  keep(value: Uint8Array): void
  /** A key and value that go into quarantine. */
  reject(code: FindingCode, key: Uint8Array, value: Uint8Array): void
  /** A key that is not needed: a pack holds the same. */
  drop(key: Uint8Array): void
  find(code: FindingCode, log: LogKey | null, sequence: number | null, message: string): void
}
