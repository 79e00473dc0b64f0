import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodePlatform } from '../../src/platform/node/index.js'
import { MemoryStore, openLevelStore, type Store } from '../../src/store/index.js'
import { storeSuite } from '../../src/testing/index.js'
import { tempFolder } from './temp-folder.js'

const test = { describe, it, expect }

const locations = new WeakMap<Store, string>()

async function open(location: string): Promise<Store> {
  const store = await openLevelStore({ location, platform: nodePlatform })
  locations.set(store, location)
  return store
}

storeSuite({
  name: 'the level store',
  test,
  create: async () => open(join(await tempFolder(), 'store')),
  reopen: (closed) => open(locations.get(closed) as string),
})

storeSuite({ name: 'the memory store', test, create: () => new MemoryStore() })
