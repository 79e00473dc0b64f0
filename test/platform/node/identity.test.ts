import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadOrCreateIdentity } from '../../../src/platform/node/index.js'
import { tempFolder } from '../../store/temp-folder.js'

let path: string
beforeEach(async () => {
  path = join(await tempFolder(), 'new', 'identity.key')
})

describe('the identity of a device', () => {
  it('is made once and is the same ever after, for its owner’s eyes only', async () => {
    const { device } = await loadOrCreateIdentity(path)
    expect((await loadOrCreateIdentity(path)).device).toBe(device)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
    expect(await readdir(join(path, '..'))).toEqual(['identity.key'])
  })

  it('is one, however many ask for it at once', async () => {
    const signers = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateIdentity(path)))
    expect(new Set(signers.map(({ device }) => device)).size).toBe(1)
  })

  it.each([0o640, 0o604, 0o660, 0o644])('is refused when others can use its file (mode %o)', async (mode) => {
    await loadOrCreateIdentity(path)
    await chmod(path, mode)
    await expect(loadOrCreateIdentity(path)).rejects.toMatchObject({
      code: 'IDENTITY_EXPOSED',
      message: expect.stringContaining(`chmod 600 '${path}'`),
    })
    await chmod(path, 0o600)
    await loadOrCreateIdentity(path)
  })

  it.each([0, 63, 65])(
    'is never written over, even when its file holds no key (%d bytes)',
    async (length) => {
      await loadOrCreateIdentity(path)
      await writeFile(path, new Uint8Array(length))
      await expect(loadOrCreateIdentity(path)).rejects.toMatchObject({ code: 'IDENTITY_DAMAGED' })
      expect((await readFile(path)).length).toBe(length)
    },
  )
})
