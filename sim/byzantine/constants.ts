/** How far each attack goes. All of them are bounded: an attack ends by itself. */

/** Runs that one attack is about: enough for every run of a small group, and a fold that stays quick. */
export const MAX_RUNS_HIT = 100

/** Messages of the wire that are played again, and how often each. */
export const MAX_REPLAYED = 200
export const REPLAYS = 3

/** Messages of garbage in a flood, on each of the two topics. */
export const FLOOD_GARBAGE = 600

/** Batches in a flood that are right in every respect, and of no use. Everyone stores so many of them, and no more. */
export const FLOOD_BATCHES = 300

/** Bytes of the largest garbage; most is far smaller. */
export const MAX_GARBAGE_BYTES: number = 8 * 1024

/** Messages from the future: more than anyone keeps aside. */
export const FUTURE_MESSAGES = 300

/** Journals of days that never come. A device lists 4,096 in a sync; so many take a simulation minutes. */
export const BURIED_JOURNALS = 200

/** Times that a message is handed to a device that ends the sync, and milliseconds between them. */
export const HAND_TRIES = 4
export const HAND_PAUSE_MS = 700

/** Milliseconds after which what was published has arrived, on most networks. */
export const ARRIVAL_MS = 2_000

/** A journal in which nobody writes: its day is long over. */
export const ANOTHER_DAY = '2000-02-29'

/** Batches of a log whose beginning is held back. */
export const GAP_BATCHES = 300
