/**
 * Batches: many runs submitted in the background, with progress, and without duplicates whatever happens meanwhile.
 *
 * @module
 */
export { Batches } from './batches.js'
export type {
  BatchesOptions,
  BatchHandle,
  BatchProgress,
  BatchSummary,
  StartBatchOptions,
} from './options.js'
export type { BatchError } from './shelf.js'
