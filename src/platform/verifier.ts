/// <reference types="node" />
/** Checks signatures of any device. Whatever it is given, it answers yes or no and never throws. */
import { publicKeyFromRaw } from '@libp2p/crypto/keys'
import { type DeviceId, deviceKey } from '../../protocol/index.js'
import { nodeCrypto } from './node-crypto.js'
import type { Verifier } from './seams.js'

const SIGNATURE_BYTES = 64

// A group has few devices: remember the keys of the latest. Emptied when full, so it stays small.
const CACHE_SIZE = 1024

interface PublicKey {
  verify(bytes: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>
}

export function createVerifier(): Verifier {
  const keys = new Map<DeviceId, PublicKey>()

  const keyOf = (device: DeviceId): PublicKey => {
    const known = keys.get(device)
    if (known !== undefined) return known
    const raw = deviceKey(device)
    const key = nodeKey(raw) ?? publicKeyFromRaw(raw)
    if (keys.size >= CACHE_SIZE) keys.clear()
    keys.set(device, key)
    return key
  }

  return {
    verify(device, bytes, signature) {
      if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_BYTES) return false
      try {
        const answer = keyOf(device).verify(bytes, signature)
        return typeof answer === 'boolean' ? answer : answer.catch(() => false)
      } catch {
        return false
      }
    },
  }
}

/** A key of Node's own crypto, read once: libp2p reads it at every signature. */
function nodeKey(raw: Uint8Array): PublicKey | undefined {
  const crypto = nodeCrypto()
  if (crypto === undefined) return undefined
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: Buffer.from(raw).toString('base64url') }
  const key = crypto.createPublicKey({ key: jwk, format: 'jwk' })
  return { verify: (bytes, signature) => crypto.verify(null, bytes, key, signature) }
}
