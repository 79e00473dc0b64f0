/**
 * Beacons on the wire: 64 bytes of signature, then
 *
 *     CBOR(["dibs/beacon/1", group id, key, incarnation, sequence, latest, wallMs, uptimeMs, intervalMs, active, slots,
 *           load, lagMs, draining, leaving, onMains, battery, stability, [high, normal, low], [[key, ageMs], …]])
 *
 * The signature is over all of it. A beacon is signed by whom it tells of, for one group.
 */
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import {
  type DeviceId,
  deviceKey,
  deviceOfKey,
  equalBytes,
  type GroupId,
  HASH_BYTES,
  idToBytes,
  isStamp,
  joinSigned,
  MAX_DURATION_MS,
  MAX_SLOTS,
  MAX_STAMP_MS,
  splitSigned,
} from '../../protocol/index.js'
import type { Beacon } from '../engine/beacon.js'
import { MAX_HEARD } from '../engine/constants.js'
import type { Signer, Verifier } from '../platform/seams.js'
import { MAX_BEACON_BYTES } from './constants.js'

const DOMAIN = 'dibs/beacon/1'

/** Levels that a beacon nests: itself, the list of those heard, one of them. */
const DEPTH = 3

type Heard = Beacon['heard']

/** The bytes that are signed. Measured numbers are rounded and brought into their range. */
export function encodeBeacon(beacon: Beacon, group: GroupId): Uint8Array {
  const { waiting } = beacon
  return encodeCbor([
    DOMAIN,
    idToBytes(group),
    deviceKey(beacon.device),
    beacon.incarnation,
    beacon.sequence,
    beacon.latest,
    whole(beacon.wallMs, MAX_STAMP_MS),
    whole(beacon.uptimeMs, MAX_STAMP_MS),
    whole(beacon.intervalMs, MAX_DURATION_MS),
    whole(beacon.active, MAX_SLOTS),
    whole(beacon.slots, MAX_SLOTS),
    share(beacon.load),
    whole(beacon.lagMs, MAX_DURATION_MS),
    beacon.draining,
    beacon.leaving,
    beacon.onMains,
    beacon.battery === null ? null : share(beacon.battery),
    share(beacon.stability),
    [whole(waiting.high), whole(waiting.normal), whole(waiting.low)],
    beacon.heard
      .slice(0, MAX_HEARD)
      .map(([device, ageMs]) => [deviceKey(device), whole(ageMs, MAX_DURATION_MS)]),
  ])
}

/** A beacon as it is published. */
export async function signBeacon(signer: Signer, beacon: Beacon, group: GroupId): Promise<Uint8Array> {
  const bytes = encodeBeacon(beacon, group)
  return joinSigned(await signer.sign(bytes), bytes)
}

/** The beacon that was published so; null for anything that is none, or of another group, or not signed by its device. */
export async function openBeacon(
  signed: Uint8Array,
  group: GroupId,
  verifier: Verifier,
): Promise<Beacon | null> {
  if (signed.length > MAX_BEACON_BYTES) return null
  try {
    const { signature, bytes } = splitSigned(signed)
    const beacon = decodeBeacon(bytes, group)
    if (beacon === null || !(await verifier.verify(beacon.device, bytes, signature))) return null
    return beacon
  } catch {
    return null
  }
}

/** Throws, or answers null, for bytes that are no beacon of this group in its one encoding. */
function decodeBeacon(bytes: Uint8Array, group: GroupId): Beacon | null {
  const value = decodeCbor(bytes, DEPTH)
  if (!Array.isArray(value)) return null
  const [domain, id, key, incarnation, sequence, latest, wallMs, uptimeMs, intervalMs, ...more] =
    value as unknown[]
  const [active, slots, load, lagMs, draining, leaving, onMains, battery, stability, waiting, heard] = more
  const fits =
    domain === DOMAIN &&
    id instanceof Uint8Array &&
    equalBytes(id, idToBytes(group)) &&
    isKey(key) &&
    isStamp(incarnation) &&
    isWhole(sequence) &&
    isStamp(latest) &&
    isWhole(wallMs, MAX_STAMP_MS) &&
    isWhole(uptimeMs, MAX_STAMP_MS) &&
    isWhole(intervalMs, MAX_DURATION_MS) &&
    isWhole(active, MAX_SLOTS) &&
    isWhole(slots, MAX_SLOTS) &&
    isShare(load) &&
    isWhole(lagMs, MAX_DURATION_MS) &&
    typeof draining === 'boolean' &&
    typeof leaving === 'boolean' &&
    typeof onMains === 'boolean' &&
    (battery === null || isShare(battery)) &&
    isShare(stability) &&
    isWaiting(waiting) &&
    isHeard(heard)
  if (!fits) return null
  const [high, normal, low] = waiting
  const beacon: Beacon = {
    device: deviceOfKey(key),
    incarnation,
    sequence,
    latest,
    wallMs,
    uptimeMs,
    intervalMs,
    active,
    slots,
    load,
    lagMs,
    draining,
    leaving,
    onMains,
    battery,
    stability,
    waiting: { high, normal, low },
    heard: toHeard(heard),
  }
  // One beacon, one form: what has more fields, or another encoding, is not what its device would write.
  return equalBytes(encodeBeacon(beacon, group), bytes) ? beacon : null
}

function toHeard(pairs: readonly (readonly [Uint8Array, number])[]): Heard {
  return pairs.map(([key, ageMs]): readonly [DeviceId, number] => [deviceOfKey(key), ageMs])
}

function isKey(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.length === HASH_BYTES
}

function isWhole(value: unknown, most: number = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isWaiting(value: unknown): value is readonly [number, number, number] {
  return Array.isArray(value) && value.length === 3 && value.every((count) => isWhole(count))
}

function isHeard(value: unknown): value is readonly (readonly [Uint8Array, number])[] {
  if (!Array.isArray(value) || value.length > MAX_HEARD) return false
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && isKey(pair[0]) && isWhole(pair[1], MAX_DURATION_MS)
  return value.every(isPair)
}

function whole(value: number, most: number = Number.MAX_SAFE_INTEGER): number {
  return Math.min(most, Math.max(0, Math.round(value) || 0))
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value || 0))
}
