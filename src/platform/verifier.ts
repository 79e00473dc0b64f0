/** Checks signatures of any device. Whatever it is given, it answers yes or no and never throws. */
import { publicKeyFromRaw } from '@libp2p/crypto/keys'
import { type DeviceId, deviceKey } from '../../protocol/index.js'
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
    const key = publicKeyFromRaw(deviceKey(device))
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
