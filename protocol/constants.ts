/**
 * Defaults: what holds where a run, a device or an app says nothing, each with its reason. All can be changed; the
 * caps that nobody may exceed stand in `limits.ts`.
 */

/** What the words mean as numbers. Any integer within the cap is a priority; higher first. */
export const PRIORITIES = { low: -10, normal: 0, high: 10 } as const

/** Milliseconds between two beacons of a device. */
export const HEARTBEAT_INTERVAL_MS = 30_000

/** Milliseconds of silence after which an owner counts as gone: three beacons, as one or two get lost on a bad link. */
export const HEARTBEAT_TIMEOUT_MS = 90_000

/** Milliseconds that a target has to claim or decline. Long enough for a slow sync, shorter than a lost device. */
export const ASSIGNMENT_TIMEOUT_MS = 60_000

/** Milliseconds that an attempt may take: one hour. Alive is not progressing. */
export const RUN_TIMEOUT_MS = 3_600_000

/** Retries after the first attempt. */
export const RETRY_MAX = 3

/** Milliseconds to wait before each retry; the last repeats. */
export const RETRY_BACKOFF_MS: readonly number[] = [1000, 2000, 4000]

/** Slots of a device that says nothing. */
export const SLOTS = 10

/** Priority from which on a run may use slots reserved for high priority. */
export const RESERVED_FROM_PRIORITY: number = PRIORITIES.high

/** Weights of the score, in points. Load first: an idle device nearby beats a busy one with a better link. */
export const WEIGHTS = { load: 40, quality: 30, rank: 20, capability: 10 } as const

/** Milliseconds after which a beacon is stale for the chooser: no new work for a device that may be gone. */
export const BEACON_STALE_MS: number = HEARTBEAT_TIMEOUT_MS

/** Milliseconds for which a device that declined or failed a run is passed over for it. */
export const EXCLUSION_MS = 300_000

/** Milliseconds by which each further device in line waits before it reassigns, so that normally one of them writes. */
export const REASSIGN_STAGGER_MS = 2_000

/** Milliseconds of uptime per step of the election rank: coarse, so that the order does not change with every beacon. */
export const UPTIME_STEP_MS = 3_600_000

/** Steps of uptime that count: a day. Beyond that a device is simply long up. */
export const UPTIME_STEPS = 24
