/**
 * Identities that cost a hash: a signature is a keyed hash, and the world alone has the keys. Nobody in a simulation can
 * forge one, and it is checked wherever a real one is. `ed25519` takes the real thing instead.
 */
import { type DeviceId, deviceOfKey, equalBytes } from '../../protocol/index.js'
import { createVerifier, Ed25519Signer, type Signer, type Verifier } from '../../src/platform/index.js'
import { nodePlatform } from '../../src/platform/node/index.js'
import { seededRandom } from '../../src/testing/seeded.js'

export type Signatures = 'virtual' | 'ed25519'

const { sha256 } = nodePlatform

export class Identities {
  readonly #kind: Signatures
  readonly #secrets = new Map<DeviceId, Uint8Array>()
  readonly verifier: Verifier

  constructor(kind: Signatures) {
    this.#kind = kind
    this.verifier =
      kind === 'ed25519'
        ? createVerifier()
        : {
            verify: (device, bytes, signature) => {
              const secret = this.#secrets.get(device)
              return secret !== undefined && equalBytes(mark(secret, bytes), signature)
            },
          }
  }

  async of(seed: number): Promise<Signer> {
    const bytes = seededRandom(seed).bytes(64)
    if (this.#kind === 'ed25519') return Ed25519Signer.fromSeed(bytes.slice(0, 32))
    const secret = bytes.slice(32)
    const device = deviceOfKey(bytes.slice(0, 32))
    this.#secrets.set(device, secret)
    return { device, sign: (message) => mark(secret, message) }
  }
}

/** 64 bytes, as a signature has. */
function mark(secret: Uint8Array, bytes: Uint8Array): Uint8Array {
  const both = new Uint8Array(secret.length + bytes.length)
  both.set(secret)
  both.set(bytes, secret.length)
  const hash = sha256(both)
  const signature = new Uint8Array(64)
  signature.set(hash)
  signature.set(hash, 32)
  return signature
}
