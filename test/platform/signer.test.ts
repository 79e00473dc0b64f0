import { privateKeyFromRaw } from '@libp2p/crypto/keys'
import { describe, expect, it, vi } from 'vitest'
import { deviceKey, isDeviceId } from '../../protocol/index.js'
import { IdentityError } from '../../src/platform/errors.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { createVerifier } from '../../src/platform/verifier.js'

const message = new TextEncoder().encode('who called first has dibs')

describe('an identity', () => {
  it('has the PeerId of its libp2p key as its device id', async () => {
    const signer = await Ed25519Signer.generate()
    const key = privateKeyFromRaw(signer.toRaw())
    expect(isDeviceId(signer.device)).toBe(true)
    expect(signer.device).toBe(key.publicKey.toString())
    expect(new Uint8Array(key.publicKey.raw)).toEqual(deviceKey(signer.device))
  })

  it('is another each time, and the same from its raw key', async () => {
    const one = await Ed25519Signer.generate()
    const again = await Ed25519Signer.fromRaw(one.toRaw())
    expect(again.device).toBe(one.device)
    expect(await again.sign(message)).toEqual(await one.sign(message))
    expect((await Ed25519Signer.generate()).device).not.toBe(one.device)
  })

  it('is not made from bytes that are no key, or a key with a changed byte', async () => {
    const raw = (await Ed25519Signer.generate()).toRaw()
    for (const at of [0, 31, 32, 63]) {
      const changed = raw.slice()
      changed[at] = (changed[at] as number) ^ 1
      await expect(Ed25519Signer.fromRaw(changed)).rejects.toThrow(IdentityError)
    }
    await expect(Ed25519Signer.fromRaw(raw.subarray(0, 32))).rejects.toMatchObject({
      code: 'IDENTITY_DAMAGED',
    })
  })

  it('signs as libp2p does with the same key, whether the platform has crypto of its own or not', async () => {
    const raw = (await Ed25519Signer.generate()).toRaw()
    const theirs = new Uint8Array(await privateKeyFromRaw(raw).sign(message))
    expect(await (await Ed25519Signer.fromRaw(raw)).sign(message)).toEqual(theirs)
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    const elsewhere = await Ed25519Signer.fromRaw(raw)
    vi.restoreAllMocks()
    expect(await elsewhere.sign(message)).toEqual(theirs)
  })

  it('signs with plain bytes', async () => {
    const signature = await (await Ed25519Signer.generate()).sign(message)
    expect([signature.constructor, signature.length]).toEqual([Uint8Array, 64])
  })
})

describe('a verifier', () => {
  it('tells the signer’s signature of these bytes from all others', async () => {
    const [one, other] = [await Ed25519Signer.generate(), await Ed25519Signer.generate()]
    const verifier = createVerifier()
    const signature = await one.sign(message)
    expect(await verifier.verify(one.device, message, signature)).toBe(true)
    expect(await verifier.verify(other.device, message, signature)).toBe(false)
    expect(await verifier.verify(one.device, message.subarray(1), signature)).toBe(false)
    expect(
      await verifier.verify(
        one.device,
        message,
        signature.map((byte) => byte ^ 1),
      ),
    ).toBe(false)
  })

  it('answers no, and does not throw, whatever it is given', async () => {
    const signer = await Ed25519Signer.generate()
    const verifier = createVerifier()
    const signature = await signer.sign(message)
    const bad: readonly (readonly [unknown, unknown, unknown])[] = [
      [signer.device, message, signature.subarray(1)],
      [signer.device, message, Uint8Array.of(...signature, 0)],
      [signer.device, message, null],
      [signer.device, message, Array(64).fill(0)],
      [signer.device, null, signature],
      ['12D3KooW', message, signature],
      [null, message, signature],
    ]
    for (const [device, bytes, given] of bad) {
      const answer = verifier.verify(device as string, bytes as Uint8Array, given as Uint8Array)
      expect(await answer).toBe(false)
    }
  })

  it('goes on when it has met more devices than it remembers', async () => {
    const verifier = createVerifier()
    const signer = await Ed25519Signer.generate()
    const signature = await signer.sign(message)
    for (let i = 0; i < 1100; i++) {
      if (i % 100 === 0) expect(await verifier.verify(signer.device, message, signature)).toBe(true)
      const stranger = await Ed25519Signer.generate()
      expect(await verifier.verify(stranger.device, message, signature)).toBe(false)
    }
  })
})
