/** What an evil member has in its hands: a real key, a real place in the network, and all that its node knows. */
import type { DeviceId, GroupId, RunId, RunRecord, RunView } from '../../protocol/index.js'
import type { Topic } from '../../src/network/transport.js'
import type { Clock, Signer } from '../../src/platform/seams.js'
import type { SeededRandom } from '../../src/testing/seeded.js'
import type { SimTransport } from '../network/transport.js'

/** A message of the wire. */
export interface Heard {
  readonly topic: Topic
  readonly bytes: Uint8Array
  readonly from: DeviceId
}

export interface Attacker {
  readonly group: GroupId
  readonly signer: Signer
  readonly transport: SimTransport
  /** All chance of an attack. */
  readonly random: SeededRandom
  /** All time of an attack. */
  readonly clock: Clock
  /** The incarnation in which its node runs now. */
  readonly incarnation: () => number
  /** Runs that its node knows, in an order that is the same each time. */
  readonly views: () => readonly RunView[]
  readonly recordsOf: (run: RunId) => readonly RunRecord[]
  /** The other members of the group. */
  readonly others: () => readonly DeviceId[]
  /** Messages that it has heard, the oldest first; as many as its host keeps. */
  readonly heard: () => readonly Heard[]
}

/** Resolves after so long; never if the attacker dies before. */
export function pause({ clock }: Attacker, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(ms, resolve))
}
