/**
 * dibs: the devices of a person or a team share work with no server, offline first.
 *
 * @example
 * ```ts
 * import { createNode, defineRun } from 'dibs'
 *
 * const greet = defineRun({ type: 'greet' })
 * const node = await createNode({ storage: './data' })
 * node.handle(greet, async (name) => `Hello, ${name}!`)
 * const run = await node.submit(greet, 'world')
 * console.log(await run.result()) // Hello, world!
 * await node.close()
 * ```
 *
 * @module dibs
 */
import { openNode } from './node/create-node.js'
import type { Machine } from './node/host.js'
import type { DibsNode } from './node/node.js'
import type { NodeOptions } from './node/options.js'
import { holdProcess } from './platform/hold-process.js'
import { identityAmong } from './platform/identity-item.js'
import { Ed25519Signer, turn } from './platform/index.js'
import { loadOrCreateIdentity, nodePlatform } from './platform/node/index.js'

export * from './node/index.js'
export { type WebhookOptions, webhook } from './webhook.js'

const machine: Machine = {
  platform: nodePlatform,
  newIdentity: () => Ed25519Signer.generate(),
  identityIn: (storage, store) =>
    storage === ''
      ? identityAmong(store)
      : loadOrCreateIdentity(nodePlatform.files?.join(storage, 'identity.key') ?? storage),
  storeIn: (storage) => nodePlatform.files?.join(storage, 'store') ?? storage,
  turn,
  hold: holdProcess,
}

/**
 * Makes a node: this device, working. With no options it is private and forgets everything when it closes; with
 * `storage` it keeps everything; with `group` and `transport` it shares work with other devices.
 *
 * | promised | not promised |
 * |---|---|
 * | What `submit` acknowledged is durable and is not lost. | That what a handler did outside of dibs is undone. |
 * | Each run is done at least once, by one device at a time as far as devices see each other. | Exactly-once: two sides of a split can both do a run. |
 * | One accepted result for each run; every double execution is counted and shown. | That the outside world checks the fence. |
 * | A handler whose claim is lost is told by its signal before another may begin, up to the abort grace. | That a handler which ignores its signal stops. |
 *
 * Throws `INVALID_OPTIONS`, `STORE_UNAVAILABLE` (with who holds the store), or `OTHER_GROUP`.
 *
 * @example
 * ```ts
 * await using node = await createNode({ storage: './data', capabilities: ['sharp'] })
 * ```
 */
export function createNode(options: NodeOptions = {}): Promise<DibsNode> {
  return openNode(options, machine)
}
