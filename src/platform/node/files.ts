/** A store's own files in Node. */
import { mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files, Holder } from '../platform.js'
import { codeOf, replaceFile } from './atomic-file.js'
import { openCell } from './cell.js'
import { OWNER_ONLY_FOLDER } from './modes.js'

export const nodeFiles: Files = {
  join,
  makeFolder,
  list,
  read,
  move: rename,
  hasRoom,
  claimHolder,
  readHolder,
  releaseHolder: (path) => rm(path, { force: true }),
  openCell: async (path) => openCell(path),
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
}

async function list(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? []
}

async function read(path: string): Promise<Uint8Array | null> {
  return ifThere(readFile(path))
}

async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const disk = await statfs(folder)
  return disk.bavail * disk.bsize >= bytes
}

async function claimHolder(path: string): Promise<void> {
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() }
  await replaceFile(path, new TextEncoder().encode(`${JSON.stringify(holder)}\n`))
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    const { pid, since } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    return Number.isSafeInteger(pid) && typeof since === 'string' ? { pid: pid as number, since } : null
  } catch {
    return null // It only serves a message: whatever is wrong with it, the message does without.
  }
}
