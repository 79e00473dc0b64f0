/**
 * dibs for browsers: the same as `dibs`, kept in IndexedDB.
 *
 * @module
 */
import { openNode } from './node/create-node.js'
import type { Machine } from './node/host.js'
import type { DibsNode } from './node/node.js'
import type { NodeOptions } from './node/options.js'
import { browserPlatform } from './platform/browser/index.js'
import { holdProcess } from './platform/hold-process.js'
import { identityAmong } from './platform/identity-item.js'
import { Ed25519Signer, turn } from './platform/index.js'

export * from './node/index.js'
export { type WebhookOptions, webhook } from './webhook.js'

const machine: Machine = {
  platform: browserPlatform,
  newIdentity: () => Ed25519Signer.generate(),
  identityIn: (_, store) => identityAmong(store),
  storeIn: (storage) => storage,
  turn,
  hold: holdProcess,
}

/** Makes a node. See `createNode` of `dibs`. */
export function createNode(options: NodeOptions = {}): Promise<DibsNode> {
  return openNode(options, machine)
}
