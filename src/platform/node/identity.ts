/** The device's private key in a file. */
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { IdentityError } from '../errors.js'
import { Ed25519Signer } from '../signer.js'
import { codeOf, createFile } from './atomic-file.js'
import { nodeFiles } from './files.js'
import { OTHERS_MASK } from './modes.js'

/**
 * The identity kept in this file; a new one if there is no file yet.
 *
 * Throws `IDENTITY_EXPOSED` if others can read the file, `IDENTITY_DAMAGED` if it holds no key. A file that is there is
 * never written over: a lost key is a lost device.
 */
export async function loadOrCreateIdentity(path: string): Promise<Ed25519Signer> {
  const kept = await load(path)
  if (kept !== null) return kept
  await nodeFiles.makeFolder(dirname(path))
  const signer = await Ed25519Signer.generate()
  if (await createFile(path, signer.toRaw())) return signer
  return loadOrCreateIdentity(path) // Another process was faster: its key is the device's.
}

async function load(path: string): Promise<Ed25519Signer | null> {
  const raw = await readPrivate(path)
  if (raw === null) return null
  try {
    return await Ed25519Signer.fromRaw(raw)
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error
    throw new IdentityError(
      error.code,
      `The identity in ${path} cannot be used: ${error.message} The file was left as it is. Restore it from a ` +
        'backup; or move it away to join the group as a new device.',
    )
  }
}

async function readPrivate(path: string): Promise<Uint8Array | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const { mode } = await file.stat()
    if (process.platform !== 'win32' && (mode & OTHERS_MASK) !== 0) {
      throw new IdentityError(
        'IDENTITY_EXPOSED',
        `Others on this machine can use the private key in ${path} (mode ${(mode & 0o777).toString(8)}). It was not ` +
          `loaded and is left as it is. Run: chmod 600 '${path}'. If somebody may have read it, revoke this device.`,
      )
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}
