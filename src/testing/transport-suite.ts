/**
 * The law for transports, as tests: whatever passes may be handed to a node.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from 'vitest'
 * import { transportSuite } from 'dibs/testing'
 *
 * transportSuite({
 *   name: 'my transport',
 *   test: { describe, it, expect },
 *   create: async (count) => ({ group, members: await myTransports(count), settle: () => sleep(10) }),
 * })
 * ```
 */
import { channels } from './transport/channels.js'
import { connecting } from './transport/connections.js'
import { closing, parting } from './transport/endings.js'
import type { TransportSuiteOptions } from './transport/options.js'
import { publishing } from './transport/publishing.js'

export type { TransportMember, TransportSet, TransportSuiteOptions } from './transport/options.js'

export function transportSuite(options: TransportSuiteOptions): void {
  const { name, test } = options
  test.describe(`${name} is a transport`, () => {
    connecting(options)
    publishing(options)
    channels(options)
    closing(options)
    parting(options)
  })
}
