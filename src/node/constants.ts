/** Every default and limit of the node, with its reason. */

/** Runs of one type that a device does at once. */
export const CONCURRENCY = 10

/** Items from which on `submitMany` answers with a batch: below, all are stored when it resolves. */
export const BATCH_FROM = 100

/** Runs that are open at once, over all devices. Beyond it `submit` says `QUEUE_FULL`: memory is finite. */
export const MAX_OPEN_RUNS = 1_000_000

/** Milliseconds for which ended runs are kept: a week. */
export const RETENTION_MS: number = 7 * 24 * 60 * 60 * 1000

/** Milliseconds between two looks for what can be dropped or packed. */
export const UPKEEP_MS = 3_600_000

/** Milliseconds that `drain` waits for handlers to end by themselves. */
export const DRAIN_TIMEOUT_MS = 30_000

/** Milliseconds beyond the abort grace that `close` waits for the last records. */
export const CLOSE_SLACK_MS = 2_000

/** Milliseconds without a sign of life after which a lease is lost. */
export const LEASE_MS = 90_000

/** Loop lag, in milliseconds, from which on the app is told. */
export const LAG_TOLD_MS = 500

/** Lag, in milliseconds, beyond which more makes no difference: who slept for a night must not look busy for minutes. */
export const MAX_LAG_MS = 2_000

/** Change of lag, in milliseconds, from which on the engine is told: each time costs a look at all that waits. */
export const LAG_NEWS_MS = 100

/** Milliseconds between two looks at power and load. */
export const POLL_MS = 5_000

/** Milliseconds after a start before a profile without some of the handlers of before is written: the app is registering them. */
export const PROFILE_WAIT_MS = 2_000

/** Milliseconds that a device waits for others to tell it the time before it writes its first profile. */
export const CLOCK_WAIT_MS = 1_000

/** Bytes of the drafts that go into one write: with names in place of field codes they are larger than their batch. */
export const MAX_WRITE_BYTES: number = 768 * 1024
