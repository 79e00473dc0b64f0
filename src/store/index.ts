/**
 * Keeps the signed batches of every log, on disk or in memory. `store.ts` says what a store does.
 *
 * @module
 */
export { STORE_ERROR_CODES, StoreError, type StoreErrorCode } from './errors.js'
export { MemoryStore } from './memory-store.js'
export { type OpenLevelStoreOptions, openLevelStore } from './open.js'
export {
  type CompactionReport,
  FINDING_CODES,
  type Finding,
  type FindingCode,
  type LogKey,
  type QuarantinedEntry,
  type Store,
  type StoredBatch,
} from './store.js'
