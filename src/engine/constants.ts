/** Every default and limit of the engine, with its reason. Those that the protocol shares stand in `protocol/constants.ts`. */

/** Milliseconds between two looks at the clocks: sleep is noticed within one. Cheap enough for a phone. */
export const TICK_MS = 5_000

/** Milliseconds by which a tick may be late before it counts as a gap: timers of a busy loop are late by less. */
export const TICK_SLACK_MS = 2_000

/** Devices that one beacon tells the freshness of: it must not grow with the group without end. */
export const MAX_HEARD = 64

/** Milliseconds that a handler has to end after its signal; then it is abandoned. */
export const ABORT_GRACE_MS = 10_000

/** Milliseconds that a start, or a wake, waits for a first sync before it acts on what it held. Offline it goes on then. */
export const SYNC_WAIT_MS = 5_000

/** Milliseconds of waiting that weigh as much as one point of priority: a low one passes a new high one in 20 minutes. */
export const AGE_STEP_MS = 60_000

/** Failures in a row of one type on one device that open its circuit. */
export const CIRCUIT_FAILURES = 5

/** Milliseconds for which a circuit stays open; then one run is let through to see. */
export const CIRCUIT_OPEN_MS = 60_000

/** Circuits that are remembered: (device, type) pairs. The oldest go. */
export const MAX_CIRCUITS = 4_096

/** Milliseconds before a run that no device can take is looked at again, doubled each time up to the cap. */
export const NO_DEVICE_BACKOFF_MS = 1_000
export const MAX_NO_DEVICE_BACKOFF_MS = 60_000

/** Loop lag, in milliseconds, at which a device counts as fully loaded, and takes no new work of others. */
export const OVERLOAD_LAG_MS = 1_000

/**
 * Milliseconds by which the clock may be off from the median of the others' before it is corrected. Beacons are under way
 * for a while, so each device takes the others to be a little behind: with less than a slow network takes, all of them
 * would set each other back, again and again.
 */
export const SKEW_TOLERANCE_MS = 10_000

/** Milliseconds by which a beacon may come sooner or later after the one before than it was sent, and still tell the time. */
export const PACE_MS = 5_000

/** Milliseconds after a sleep or a stall in which beacons may come that have waited for us, and tell an old time. */
export const LATE_BEACONS_MS = 60_000

/** Share of a correction by which a jump of the clock may differ from it and still be what makes it superfluous. */
export const SAME_JUMP = 0.1

/** Other devices that must be heard before their median says anything: two that differ cannot tell who is right. */
export const SKEW_QUORUM = 2

/** Milliseconds that a pulled run of another device's making waits before it is handed out, so that a rival's earlier claim shows. */
export const LEASE_SETTLE_MS = 100

/** Own gaps between ticks that are remembered, for the `gapMs` of `held`. */
export const MAX_GAPS = 64

/** Milliseconds over which a device's stability is judged. */
export const STABILITY_WINDOW_MS = 3_600_000

/** Milliseconds after a start in which runs of a type without a handler are not declined: the app is registering them. */
export const HANDLER_WAIT_MS = 2_000

/** Milliseconds before what could not be written, or was without effect, is tried again. */
export const REWRITE_MS = 1_000
