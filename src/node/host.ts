/** What a node takes from the machine it runs on. `src/index.ts` has Node's, `src/browser.ts` a browser's. */
import type { Platform } from '../platform/platform.js'
import type { Signer } from '../platform/seams.js'
import type { Store } from '../store/store.js'

export interface Machine {
  readonly platform: Platform
  /** A new identity that is kept nowhere. */
  readonly newIdentity: () => Promise<Signer>
  /** The identity that is kept with a storage; a new one the first time. */
  readonly identityIn: (storage: string, store: Store) => Promise<Signer>
  /** Where in a storage the store is. */
  readonly storeIn: (storage: string) => string
  /** Lets the event loop turn once. */
  readonly turn: () => Promise<void>
  /** Keeps the process alive until what it returns is called. */
  readonly hold: () => () => void
}
