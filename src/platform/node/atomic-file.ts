/** Files that are there whole or not at all, for their owner's eyes only. */
import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OWNER_ONLY_FILE } from './modes.js'

/** Puts a file in place, over one that may be there. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await rename(await writeBeside(path, bytes), path)
  await syncFolderOf(path)
}

/** Puts a file in place if there is none. Answers whether it did; of two who try at once, one does. */
export async function createFile(path: string, bytes: Uint8Array): Promise<boolean> {
  const beside = await writeBeside(path, bytes)
  try {
    await link(beside, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(beside, { force: true })
  }
  await syncFolderOf(path)
  return true
}

async function writeBeside(path: string, bytes: Uint8Array): Promise<string> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(beside, 'wx', OWNER_ONLY_FILE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  return beside
}

// A name lasts only once its folder is synced. Windows cannot do that, and need not.
async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
