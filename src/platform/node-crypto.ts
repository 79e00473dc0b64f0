/// <reference types="node" />
/** Node's own crypto where there is one. Asked of the process, not imported: browsers load this file too. */

/** A key that was read. */
export type NodeKey = object & { readonly asymmetricKeyType?: unknown }

/** What is used of it. */
export interface NodeCrypto {
  createPrivateKey(key: { readonly key: JsonKey; readonly format: 'jwk' }): NodeKey
  createPublicKey(key: { readonly key: JsonKey; readonly format: 'jwk' }): NodeKey
  sign(algorithm: null, bytes: Uint8Array, key: NodeKey): Uint8Array
  verify(algorithm: null, bytes: Uint8Array, key: NodeKey, signature: Uint8Array): boolean
}

interface JsonKey {
  readonly crv: string
  readonly kty: string
  readonly x: string
  readonly d?: string
}

export function nodeCrypto(): NodeCrypto | undefined {
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return undefined
  return process.getBuiltinModule('crypto') as unknown as NodeCrypto | undefined
}
