/**
 * The law for stores, as tests: whatever passes may be handed to a node.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from 'vitest'
 * import { storeSuite } from 'dibs/testing'
 *
 * storeSuite({ name: 'my store', test: { describe, it, expect }, create: () => new MyStore() })
 * ```
 */
import { appending, reading } from './store/entries.js'
import type { StoreSuiteOptions } from './store/options.js'
import { stories } from './store/stories.js'
import { closing, compacting, evicting, items, reopening } from './store/upkeep.js'

export type { StoreSuiteOptions } from './store/options.js'

export function storeSuite(options: StoreSuiteOptions): void {
  const { name, test } = options
  test.describe(`${name} is a store`, () => {
    appending(options)
    reading(options)
    evicting(options)
    items(options)
    compacting(options)
    closing(options)
    if (options.reopen !== undefined) reopening(options, options.reopen)
    stories(options)
  })
}
