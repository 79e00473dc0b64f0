import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { nodePlatform } from '../../src/platform/node/index.js'
import { openLevelStore, type Store } from '../../src/store/index.js'
import { contentsOf, StoreModel } from '../../src/testing/store-model.js'
import { entriesOf, failure, logOf } from './entries.js'
import { tempFolder } from './temp-folder.js'

const run = promisify(execFile)
const DISK_MIB = 40
const BALLAST_MIB = 28

let mounted: string | null = null
const opened: Store[] = []

async function mountSmallDisk(): Promise<string | null> {
  const folder = await tempFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder])
  } catch {
    return null
  }
  mounted = folder
  return folder
}

// Stores are closed first, also when a test failed before it got to that. The disk goes away lazily: a process that another
// test started meanwhile may have inherited a file of the store, and keeps the disk busy until it ends.
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  if (mounted !== null) await run('umount', ['-l', mounted])
  mounted = null
})

async function open(disk: string): Promise<Store> {
  const store = await openLevelStore({ location: join(disk, 'store'), platform: nodePlatform })
  opened.push(store)
  return store
}

it.for([true, false])(
  'a full disk loses nothing acknowledged (durable: %s), goes on reading, and recovers when there is room',
  async (durable, { skip }) => {
    const disk = await mountSmallDisk()
    if (disk === null) return skip('This needs a small disk, and mounting a tmpfs is not allowed here.')
    await writeFile(join(disk, 'ballast'), new Uint8Array(BALLAST_MIB * 2 ** 20))
    const store = await open(disk)
    const model = new StoreModel()
    const log = logOf(1)
    await store.putItem('clock', Uint8Array.of(1))
    model.putItem('clock', Uint8Array.of(1))

    // Until it is full, and then some more: each must fail, none may do harm.
    const codes: unknown[] = []
    for (let i = 0; i < 2000 && codes.length < 20; i++) {
      const entries = entriesOf(log, model.next(log), 2, 20_000)
      const { code } = await failure(store.append(entries, { durable }))
      if (code === undefined) model.append(entries)
      else codes.push(code)
    }
    expect(codes).toEqual(Array(20).fill('STORE_FULL'))
    expect((await failure(store.putItem('clock', Uint8Array.of(2)))).code).toBe('STORE_FULL')
    expect(await contentsOf(store)).toEqual(model.contents())

    await rm(join(disk, 'ballast'))
    for (let i = 0; i < 20; i++) {
      const entries = entriesOf(log, model.next(log), 1)
      await store.append(entries, { durable })
      model.append(entries)
    }
    expect(await contentsOf(store)).toEqual(model.contents())
    expect(store.findings).toEqual([])
    await store.close()

    const again = await open(disk)
    expect(again.findings).toEqual([])
    expect(await contentsOf(again)).toEqual(model.contents())
    await again.close()
  },
)
