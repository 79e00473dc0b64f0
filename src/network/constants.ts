/** Every number of the network, with its reason. */
import { MAX_MESSAGE_BYTES } from '../journal/constants.js'

/** Bytes of one signed beacon: room for all that it may say (3.1 KB with 64 heard), and nothing to flood anyone with. */
export const MAX_BEACON_BYTES: number = 8 * 1024

/** Bytes of one frame of a channel: the heads of all logs that a peer may list take 5.7 MB. */
export const MAX_FRAME_BYTES: number = 8 * 1024 * 1024

/** Bytes of one published message: as many as the journals take in. */
export const MAX_PUBLISHED_BYTES: number = MAX_MESSAGE_BYTES

/** Bytes of messages that one side sends in one sync. Beyond it the sync ends well, and another one goes on. */
export const SYNC_SENT_BYTES: number = 64 * 1024 * 1024

/** Bytes that one side takes in one sync: what an honest device sends, heads included, with room to spare. */
export const SYNC_TAKEN_BYTES: number = SYNC_SENT_BYTES + 4 * MAX_FRAME_BYTES

/** Milliseconds of a sync in which nothing moves: the other is gone, or stuck. */
export const SYNC_IDLE_MS = 30_000

/** Milliseconds of one sync: 64 MB each way on a bad link. What was taken in stays; the next goes on from there. */
export const SYNC_TIMEOUT_MS: number = 10 * 60_000

/** Milliseconds until a message is offered to the journals again when too many wait there. */
export const SYNC_BUSY_MS = 50

/** Milliseconds that opening a channel may take. */
export const OPEN_TIMEOUT_MS = 10_000

/** Syncs that this device begins at a time. More only share the same link and the same disk. */
export const MAX_BEGUN_SYNCS = 4

/** Syncs of others that it answers at a time. Who is turned away tries again. */
export const MAX_ANSWERED_SYNCS = 8

/** Milliseconds from a gap to the sync that fills it: gossip out of order fills most of them by itself. */
export const GAP_DELAY_MS = 200

/** Milliseconds between two syncs with some device, by chance: finds what gossip lost without anyone noticing. */
export const ANTI_ENTROPY_MS = 60_000

/** Milliseconds after the first failed sync with a device; doubled after each further one, up to the most. */
export const SYNC_RETRY_MS = 1000
export const MAX_SYNC_RETRY_MS = 60_000

/** By how much waits differ, up and down, so that devices which failed together do not try again together. */
export const SYNC_JITTER = 0.2

/** Bytes under way on a channel in memory before its sender has to wait: some chunks of a sync. */
export const CHANNEL_BUFFER_BYTES: number = 1024 * 1024

/** Channels in memory between two devices at a time. A sync takes one. */
export const MAX_CHANNELS = 16

/** Published messages that wait for one device in memory. More are lost, as gossip may be: it sleeps, or is stuck. */
export const MAX_INBOX_MESSAGES = 8192
