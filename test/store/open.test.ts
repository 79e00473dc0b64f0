import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Level } from 'level'
import { beforeEach, describe, expect, it } from 'vitest'
import { nodePlatform } from '../../src/platform/node/index.js'
import { Digest } from '../../src/store/digest.js'
import { Sealer } from '../../src/store/entry.js'
import { openLevelStore, type Store } from '../../src/store/index.js'
import { entryKey, logPrefix, packKey, STATE_KEY } from '../../src/store/keys.js'
import { encodePack } from '../../src/store/pack.js'
import { encodeState } from '../../src/store/state.js'
import { contentsOf } from '../../src/testing/store-model.js'
import { DAY, entriesOf, failure, logOf, sequencesOf } from './entries.js'
import { tempFolder } from './temp-folder.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sealer = new Sealer(nodePlatform.sha256)
let location: string

const open = (options: { repair?: boolean } = {}): Promise<Store> =>
  openLevelStore({ location, platform: nodePlatform, ...options })

/** Changes the database behind the store's back. */
async function tamper(change: (level: Level<Uint8Array, Uint8Array>) => Promise<void>): Promise<void> {
  const level = new Level<Uint8Array, Uint8Array>(join(location, 'level'), {
    keyEncoding: 'view',
    valueEncoding: 'view',
    compression: false,
  })
  await change(level)
  await level.close()
}

beforeEach(async () => {
  location = join(await tempFolder(), 'store')
  const store = await open()
  await store.append([...entriesOf(logOf(1), 0, 10), ...entriesOf(logOf(2), 0, 5)], { durable: true })
  await store.close()
})

describe('a store that is in use', () => {
  it('names the process that has it open, and since when', async () => {
    const store = await open()
    const error = await failure(open())
    expect(error.code).toBe('STORE_LOCKED')
    expect(error.message).toMatch(new RegExp(`Process ${process.pid} has had it open since 20\\d\\d-`))
    await store.append(entriesOf(logOf(1), 10, 1), { durable: true })
    await store.close()
  })

  it('is not touched by a repair either, and is free as soon as its process is gone', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'test/store/hold-store.ts'), location],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    const error = await failure(open({ repair: true }))
    expect([error.code, error.message.includes(`Process ${child.pid} `)]).toEqual(['STORE_LOCKED', true])
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = await open()
    expect(store.findings).toEqual([])
    await store.close()
  })
})

describe('a store on disk', () => {
  it('is for its owner only', async () => {
    expect((await stat(location)).mode & 0o777).toBe(0o700)
    expect((await stat(join(location, 'witness'))).mode & 0o777).toBe(0o600)
  })

  it('of a newer format is refused and left as it is', async () => {
    const state = encodeState({ format: 2, writes: 1, keys: 15, digest: new Digest() })
    await tamper((level) => level.put(STATE_KEY, sealer.seal(STATE_KEY, state)))
    const error = await failure(open())
    expect(error.code).toBe('STORE_NEWER_FORMAT')
    expect(error.message).toMatch(/format 2/)
    expect((await failure(open({ repair: true }))).code).toBe('STORE_NEWER_FORMAT')
  })

  it('reports progress while it is opened', async () => {
    const steps: unknown[] = []
    const store = await openLevelStore({
      location,
      platform: nodePlatform,
      onProgress: (step) => steps.push(step),
    })
    expect(steps.at(-1)).toEqual({ what: 'open', done: 15, total: 15 })
    await store.close()
  })

  it('works the same with the hash that browsers use', async () => {
    const { browserPlatform } = await import('../../src/platform/browser/index.js')
    const store = await openLevelStore({
      location,
      platform: { files: nodePlatform.files, sha256: browserPlatform.sha256 },
    })
    expect(store.findings).toEqual([])
    await store.close()
  })

  it('of a platform without files works too, and remembers', async () => {
    const nameOnly = join(await tempFolder(), 'plain')
    const platform = { files: null, sha256: nodePlatform.sha256 }
    for (const next of [0, 3]) {
      const store = await openLevelStore({ location: nameOnly, platform })
      expect(store.findings).toEqual([])
      await store.append(entriesOf(logOf(1), next, 3), { durable: true })
      await store.close()
    }
  })
})

