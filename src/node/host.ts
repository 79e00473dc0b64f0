/** What a node takes from the machine it runs on. `src/index.ts` has Node's, `src/browser.ts` a browser's. */
import type { EngineState } from '../engine/index.js'
import type { Journals } from '../journal/index.js'
import type { openBeacon } from '../network/beacon-codec.js'
import type { Platform } from '../platform/platform.js'
import type { Signer, Verifier } from '../platform/seams.js'
import type { Store } from '../store/store.js'
import type { RunBook } from './run-book.js'

/** What there is inside a node. */
export interface Inside {
  readonly engine: EngineState
  readonly book: RunBook
  readonly journals: Journals
}

export interface Machine {
  readonly platform: Platform
  /** A new identity that is kept nowhere. */
  readonly newIdentity: () => Promise<Signer>
  /** The identity that is kept with a storage; a new one the first time. */
  readonly identityIn: (storage: string, store: Store) => Promise<Signer>
  /** Where in a storage the store is. */
  readonly storeIn: (storage: string) => string
  /** Checks signatures. Absent: Ed25519, as devices have it; a simulator has its own. */
  readonly verifier?: Verifier
  /** Opens beacons. Absent: each by itself; a simulator opens one once for all who hear it. */
  readonly openBeacon?: typeof openBeacon
  /** Is shown the inside of a node before it begins to decide: a simulator checks what holds in there. */
  readonly onOpen?: (inside: Inside) => void
  /** Lets the event loop turn once. */
  readonly turn: () => Promise<void>
  /** Keeps the process alive until what it returns is called. */
  readonly hold: () => () => void
}
