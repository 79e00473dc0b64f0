/**
 * Opening a store on level.
 *
 *     <location>/level/     LevelDB's files
 *     <location>/holder     which process has it open
 *     <location>/witness    how many writes it has seen
 */
import type { Files, Platform } from '../platform/platform.js'
import type { OnProgress } from '../platform/seams.js'
import { FETCH_KEYS } from './constants.js'
import { Database } from './database.js'
import { Sealer } from './entry.js'
import { StoreError } from './errors.js'
import { corrupt, isLocked, openError } from './level-errors.js'
import { LevelStore, type StoreFiles } from './level-store.js'
import { inspect, removeDamagedTables } from './leveldb/inspect.js'
import { type ScanResult, scan } from './scan.js'
import type { Store } from './store.js'
import { Witness } from './witness.js'

export interface OpenLevelStoreOptions {
  /** The store's folder; in browsers, the name of its database. */
  readonly location: string
  readonly platform: Pick<Platform, 'files' | 'sha256'>
  /**
   * Lets LevelDB rebuild its files if they are damaged. What can be read is kept, the rest shows in the findings.
   *
   * @default false
   */
  readonly repair?: boolean
  readonly onProgress?: OnProgress
}

/**
 * Opens the store in a folder, or makes one. Everything in it is read and checked: look at `findings`.
 *
 * Throws `STORE_LOCKED`, `STORE_NEWER_FORMAT`, `STORE_CORRUPT`, `STORE_FULL` or `STORE_UNAVAILABLE`.
 *
 * @example
 * ```ts
 * const store = await openLevelStore({ location: './data/store', platform: nodePlatform })
 * await store.append([{ log, sequence: 0, signed }], { durable: true })
 * ```
 */
export async function openLevelStore(options: OpenLevelStoreOptions): Promise<Store> {
  const { location, platform } = options
  const sealer = new Sealer(platform.sha256)
  if (platform.files === null) return openParts(new Database(location), sealer, null, options)
  try {
    return await openInFolder(platform.files, sealer, options)
  } catch (error) {
    throw error instanceof StoreError ? error : openError(error, location)
  }
}

async function openInFolder(files: Files, sealer: Sealer, options: OpenLevelStoreOptions): Promise<Store> {
  const { location: folder } = options
  await files.makeFolder(folder)
  const database = new Database(files.join(folder, 'level'))
  const witness = new Witness(await files.openCell(files.join(folder, 'witness')), sealer)
  try {
    return await openParts(database, sealer, { files, folder, witness }, options)
  } catch (error) {
    witness.close()
    throw error
  }
}

async function openParts(
  database: Database,
  sealer: Sealer,
  files: StoreFiles | null,
  { repair = false, onProgress }: OpenLevelStoreOptions,
): Promise<Store> {
  const witnessed = files === null ? 0 : files.witness.read()
  const check = (): Promise<ScanResult> => scan(database, sealer, witnessed, onProgress)
  try {
    const scanned = await openDatabase(database, files)
      .then(check)
      .catch(async (error: unknown) => {
        if (!repair || !(error instanceof StoreError && error.code === 'STORE_CORRUPT')) throw error
        await repairDatabase(database, files)
        return check()
      })
    if (scanned.mend !== null) {
      await database.write(scanned.mend.operations(), { sync: true })
      scanned.ledger.state = scanned.mend.state
    }
    files?.witness.write(scanned.ledger.state.writes)
    return new LevelStore({ database, sealer, scanned, files, release: await hold(files) })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openDatabase(database: Database, files: StoreFiles | null): Promise<void> {
  if (files !== null) {
    // First of all: files that another process is changing just now would look damaged.
    if (await database.isHeld()) throw await locked(files)
    const wrong = await inspect(files.files, database.location)
    if (wrong !== null) throw corrupt(wrong, database.location)
  }
  try {
    await database.open({ create: true })
  } catch (error) {
    throw isLocked(error) ? await locked(files) : openError(error, database.location)
  }
}

// What could be read of damaged tables comes back, but never over what is there.
async function repairDatabase(database: Database, files: StoreFiles | null): Promise<void> {
  await database.close()
  const rows = files === null ? [] : await removeDamagedTables(files.files, database.location)
  await database.repair()
  for (let at = 0; at < rows.length; at += FETCH_KEYS) {
    const some = rows.slice(at, at + FETCH_KEYS)
    const there = await database.getMany(some.map(([key]) => key))
    const missing = some.filter((_, i) => there[i] === undefined)
    await database.write(
      missing.map(([key, value]) => ({ type: 'put', key, value })),
      { sync: true },
    )
  }
}

async function hold(files: StoreFiles | null): Promise<() => Promise<void>> {
  if (files === null) return async () => {}
  const path = files.files.join(files.folder, 'holder')
  await files.files.claimHolder(path)
  return () => files.files.releaseHolder(path)
}

async function locked(files: StoreFiles | null): Promise<StoreError> {
  const holder = await files?.files.readHolder(files.files.join(files.folder, 'holder'))
  const who = holder
    ? `Process ${holder.pid} has had it open since ${holder.since}`
    : 'Another process has it open'
  return new StoreError(
    'STORE_LOCKED',
    `The store${files === null ? '' : ` in ${files.folder}`} is in use. ${who}. Nothing was touched. Stop that ` +
      'process, or talk to it: one store, one process.',
    { details: { pid: holder?.pid ?? null, since: holder?.since ?? null } },
  )
}