describe('what is found bad is quarantined, reported once, and can be appended anew', () => {
  const one = logPrefix(logOf(1))

  async function expectHealed(kept: number): Promise<void> {
    const store = await open()
    expect(store.findings).toEqual([])
    expect((await sequencesOf(store)).length).toBe(kept + 5)
    await store.append(entriesOf(logOf(1), kept, 10 - kept), { durable: true })
    expect((await sequencesOf(store)).length).toBe(15)
    await store.close()
  }

  it('a hole', async () => {
    await tamper((level) => level.del(entryKey(one, 4)))
    const store = await open()
    expect(store.findings.map(({ code, log, sequence }) => ({ code, log, sequence }))).toEqual([
      { code: 'HOLE', log: logOf(1), sequence: 4 },
      { code: 'TAIL_LOST', log: null, sequence: null },
    ])
    const quarantined = await store.quarantined()
    expect(quarantined.map(({ code, key }) => `${code} ${key.split('/').at(-1)}`)).toEqual(
      [5, 6, 7, 8, 9].map((sequence) => `HOLE ${sequence}`),
    )
    await store.close()
    await expectHealed(4)
  })

  it('a changed byte', async () => {
    const key = entryKey(one, 7)
    await tamper(async (level) => {
      const value = new Uint8Array(await level.get(key))
      value[50] = (value[50] as number) ^ 1
      await level.put(key, value)
    })
    const store = await open()
    expect(store.findings.map(({ code, sequence }) => ({ code, sequence }))).toEqual([
      { code: 'CHECKSUM', sequence: 7 },
    ])
    expect((await store.quarantined()).length).toBe(3)
    await store.close()
    await expectHealed(7)
  })

  it('an entry under the key of another', async () => {
    await tamper(async (level) => level.put(entryKey(one, 3), await level.get(entryKey(one, 2))))
    const store = await open()
    expect(store.findings[0]).toMatchObject({ code: 'CHECKSUM', sequence: 3 })
    await store.close()
    await expectHealed(3)
  })

  it('a pack that is none', async () => {
    await tamper((level) => level.put(packKey(one, 0), sealer.seal(packKey(one, 0), Uint8Array.of(1, 2))))
    const store = await open()
    expect(store.findings[0]).toMatchObject({ code: 'UNREADABLE', sequence: 0 })
    expect((await store.quarantined()).length).toBe(11)
    await store.close()
    await expectHealed(0)
  })

  it('keys and values that dibs never writes', async () => {
    const foreign = [Uint8Array.of(9, 9), Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3, 0xff), one]
    await tamper(async (level) => {
      for (const key of foreign) await level.put(key, Uint8Array.of(1, 2, 3))
    })
    const store = await open()
    expect(store.findings.map(({ code }) => code)).toEqual(foreign.map(() => 'UNREADABLE'))
    const quarantined = await store.quarantined()
    expect(quarantined.map(({ value }) => value)).toEqual(foreign.map(() => Uint8Array.of(1, 2, 3)))
    expect((await sequencesOf(store)).length).toBe(15)
    await store.close()
    await expectHealed(10)
  })

  it('a lost item', async () => {
    const writer = await open()
    await writer.putItem('clock', Uint8Array.of(1))
    await writer.close()
    await tamper((level) => level.del(Uint8Array.of(3, ...new TextEncoder().encode('clock'))))
    const store = await open()
    expect(store.findings.map(({ code }) => code)).toEqual(['TAIL_LOST'])
    await store.close()
  })
})

describe('a pack and its single entries side by side', () => {
  it('read as one: the pack stands, the rest is cleared away', async () => {
    const log = logOf(3)
    const writer = await open()
    await writer.append(entriesOf(log, 0, 300), { durable: true })
    const before = await contentsOf(writer)
    await writer.close()
    const key = packKey(logPrefix(log), 0)
    const pack = encodePack(entriesOf(log, 0, 256).map(({ signed }) => signed))
    await tamper((level) => level.put(key, sealer.seal(key, pack)))
    const store = await open()
    expect(await store.quarantined()).toEqual([])
    expect(await contentsOf(store)).toEqual(before)
    await store.close()
  })
})

describe('the witness', () => {
  it('tells when an older copy of LevelDB’s folder is put back', async () => {
    const older = join(await tempFolder(), 'older')
    await cp(join(location, 'level'), older, { recursive: true })
    const writer = await open()
    await writer.append(entriesOf(logOf(1), 10, 1), { durable: true })
    await writer.close()
    await rm(join(location, 'level'), { recursive: true })
    await cp(older, join(location, 'level'), { recursive: true })
    const store = await open()
    expect(store.findings.map(({ code }) => code)).toEqual(['TAIL_LOST'])
    await store.close()
    const again = await open()
    expect(again.findings).toEqual([])
    await again.close()
  })

  it('says nothing when it is behind or missing, and says that it cannot tell when it is damaged', async () => {
    const path = join(location, 'witness')
    const behind = await readFile(path)
    const writer = await open()
    await writer.append(entriesOf(logOf(1), 10, 1), { durable: true })
    await writer.close()
    const codes: string[][] = []
    for (const content of [behind, null, new Uint8Array(16)]) {
      if (content === null) await rm(path)
      else await writeFile(path, content)
      const store = await open()
      codes.push(store.findings.map(({ code }) => code))
      await store.close()
    }
    expect(codes).toEqual([[], [], ['UNREADABLE']])
  })
})

describe('a folder without its CURRENT', () => {
  it('is not mistaken for an empty one: it is refused, and a repair brings everything back', async () => {
    await rm(join(location, 'level', 'CURRENT'))
    const error = await failure(open())
    expect(error.code).toBe('STORE_CORRUPT')
    expect(error.message).toMatch(/repair: true/)
    const store = await open({ repair: true })
    expect(store.findings).toEqual([])
    expect((await sequencesOf(store, DAY)).length).toBe(15)
    await store.close()
  })
})
