import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { deviceOfKey } from '../../protocol/index.js'
import { nodePlatform } from '../../src/platform/node/index.js'
import { openLevelStore, type Store, StoreError } from '../../src/store/index.js'
import { seededRandom } from '../../src/testing/seeded.js'
import { contentsOf, type StoreContents } from '../../src/testing/store-model.js'
import { DAMAGES, damage } from './damage.js'
import { tempFolder } from './temp-folder.js'

const KINDS = {
  log: { file: /\.log$/, rounds: 18 },
  table: { file: /\.ldb$/, rounds: 18 },
  manifest: { file: /^MANIFEST/, rounds: 12 },
  current: { file: /^CURRENT$/, rounds: 6 },
} as const

const JOURNALS = ['group', '2026-01-11', '2026-01-12']
const DEVICES = 3

let pristine: string
let written: StoreContents

const open = (location: string, repair = false): Promise<Store> =>
  openLevelStore({ location, platform: nodePlatform, repair })

// Several tables (each opening turns the log into one, so does each 4 MiB), packs and single entries, items, stubs, and
// a log of thousands of writes at the end.
async function fill(location: string): Promise<void> {
  const random = seededRandom(1)
  const next = new Map<string, number>()
  for (let session = 0; session < 4; session++) {
    const store = await open(location)
    for (let i = 0; i < 900; i++) {
      const log = {
        journal: random.pick(JOURNALS),
        device: deviceOfKey(new Uint8Array(32).fill(random.below(DEVICES))),
        incarnation: 4096,
      }
      const name = `${log.journal}/${log.device}`
      const sequence = next.get(name) ?? 0
      next.set(name, sequence + 1)
      await store.append([{ log, sequence, signed: random.bytes(64 + random.below(120)) }], {
        durable: false,
      })
      if (i % 100 === 0) await store.putItem(`peer/${random.below(20)}`, random.bytes(30))
    }
    if (session === 1) await store.compact()
    // A stretch of LevelDB's log whose loss leaves no hole anywhere.
    for (let i = 0; i < 400; i++) await store.putItem(`proof/${session}/${i}`, random.bytes(60))
    await store.evict(`2025-12-0${session + 1}`, random.bytes(20))
    await store.close()
  }
}

/** Whether every log of `found` is the beginning of what was written: nothing changed, nothing made up. */
function isPartOf(found: StoreContents, whole: StoreContents): boolean {
  return Object.entries(found.logs).every(([log, entries]) =>
    entries.every((entry, sequence) => entry === whole.logs[log]?.[sequence]),
  )
}

beforeAll(async () => {
  pristine = join(await tempFolder(), 'store')
  await fill(pristine)
  const copy = join(await tempFolder(), 'store')
  await cp(pristine, copy, { recursive: true })
  const store = await open(copy)
  expect(store.findings).toEqual([])
  written = await contentsOf(store)
  await store.close()
})

describe('no damage to the files of LevelDB goes unnoticed', () => {
  const outcomes = new Map<string, number>()
  const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  let damages = 0

  for (const [kind, { file, rounds }] of Object.entries(KINDS)) {
    for (const how of DAMAGES) {
      it(`${how} ${kind}`, async () => {
        const names = (await readdir(join(pristine, 'level'))).filter((name) => file.test(name)).sort()
        expect(names.length).toBeGreaterThan(0)
        const location = join(await tempFolder(), 'store')
        for (let round = 0; round < (how === 'delete' ? names.length : rounds); round++) {
          const random = seededRandom(1000 * rounds + 100 * DAMAGES.indexOf(how) + round)
          const name = how === 'delete' ? (names[round] as string) : random.pick(names)
          await rm(location, { recursive: true, force: true })
          await cp(pristine, location, { recursive: true })
          const what = await damage(how, join(location, 'level', name), random)
          damages++
          count(await survey(location, what))
        }
      })
    }
  }

  it('and there were enough of them, and a repair could save everything from some', () => {
    expect(damages).toBeGreaterThanOrEqual(150)
    expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['found', 'repaired', 'repaired whole']))
  })
})

/** Opens a damaged store and checks that it says so, or lost nothing. Then repairs what needs it, and opens it again. */
async function survey(location: string, what: string): Promise<string> {
  let outcome = 'found'
  const store = await open(location).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
    expect([what, error.code]).toEqual([what, 'STORE_CORRUPT'])
    outcome = 'repaired'
    return open(location, true)
  })
  const found = await contentsOf(store)
  expect([what, isPartOf(found, written)]).toEqual([what, true])
  if (store.findings.length === 0) {
    expect([what, found]).toEqual([what, written])
    outcome = outcome === 'found' ? 'intact' : 'repaired whole'
  }
  await store.close()
  const again = await open(location)
  expect([what, again.findings]).toEqual([what, []])
  expect([what, await contentsOf(again)]).toEqual([what, found])
  await again.close()
  return outcome
}
