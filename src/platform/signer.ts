/// <reference types="node" />
/**
 * The device's identity: an Ed25519 key of libp2p, so that a device's id is its PeerId.
 *
 * A raw private key has 64 bytes, as libp2p keeps it: 32 of seed, then the 32 of the public key.
 */
import { generateKeyPair, generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { type DeviceId, deviceOfKey } from '../../protocol/index.js'
import { IdentityError } from './errors.js'
import { nodeCrypto } from './node-crypto.js'
import type { Signer } from './seams.js'

const SEED_BYTES = 32
const RAW_KEY_BYTES = 64

/** What is used of libp2p's private keys. */
interface PrivateKey {
  readonly raw: Uint8Array
  readonly publicKey: { readonly raw: Uint8Array }
  sign(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>
}

export class Ed25519Signer implements Signer {
  readonly device: DeviceId
  readonly #key: PrivateKey
  readonly #sign: PrivateKey['sign']

  private constructor(key: PrivateKey) {
    this.#key = key
    this.#sign = nodeSign(key) ?? ((bytes) => key.sign(bytes))
    this.device = deviceOfKey(key.publicKey.raw)
  }

  /** A new identity, from the system's secure source: no seeded `Random` may ever make a key. */
  static async generate(): Promise<Ed25519Signer> {
    return new Ed25519Signer(await generateKeyPair('Ed25519'))
  }

  /** The identity with this raw private key. Throws `IDENTITY_DAMAGED` if the bytes are none. */
  static async fromRaw(raw: Uint8Array): Promise<Ed25519Signer> {
    if (raw.length !== RAW_KEY_BYTES) {
      throw new IdentityError(
        'IDENTITY_DAMAGED',
        `A raw private key has ${RAW_KEY_BYTES} bytes, not ${raw.length}.`,
      )
    }
    const key = await generateKeyPairFromSeed('Ed25519', raw.slice(0, SEED_BYTES))
    if (!key.raw.every((byte, i) => byte === raw[i])) {
      throw new IdentityError(
        'IDENTITY_DAMAGED',
        'The public half of a raw private key does not belong to its private half: some byte was changed.',
      )
    }
    return new Ed25519Signer(key)
  }

  /** The identity that always follows from these 32 bytes: for tests and simulations. */
  static async fromSeed(seed: Uint8Array): Promise<Ed25519Signer> {
    return new Ed25519Signer(await generateKeyPairFromSeed('Ed25519', seed))
  }

  /** The raw private key. Whoever has it is this device. */
  toRaw(): Uint8Array {
    return this.#key.raw.slice()
  }

  sign(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const signature = this.#sign(bytes)
    return signature instanceof Uint8Array ? plain(signature) : signature.then(plain)
  }
}

/**
 * Signs by Node's own crypto, where there is one, with a key that is read once: libp2p reads it at every signature
 * (45 µs against 20 µs, Node 20).
 */
function nodeSign({ raw, publicKey }: PrivateKey): ((bytes: Uint8Array) => Uint8Array) | undefined {
  const crypto = nodeCrypto()
  if (crypto === undefined) return undefined
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: text(publicKey.raw), d: text(raw.subarray(0, SEED_BYTES)) }
  const key = crypto.createPrivateKey({ key: jwk, format: 'jwk' })
  return (bytes) => crypto.sign(null, bytes, key)
}

// Node's crypto answers with a Buffer. Bytes are Uint8Array everywhere in dibs.
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
