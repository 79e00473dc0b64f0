/** Every number of batches, with its reason. */

/** Items of one batch: what a device can plan in a few seconds and 100 MB. Make several for more. */
export const MAX_BATCH_ITEMS = 100_000

/** Batches under way at once. Each has a chunk in hand; more would only take turns. */
export const MAX_BATCHES_OPEN = 16

/** Batches that are kept after their end, so that people can see what became of them. The oldest goes. */
export const BATCHES_KEPT = 100

/** Items that are submitted together: enough for one commit to be worth it, few enough to be back soon with progress. */
export const CHUNK_ITEMS = 500

/** Bytes of a chunk on disk. Under the store's limit for items with room to spare; a single item is always under it. */
export const CHUNK_BYTES: number = 1024 * 1024

/** Milliseconds to wait when the queue is full or the store fails; each further time twice as long. */
export const RETRY_MS = 250

/** Milliseconds to wait at most. Long enough to cost nothing, short enough to go on soon after there is room. */
export const MAX_RETRY_MS = 15_000

/** Failed items whose errors a batch keeps. It counts all of them. */
export const MAX_BATCH_ERRORS = 20

/** Characters of a batch's name. */
export const MAX_BATCH_NAME_LENGTH = 128

/** Random bytes of a batch's id: the id goes into the keys of its runs, so it is short. */
export const BATCH_ID_BYTES = 8
