/** Attacks on who is alive: beacons in others' names, beacons that say what cannot be, and lies that can. */
import { encodeCbor } from '../../protocol/cbor.js'
import {
  type DeviceId,
  deviceKey,
  idToBytes,
  joinSigned,
  MAX_SLOTS,
  MAX_STAMP_MS,
  SIGNATURE_BYTES,
  STAMPS_PER_MS,
  stampOf,
} from '../../protocol/index.js'
import type { Beacon } from '../../src/engine/index.js'
import { signBeacon } from '../../src/network/beacon-codec.js'
import { type Attacker, pause } from './attacker.js'
import { oldIncarnation } from './own-log.js'

const YEAR_MS = 31_536_000_000

/** Places of fields in a beacon on the wire. */
const FIELD = { incarnation: 3, sequence: 4, latest: 5, wallMs: 6, slots: 10, load: 11, heard: 19 } as const

/** None of these is taken: not signed by whom it tells of, not in its range, or older than what is known. */
export async function fakeBeacon(attacker: Attacker): Promise<void> {
  const { transport, signer, random, others, group } = attacker
  for (const device of others()) {
    const bytes = encodeCbor(fieldsOf(attacker, device, { leaving: true }))
    transport.publish('beacons', joinSigned(await signer.sign(bytes), bytes))
    transport.publish('beacons', joinSigned(random.bytes(SIGNATURE_BYTES), bytes))
  }
  for (const [place, value] of absurdities()) {
    const fields = fieldsOf(attacker, signer.device)
    fields[place] = value
    const bytes = encodeCbor(fields)
    transport.publish('beacons', joinSigned(await signer.sign(bytes), bytes))
  }
  const old = beaconOf(attacker, signer.device, { incarnation: oldIncarnation(attacker), leaving: true })
  transport.publish('beacons', await signBeacon(signer, old, group))
}

/**
 * Beacons of a later process of its own: others take them, and from then on none of the process that its node is. So it
 * falls silent for all, and loses what it has. Everything that a beacon can say is a lie in these.
 */
export async function usurpItself(attacker: Attacker): Promise<void> {
  const { transport, signer, group, others } = attacker
  const incarnation = Math.max(attacker.incarnation() + 1, stampOf(Math.floor(attacker.clock.wallMs())))
  for (let sequence = 0; sequence < 3; sequence++) {
    const beacon = beaconOf(attacker, signer.device, {
      incarnation,
      sequence,
      latest: stampOf(MAX_STAMP_MS, STAMPS_PER_MS - 1),
      wallMs: attacker.clock.wallMs() + YEAR_MS,
      uptimeMs: YEAR_MS,
      slots: MAX_SLOTS,
      stability: 1,
      heard: others().map((device) => [device, sequence === 0 ? 0 : YEAR_MS / 2]),
    })
    transport.publish('beacons', await signBeacon(signer, beacon, group))
    await pause(attacker, 1000)
  }
}

/** Values that no beacon has. */
function absurdities(): readonly (readonly [number, unknown])[] {
  return [
    [FIELD.incarnation, 'the last'],
    [FIELD.incarnation, -1],
    [FIELD.sequence, 0.5],
    [FIELD.latest, -1],
    [FIELD.wallMs, Number.MAX_SAFE_INTEGER],
    [FIELD.slots, MAX_SLOTS + 1],
    [FIELD.load, -1],
    [FIELD.load, 2],
    [FIELD.heard, [[new Uint8Array(31), 0]]],
    [FIELD.heard, Array.from({ length: 1000 }, () => [new Uint8Array(32), 0])],
    [FIELD.heard, { __proto__: null, length: 1 }],
  ]
}

function beaconOf({ clock }: Attacker, device: DeviceId, lies: Partial<Beacon>): Beacon {
  return {
    device,
    incarnation: stampOf(Math.floor(clock.wallMs())),
    sequence: 2 ** 40,
    latest: 0,
    wallMs: clock.wallMs(),
    uptimeMs: 0,
    intervalMs: 1,
    active: 0,
    slots: 10,
    load: 0,
    lagMs: 0,
    draining: false,
    leaving: false,
    onMains: true,
    battery: null,
    stability: 1,
    waiting: { high: 0, normal: 0, low: 0 },
    heard: [],
    ...lies,
  }
}

/** A beacon as it stands on the wire, for whoever wants to say what the codec does not let it. */
function fieldsOf(attacker: Attacker, device: DeviceId, lies: Partial<Beacon> = {}): unknown[] {
  const beacon = beaconOf(attacker, device, lies)
  const { high, normal, low } = beacon.waiting
  return [
    'dibs/beacon/1',
    idToBytes(attacker.group),
    deviceKey(device),
    beacon.incarnation,
    beacon.sequence,
    beacon.latest,
    beacon.wallMs,
    beacon.uptimeMs,
    beacon.intervalMs,
    beacon.active,
    beacon.slots,
    beacon.load,
    beacon.lagMs,
    beacon.draining,
    beacon.leaving,
    beacon.onMains,
    beacon.battery,
    beacon.stability,
    [high, normal, low],
    [],
  ]
}
