/** Every default and limit of the simulator, with its reason. */

/** 2026-01-01T12:00:00Z: where simulated time begins. */
export const START_MS = 1_767_268_800_000

/** Things that happen between two looks at the real world: often enough for a progress bar, seldom enough to be cheap. */
export const BURST = 2_000

/** Things that may happen at one moment. More is a timer that sets itself again with no delay, for ever. */
export const MAX_AT_ONCE = 1_000_000

/** Devices up to which everyone is connected with everyone. Beyond, each has some 2·log2(n) connections. */
export const FULL_MESH = 12

/** Connections over which a device passes gossip on. */
export const MESH_DEGREE = 6

/** Messages that wait for a device that sleeps or is stuck. More are lost. */
export const MAX_INBOX = 8_192

/** Milliseconds after which the connections of a device that sleeps are given up by the others. */
export const KEEP_ALIVE_MS = 30_000

/** Lines of the log that are kept: the last ones. */
export const MAX_LOG_LINES = 200_000

/** Violations that are kept of one simulation: the first says most. */
export const MAX_VIOLATIONS = 50

/** Devices of a simulation. */
export const MAX_DEVICES = 1_000

/** Steps of a script. */
export const MAX_STEPS = 100_000

/** Runs of one `submit` step. */
export const MAX_RUNS = 100_000

/** Hours that a simulation may last: a year. */
export const MAX_HOURS = 8_760

/** Milliseconds of simulated time that something is waited for before it counts as never: a week. */
export const PATIENCE_MS: number = 7 * 86_400_000

/** Devices up to which it is remembered who heard whom: it takes memory for each pair. */
export const MAX_HEARD_DEVICES = 64

/** Milliseconds after which what nobody could do is tried again: to admit a device while no admin is there. */
export const RETRY_STEP_MS = 10_000

/** Published messages that are remembered, for those who replay them. */
export const MAX_WIRE = 200

/** Milliseconds for which all must have been at rest before it counts. */
export const REST_LASTS_MS = 60_000
