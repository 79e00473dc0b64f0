/** A beacon is the same for all who hear it: it is opened and checked once. */
import type { Beacon } from '../../src/engine/index.js'
import { openBeacon } from '../../src/network/beacon-codec.js'

const opened = new WeakMap<Uint8Array, Promise<Beacon | null>>()

/** As `openBeacon`. The network hands the same bytes to everyone, and nobody changes them. */
export const openBeaconOnce: typeof openBeacon = (signed, group, verifier) => {
  const known = opened.get(signed)
  if (known !== undefined) return known
  const beacon = openBeacon(signed, group, verifier)
  opened.set(signed, beacon)
  return beacon
}
