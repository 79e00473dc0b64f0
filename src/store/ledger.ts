/** What a store knows by heart about what is on disk: made by the scan at open, kept up with every write. */
import type { Logs } from './logs.js'
import type { StoreState } from './state.js'

export interface Ledger {
  readonly logs: Logs
  /** For each item's name, the checksum of its value. */
  readonly items: Map<string, Uint8Array>
  /** For each evicted journal, the checksum of its stub. */
  readonly stubs: Map<string, Uint8Array>
  state: StoreState
}
