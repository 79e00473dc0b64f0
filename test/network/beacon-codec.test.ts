import { beforeAll, describe, expect, it } from 'vitest'
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import { groupId, joinSigned } from '../../protocol/index.js'
import type { Beacon } from '../../src/engine/beacon.js'
import { encodeBeacon, MAX_BEACON_BYTES, openBeacon, signBeacon } from '../../src/network/index.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { seededRandom } from '../../src/testing/index.js'
import { deviceNumber } from '../../src/testing/store/kit.js'
import { ANA, BEN, GROUP } from './hosts.js'

const verifier = createVerifier()
let signer: Ed25519Signer
let beacon: Beacon

beforeAll(async () => {
  signer = await Ed25519Signer.generate()
  beacon = {
    device: signer.device,
    incarnation: 1_809_639_014_400_000,
    sequence: 7,
    latest: 1_809_639_014_500_000,
    wallMs: 1_767_268_800_000,
    uptimeMs: 60_000,
    intervalMs: 30_000,
    active: 2,
    slots: 10,
    load: 0.25,
    lagMs: 3,
    draining: false,
    leaving: false,
    onMains: true,
    battery: null,
    stability: 1,
    waiting: { high: 1, normal: 20, low: 300 },
    heard: [
      [ANA, 120],
      [BEN, 29_000],
    ],
  }
})

/** The beacon after some of its fields were changed on the wire, signed all the same. */
async function forged(change: (fields: unknown[]) => void): Promise<Beacon | null> {
  const fields = decodeCbor(encodeBeacon(beacon, GROUP), 3) as unknown[]
  change(fields)
  return openSigned(encodeCbor(fields))
}

async function openSigned(bytes: Uint8Array): Promise<Beacon | null> {
  return openBeacon(joinSigned(await signer.sign(bytes), bytes), GROUP, verifier)
}

describe('a beacon', () => {
  it('is read as it was written', async () => {
    expect(await openBeacon(await signBeacon(signer, beacon, GROUP), GROUP, verifier)).toEqual(beacon)
    const other = { ...beacon, battery: 0.5, leaving: true, draining: true, onMains: false, heard: [] }
    expect(await openBeacon(await signBeacon(signer, other, GROUP), GROUP, verifier)).toEqual(other)
  })

  it('has one encoding', () => {
    const shuffled = Object.fromEntries(Object.entries(beacon).reverse()) as unknown as Beacon
    expect(encodeBeacon(shuffled, GROUP)).toEqual(encodeBeacon(beacon, GROUP))
  })

  it('of another group, or of another device, is none', async () => {
    const signed = await signBeacon(signer, beacon, GROUP)
    expect(await openBeacon(signed, groupId(ANA, 4096), verifier)).toBe(null)
    const stolen = await signBeacon(signer, { ...beacon, device: ANA }, GROUP)
    expect(await openBeacon(stolen, GROUP, verifier)).toBe(null)
  })

  it('with any byte changed is none', async () => {
    const signed = await signBeacon(signer, beacon, GROUP)
    for (let at = 0; at < signed.length; at++) {
      const changed = signed.slice()
      changed[at] = (changed[at] as number) ^ 1
      expect(await openBeacon(changed, GROUP, verifier)).toBe(null)
    }
  })

  it('cut short, too long, or made of noise is none, and nothing throws', async () => {
    const signed = await signBeacon(signer, beacon, GROUP)
    for (let length = 0; length < signed.length; length++)
      expect(await openBeacon(signed.subarray(0, length), GROUP, verifier)).toBe(null)
    const random = seededRandom(1)
    for (let i = 0; i < 500; i++) expect(await openSigned(random.bytes(random.below(300)))).toBe(null)
    expect(await openBeacon(new Uint8Array(MAX_BEACON_BYTES + 1), GROUP, verifier)).toBe(null)
  })

  it('that a verifier cannot judge is none', async () => {
    const failing = { verify: () => Promise.reject(new Error('no')) }
    expect(await openBeacon(await signBeacon(signer, beacon, GROUP), GROUP, failing)).toBe(null)
  })

  const wrong: readonly (readonly [string, number, unknown])[] = [
    ['domain', 0, 'dibs/batch/1'],
    ['key', 2, new Uint8Array(31)],
    ['incarnation', 3, -1],
    ['sequence', 4, 0.5],
    ['latest', 5, 2 ** 53],
    ['wall clock', 6, 2 ** 43],
    ['uptime', 7, -1],
    ['interval', 8, 1e12],
    ['slots in use', 9, 10_001],
    ['slots', 10, '10'],
    ['load', 11, 1.5],
    ['lag', 12, null],
    ['draining', 13, 1],
    ['leaving', 14, null],
    ['mains', 15, 'yes'],
    ['battery', 16, -0.5],
    ['stability', 17, 2],
    ['waiting work', 18, [1, 2]],
    ['heard', 19, [[new Uint8Array(8), 1]]],
  ]

  it.each(wrong)('with a wrong %s is none, though it is signed', async (_, at, value) => {
    const opened = await forged((fields) => {
      fields[at] = value
    })
    expect(opened).toBe(null)
  })

  it('with a field more or less is none', async () => {
    expect(await forged((fields) => void fields.push(0))).toBe(null)
    expect(await forged((fields) => void fields.pop())).toBe(null)
    expect(await forged(() => undefined)).toEqual(beacon)
  })

  it('tells of the freshest 64 devices and no more', async () => {
    const heard = Array.from({ length: 100 }, (_, i): [string, number] => [deviceNumber(i), i])
    const signed = await signBeacon(signer, { ...beacon, heard }, GROUP)
    expect(signed.length).toBeLessThan(MAX_BEACON_BYTES / 2)
    expect((await openBeacon(signed, GROUP, verifier))?.heard).toEqual(heard.slice(0, 64))
    const keys = Array.from({ length: 65 }, (_, i) => [new Uint8Array(32).fill(i), i])
    const greedy = await forged((fields) => {
      fields[19] = keys
    })
    expect(greedy).toBe(null)
  })

  it('rounds what is measured and brings it into range', async () => {
    const measured = { ...beacon, uptimeMs: 12.6, lagMs: -0.2, load: 3, battery: Number.NaN, active: 1e9 }
    const opened = await openBeacon(await signBeacon(signer, measured, GROUP), GROUP, verifier)
    expect(opened).toEqual({ ...beacon, uptimeMs: 13, lagMs: 0, load: 1, battery: 0, active: 10_000 })
  })
})
