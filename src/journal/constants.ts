/** Every number of the journals, with its reason. */
import { MAX_BATCH_BYTES } from '../../protocol/index.js'

/** Batches in one segment. Yjs copies a segment at each append: 14 µs at 256, 192 µs with one array of 50,000. */
export const SEGMENT_BATCHES = 256

/** Batches that are read in one go. */
export const READ_AHEAD = 64

/** Bytes of one message: a batch of the largest size, its signature and the update around it. */
export const MAX_MESSAGE_BYTES: number = MAX_BATCH_BYTES + 4096

/** Bytes that a message of a sync aims at: small enough to interleave with others, large enough to be worth a frame. */
export const SYNC_CHUNK_BYTES: number = 256 * 1024

/** Logs that one message may touch, and batches that it may bring: bounds the work before anything is checked. */
export const MAX_MESSAGE_STRETCHES = 1024
export const MAX_MESSAGE_BATCHES = 8192

/** Records that wait for a commit. More than a commit takes, so that the next can form while one is written. */
export const MAX_PENDING_RECORDS = 16_384

/** Calls that wait for room in that queue. Beyond it, a caller is told at once. */
export const MAX_WAITING_COMMITS = 4096

/** Records that one commit takes at the most: one batch in the common case, as all of a day are of one journal. */
export const MAX_COMMIT_RECORDS = 2048

/** Messages that wait to be checked. Beyond it the sender is told `BUSY`: a sync will bring them later. */
export const MAX_WAITING_MESSAGES = 1024

/** Bytes of those messages in all. */
export const MAX_WAITING_BYTES: number = 32 * 1024 * 1024

/** Messages from the future that are kept aside, and their bytes in all. Those of the furthest future go first. */
export const MAX_EARLY_MESSAGES = 256
export const MAX_EARLY_BYTES: number = 4 * 1024 * 1024

/** Journals, and logs of them, that a peer may list. */
export const MAX_LISTED_JOURNALS = 4096
export const MAX_LISTED_LOGS = 65_536
