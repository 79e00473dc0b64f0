/** A device with a real store and real signatures, in a folder. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceId } from '../../protocol/index.js'
import { foundGroup, type JournalEvent, type Journals, openJournals } from '../../src/journal/index.js'
import { loadOrCreateIdentity, nodePlatform } from '../../src/platform/node/index.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { openLevelStore } from '../../src/store/index.js'
import type { Store } from '../../src/store/store.js'

export interface Device {
  readonly me: DeviceId
  readonly store: Store
  readonly journals: Journals
  /** Bytes that were published. */
  readonly published: () => number
  readonly close: () => Promise<void>
}

export interface DeviceOptions {
  /** Whether commits wait for the disk, as they do in earnest. Without, a large store is made in a short time. */
  readonly isSynced?: boolean
  /** The group to be in; else the one that the folder remembers; else a new one. */
  readonly group?: string
  readonly onEvent?: (event: JournalEvent) => void
}

export async function openDevice(folder: string, options: DeviceOptions = {}): Promise<Device> {
  const { isSynced = true, onEvent = () => undefined } = options
  const signer = await loadOrCreateIdentity(join(folder, 'identity'))
  const kept = await openLevelStore({ location: join(folder, 'store'), platform: nodePlatform })
  const store = isSynced ? kept : withoutSync(kept)
  const { clock, random, sha256 } = nodePlatform
  let bytes = 0
  const publish = (message: Uint8Array): void => {
    bytes += message.length
  }
  const world = { store, signer, verifier: createVerifier(), clock, random, sha256, publish, onEvent }
  const groupFile = join(folder, 'group')
  const group = options.group ?? (existsSync(groupFile) ? readFileSync(groupFile, 'utf8') : undefined)
  const journals = group === undefined ? await foundGroup(world) : await openJournals({ ...world, group })
  writeFileSync(groupFile, journals.group.id)
  const close = async (): Promise<void> => {
    await journals.close()
    await kept.close()
  }
  return { me: signer.device, store, journals, published: () => bytes, close }
}

function withoutSync(store: Store): Store {
  const append: Store['append'] = (entries) => store.append(entries, { durable: false })
  return new Proxy(store, {
    get(_, name: keyof Store) {
      if (name === 'append') return append
      const value = store[name]
      return typeof value === 'function' ? value.bind(store) : value
    },
  })
}
