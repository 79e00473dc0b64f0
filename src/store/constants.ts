/** Every number of the store, with its reason. */
import { MAX_BATCH_BYTES } from '../../protocol/index.js'

/** Version of the layout on disk. A store with a higher one is refused: whatever we wrote could damage it. */
export const FORMAT_VERSION = 1

/** Bytes of the checksum before every value: no chance hit in any store that fits a disk. */
export const CHECKSUM_BYTES = 8

/** Bytes of an entry: the largest batch and its signature. */
export const MAX_ENTRY_BYTES: number = MAX_BATCH_BYTES + 64

/** Bytes of an item or a stub: a proof holds two entries, and some room to say what it proves. */
export const MAX_ITEM_BYTES: number = 2 * MAX_ENTRY_BYTES + 64 * 1024

/** Bytes of an item's name. */
export const MAX_ITEM_NAME_BYTES = 256

/** Characters of a journal's name: `group`, or a day. */
export const MAX_JOURNAL_LENGTH = 64

/** Last sequence that a key holds: 32 bits, four thousand million batches of one start on one day. */
export const MAX_SEQUENCE: number = 2 ** 32 - 1

/** Entries that are packed into one value; as many as a segment of a journal's log has. */
export const PACK_ENTRIES = 256

/** Bytes of a pack. Entries that are larger together stay single: LevelDB handles few large values as well as packs. */
export const MAX_PACK_BYTES: number = 4 * 1024 * 1024

/** Keys to fetch from level at once. Each call costs a turn of the thread pool, however little it brings. */
export const FETCH_KEYS = 4096

/** Bytes to fetch from level at once: enough to make the turns rare, little enough to hold several. */
export const FETCH_BYTES: number = 1024 * 1024

/**
 * Bytes that must be free before a store that ran full is opened again. Opening writes LevelDB's two logs, of 4 MiB
 * each, out as tables; if there is no room for that, the store would be closed for reading too.
 */
export const REOPEN_ROOM_BYTES: number = 10 * 1024 * 1024
