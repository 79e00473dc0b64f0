import { describe, expect, it } from 'vitest'
import { stampOf } from '../../protocol/index.js'
import type { Beacon } from '../../src/engine/index.js'
import { signBeacon } from '../../src/network/beacon-codec.js'
import { Link } from '../../src/node/link.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { seededRandom, VirtualTime } from '../../src/testing/index.js'
import { quickGroup } from './group-kit.js'

describe('a device that leaves', () => {
  it('is not said to have left before its last batches are in', async () => {
    const { id } = await quickGroup(1)
    const [own, other] = [
      await Ed25519Signer.fromSeed(seededRandom(1).bytes(32)),
      await Ed25519Signer.fromSeed(seededRandom(2).bytes(32)),
    ]
    let takeIn = (_: { readonly status: 'applied' }): void => {}
    const taken = new Promise<{ readonly status: 'applied' }>((resolve) => {
      takeIn = resolve
    })
    const members = new Map([[other.device, { revokedAt: null }]])
    const heard: boolean[] = []
    const link = new Link({
      transport: { close: async () => {} } as never,
      journals: { group: { id, members }, receive: () => taken, latestOf: () => 0 } as never,
      signer: own,
      verifier: createVerifier(),
      clock: new VirtualTime().clock(),
      random: seededRandom(1),
      onBeacon: ({ leaving }) => void heard.push(leaving),
      onConnection: () => {},
      onSynced: () => {},
      onError: () => {},
    })
    link.onMessage('batches', new Uint8Array(1), other.device)
    link.onMessage('beacons', await signBeacon(other, { ...BEACON, device: other.device }, id), other.device)
    const last = { ...BEACON, device: other.device, sequence: 1, leaving: true }
    link.onMessage('beacons', await signBeacon(other, last, id), other.device)
    await new Promise((resolve) => setImmediate(resolve))
    expect(heard).toEqual([false])
    takeIn({ status: 'applied' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(heard).toEqual([false, true])
    // Its last batch got lost: it is waited for like any other that falls silent.
    const ahead = { ...last, sequence: 2, latest: stampOf(BEACON.wallMs) }
    link.onMessage('beacons', await signBeacon(other, ahead, id), other.device)
    await new Promise((resolve) => setImmediate(resolve))
    expect(heard).toEqual([false, true, false])
    await link.close()
  })
})

const BEACON: Omit<Beacon, 'device'> = {
  incarnation: 1,
  sequence: 0,
  latest: 0,
  wallMs: 1000,
  uptimeMs: 0,
  intervalMs: 1000,
  active: 0,
  slots: 1,
  load: 0,
  lagMs: 0,
  draining: false,
  leaving: false,
  onMains: true,
  battery: null,
  stability: 1,
  waiting: { high: 0, normal: 0, low: 0 },
  heard: [],
}
