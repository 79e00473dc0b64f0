/** How devices of a group talk: the Transport seam, one within a process, beacons and syncs. */
export { encodeBeacon, openBeacon, signBeacon } from './beacon-codec.js'
export { MAX_BEACON_BYTES, MAX_FRAME_BYTES, MAX_PUBLISHED_BYTES } from './constants.js'
export type { MemoryTransport } from './memory/transport.js'
export { MemoryNetwork, type MemoryNetworkOptions, type Traffic } from './memory-network.js'
export { SYNC_ERROR_CODES, SyncError, type SyncErrorCode } from './sync-error.js'
export {
  runSync,
  type SyncJournals,
  type SyncLimits,
  type SyncOptions,
  type SyncReport,
} from './sync-session.js'
export { Syncer, type SyncerOptions } from './syncer.js'
export {
  type Channel,
  type Peer,
  type Topic,
  TRANSPORT_ERROR_CODES,
  type Transport,
  TransportError,
  type TransportErrorCode,
  type TransportHost,
} from './transport.js'
