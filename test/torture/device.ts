/** A device on disk: its identity, its store, its journals. Founds its group the first time. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceId } from '../../protocol/index.js'
import { foundGroup, type JournalEvent, type Journals, openJournals } from '../../src/journal/index.js'
import { replaceFile } from '../../src/platform/node/atomic-file.js'
import { loadOrCreateIdentity, nodePlatform } from '../../src/platform/node/index.js'
import type { Clock } from '../../src/platform/seams.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { openLevelStore } from '../../src/store/index.js'
import type { Store } from '../../src/store/store.js'

const DAY_MS = 86_400_000
/** The first day of every device: long enough ago that no round gets to tomorrow. */
const DAYS_AGO = 365

export interface Device {
  readonly me: DeviceId
  readonly store: Store
  readonly journals: Journals
}

export interface DeviceOptions {
  /** Days since the first. */
  readonly day: number
  readonly onEvent?: (event: JournalEvent) => void
}

export async function openDevice(folder: string, { day, onEvent }: DeviceOptions): Promise<Device> {
  const signer = await loadOrCreateIdentity(join(folder, 'identity'))
  const store = await openLevelStore({ location: join(folder, 'store'), platform: nodePlatform })
  const { random } = nodePlatform
  const world = { store, signer, verifier: createVerifier(), clock: clockOf(day), random }
  const options = onEvent === undefined ? world : { ...world, onEvent }
  const groupFile = join(folder, 'group')
  if (existsSync(groupFile)) {
    const journals = await openJournals({ ...options, group: readFileSync(groupFile, 'utf8') })
    return { me: signer.device, store, journals }
  }
  const journals = await foundGroup(options)
  await replaceFile(groupFile, new TextEncoder().encode(journals.group.id))
  return { me: signer.device, store, journals }
}

/** The machine's clock, on another day. */
function clockOf(day: number): Clock {
  const { clock } = nodePlatform
  return { ...clock, wallMs: () => clock.wallMs() + (day - DAYS_AGO) * DAY_MS }
}
