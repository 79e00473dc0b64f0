/** Every number of the metrics, with its reason. */

/**
 * Upper bounds of the histograms' buckets, in seconds. The same for all three, so that they can be laid side by side.
 * From a pickup in memory (half a millisecond is the aim) over a beacon interval (30 s), its timeout (90 s) and the run
 * timeout (one hour) to a day offline; steps of two to three, so that an estimate is off by less than that.
 */
export const BUCKETS_SECONDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90, 300, 900, 3600,
  14_400, 86_400,
]

/** Milliseconds of one step of the rates. */
export const RATE_STEP_MS = 60_000

/** Minutes over which rates are given: now, lately, and for comparison. As the load averages that people know. */
export const RATE_MINUTES = [1, 5, 15] as const

/** Claims that a snapshot lists. It counts all of them; more than a screenful nobody reads. */
export const MAX_CLAIMS_LISTED = 100

/** Devices for which a snapshot counts claims, those with most first: a group may be large, a snapshot may not. */
export const MAX_DEVICES_LISTED = 100
