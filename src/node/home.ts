/** What a node lives in: its store, its identity and its group, kept from one start to the next. */
import { type GroupId, isId } from '../../protocol/index.js'
import { foundGroup, type Journals, type JournalsOptions, openJournals } from '../journal/index.js'
import type { OnProgress, Signer } from '../platform/seams.js'
import { MemoryStore } from '../store/memory-store.js'
import { openLevelStore } from '../store/open.js'
import type { Store } from '../store/store.js'
import { NodeError } from './errors.js'
import type { Machine } from './host.js'
import { nodeErrorOf } from './node-error.js'
import type { FullOptions } from './options.js'

const GROUP_ITEM = 'node/group'

export interface Home {
  readonly store: Store
  readonly signer: Signer
  /** A store that the app brought is the app's to close. */
  readonly isOwnStore: boolean
}

export async function openHome(options: FullOptions, machine: Machine): Promise<Home> {
  const { storage, identity } = options
  if (typeof storage !== 'string') {
    return { store: storage, signer: identity ?? (await keptIdentity(storage, machine)), isOwnStore: false }
  }
  if (storage === 'memory') {
    return { store: new MemoryStore(), signer: identity ?? (await machine.newIdentity()), isOwnStore: true }
  }
  const store = await openStore(machine, storage, options.onProgress)
  try {
    return { store, signer: identity ?? (await machine.identityIn(storage, store)), isOwnStore: true }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** A store of the app's own has no folder: the key is among its items. */
function keptIdentity(store: Store, machine: Machine): Promise<Signer> {
  return machine.identityIn('', store)
}

async function openStore(machine: Machine, storage: string, onProgress?: OnProgress): Promise<Store> {
  try {
    return await openLevelStore({
      location: machine.storeIn(storage),
      platform: machine.platform,
      ...(onProgress !== undefined && { onProgress }),
    })
  } catch (error) {
    throw nodeErrorOf(error)
  }
}

/** Opens the journals of the group that was asked for, else of the one that the store remembers, else founds one. */
export async function openGroup(
  options: Omit<JournalsOptions, 'group'>,
  asked: FullOptions['group'],
): Promise<Journals> {
  const { store } = options
  const kept = await keptGroup(store)
  const wanted = typeof asked === 'object' ? asked.id : asked
  if (wanted !== undefined) {
    if (kept !== null && kept !== wanted) throw otherGroup(kept, wanted)
    await remember(store, wanted)
    return openJournals({ ...options, group: wanted })
  }
  if (kept === null) return foundGroup(options, (group) => remember(store, group))
  const journals = await openJournals({ ...options, group: kept })
  if (journals.group.founder !== null || journals.names.length > 0) return journals
  // The process ended between writing the group's id down and founding it: nothing was ever written in it.
  await journals.close()
  return foundGroup(options, (group) => remember(store, group))
}

async function keptGroup(store: Store): Promise<GroupId | null> {
  const bytes = await store.getItem(GROUP_ITEM)
  const id = bytes === null ? null : new TextDecoder().decode(bytes)
  return isId(id) ? id : null
}

function remember(store: Store, group: GroupId): Promise<void> {
  return store.putItem(GROUP_ITEM, new TextEncoder().encode(group))
}

function otherGroup(kept: GroupId, wanted: GroupId): NodeError {
  return new NodeError(
    'OTHER_GROUP',
    `The storage belongs to the group ${kept}, not to ${wanted}. Nothing was changed: use another folder for another group.`,
    { kept, wanted },
  )
}
