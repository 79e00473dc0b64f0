import { describe, expect, it } from 'vitest'
import { Identities, type Signatures } from '../../../sim/devices/identities.js'

const KINDS: readonly Signatures[] = ['virtual', 'ed25519']
const [BYTES, OTHER] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)]

describe.each(KINDS)('signatures that are %s', (kind) => {
  it('are of 64 bytes, and count for their device and their bytes only', async () => {
    const identities = new Identities(kind)
    const [ana, ben] = [await identities.of(1), await identities.of(2)]
    const signature = await ana.sign(BYTES)
    expect(signature).toHaveLength(64)
    const { verifier } = identities
    expect(verifier.verify(ana.device, BYTES, signature)).toBe(true)
    expect(verifier.verify(ben.device, BYTES, signature)).toBe(false)
    expect(verifier.verify(ana.device, OTHER, signature)).toBe(false)
    expect(verifier.verify(ana.device, BYTES, signature.with(63, (signature[63] ?? 0) ^ 1))).toBe(false)
    expect(verifier.verify(ana.device, BYTES, new Uint8Array(64))).toBe(false)
  })

  it('come out the same for the same seed', async () => {
    const [one, two] = [await new Identities(kind).of(1), await new Identities(kind).of(1)]
    expect(one.device).toBe(two.device)
    expect(await one.sign(BYTES)).toEqual(await two.sign(BYTES))
  })
})

it('virtual signatures of devices that the world does not know count for nothing', async () => {
  const stranger = await new Identities('virtual').of(1)
  expect(new Identities('virtual').verifier.verify(stranger.device, BYTES, await stranger.sign(BYTES))).toBe(
    false,
  )
})
