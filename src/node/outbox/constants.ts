/** Every number of the outbox, with its reason. Defaults can be changed by options; limits cannot. */

/** Deliveries under way at once. One keeps events in order, but for those that failed and come again. */
export const CONCURRENCY = 1

/** Milliseconds before the first retry; each further one waits twice as long. */
export const BACKOFF_MS = 1000

/** Milliseconds that a retry waits at most, before jitter. */
export const MAX_BACKOFF_MS = 300_000

/** Share of a wait that chance adds, so that events which failed together do not come back together. */
export const JITTER = 0.25

/** Attempts before an event becomes a dead letter: about a quarter of an hour at the defaults. */
export const MAX_ATTEMPTS = 10

/** Milliseconds that one delivery may take. A listener that hangs must not hold up all others. */
export const DELIVERY_TIMEOUT_MS = 30_000

/** Milliseconds that a webhook may take to answer. */
export const WEBHOOK_TIMEOUT_MS = 10_000

/** Milliseconds between two writes of the positions. The longer, the more events come twice after a crash. */
export const SAVE_INTERVAL_MS = 1000

/** Events that wait in memory. What is beyond is read again from the journals. */
export const MAX_QUEUED = 10_000

/** Events put aside for a retry, on disk. When so many fail, nothing new is tried until some get through. */
export const MAX_ASIDE = 10_000

/** Dead letters that are kept. The oldest goes. */
export const MAX_DEAD = 10_000

/** Records that wait for others to make sense of them. */
export const MAX_UNDECIDED = 10_000

/** Milliseconds that such a record waits. A sync brings what it cites within seconds, or it will not count at all. */
export const UNDECIDED_MS = 60_000

/** Milliseconds before a journal that could not be read is read again. */
export const REREAD_MS = 5000

/** Deliveries under way at once, at most. Beyond, a receiver is flooded sooner than fed. */
export const MAX_CONCURRENCY = 1000

/** Attempts that can be asked for. At the longest backoff they take three days. */
export const MAX_MAX_ATTEMPTS = 1000

/** Entries of a list for which no limit was given, and at most: one page for people. */
export const LIST_LIMIT = 100
export const MAX_LIST_LIMIT = 1000
