/**
 * Caps: what nobody may exceed, each with its reason. A cap is part of the protocol: devices that disagree on one
 * disagree on what is valid. Defaults that an app may change stand in `constants.ts`.
 */

/** Milliseconds that a stamp may be ahead of local time. Wider than any honest clock, narrow enough to bound harm. */
export const MAX_DRIFT_MS = 60_000

/** Last millisecond a stamp can hold: 2^43 - 1, in the year 2248, so that (ms, counter) fits a double exactly. */
export const MAX_STAMP_MS: number = 2 ** 43 - 1

/** Bytes of one batch. Fits one gossip message and one storage write, and bounds what a decoder may be fed. */
export const MAX_BATCH_BYTES: number = 1024 * 1024

/** Records of one batch. A burst is cut into several, so that no one waits long for a commit. */
export const MAX_BATCH_RECORDS = 4096

/** Bytes of one payload (input, output, progress data, error details) in its encoding. Larger data: store it, pass a link. */
export const MAX_PAYLOAD_BYTES: number = 64 * 1024

/** Levels that a payload may nest. Deeper than hand-written data ever is; shallow enough for any stack. */
export const MAX_PAYLOAD_DEPTH = 32

/** Levels that a batch nests around a payload: batch, records, record, and the error that may hold details. */
export const MAX_BATCH_DEPTH: number = MAX_PAYLOAD_DEPTH + 4

/** Characters of a name: run type, project, capability, label. Long enough for reverse-domain names. */
export const MAX_NAME_LENGTH = 128

/** Characters of an idempotency key. */
export const MAX_KEY_LENGTH = 256

/** Characters of a sentence written for people: reasons, notes, error messages. */
export const MAX_TEXT_LENGTH = 1024

/** Names in one list: capabilities, projects, labels, run types. A device may have many handlers. */
export const MAX_NAMES = 256

/** Devices that an approval policy may name. */
export const MAX_APPROVERS = 64

/** Record ids that one record may list (`held.voids`, `revoked.keeps`). */
export const MAX_REFERENCES = 512

/** Priorities go from -MAX to +MAX. */
export const MAX_PRIORITY = 1000

/** Retries that a policy may ask for, and steps of its backoff. */
export const MAX_RETRIES = 100

/** Rounds of one run: manual retries after an end. */
export const MAX_ROUND = 10_000

/** Slots of one device. */
export const MAX_SLOTS = 10_000

/** Milliseconds of any timeout or interval: a year. */
export const MAX_DURATION_MS: number = 366 * 24 * 60 * 60 * 1000

/** Milliseconds at least between two beacons of a device, whatever its runs ask for: a member must not make others flood the group. */
export const MIN_BEACON_GAP_MS = 250

/** Milliseconds of silence that every owner is allowed, whatever its run asks for: four beacons at the shortest gap, or runs would change hands at every hiccup. */
export const MIN_SILENCE_MS = 1_000

/** Times that an owner may void reassignments of one assignment. A link that flaps must not make two owners alternate for ever. */
export const MAX_HELD_VOIDS = 3

/** Rejections that a view lists (it counts all of them). A member who writes nonsense must not bloat a view. */
export const MAX_REJECTIONS_LISTED = 64

/** Candidates of one choice. */
export const MAX_CANDIDATES = 10_000
