/** What one more commit costs, with few and with many batches in its log. */
import { against, progress, type Row, rowOf, type Table } from '../measure.js'
import type { Corpus } from './corpora.js'
import { type Device, openDevice } from './device.js'
import { bytesIn, drop, newFolder } from './folders.js'
import { live } from './live.js'
import { Plain } from './plain.js'

const REPEATS = 5
/** Commits in the log when a measurement begins. */
const SIZES = [1000, 100_000] as const
/** Commits of one repetition. */
const COMMITS = 1000
const COMMITS_A_RUN = 2

type Grow = (runs: number) => Promise<void>

/** The table, and the store that was made on the way: each commit in it is a batch of its own. */
export async function appendTable(): Promise<{ readonly table: Table; readonly lonely: Corpus }> {
  const folder = newFolder('lonely')
  const device = await openDevice(folder, { isSynced: false })
  const [few, many] = await costs('journals', (runs) => live(device, runs, 1))
  const lonely = await corpusOf(folder, device)
  const [plainFew, plainMany] = await plainCosts()
  const table = {
    title: 'One more commit',
    unit: 'µs',
    against: 'the same at 1,000',
    repeats: REPEATS,
    note: `One submitter, and not synced, so that what grows would show. Journals: written, signed, stored, applied and published; all batches in one log of one journal. ${COMMITS.toLocaleString('en-US')} commits for each figure. Flat means × 1.`,
    rows: [few, against(many, few), plainFew, against(plainMany, plainFew)],
  }
  return { table, lonely }
}

async function corpusOf(folder: string, device: Device): Promise<Corpus> {
  await device.store.compact()
  const bytesPublished = device.published()
  await device.close()
  const commits = SIZES[1] + REPEATS * COMMITS
  return { folder, runs: commits / COMMITS_A_RUN, bytesPublished, bytesKept: await bytesIn(folder) }
}

async function plainCosts(): Promise<readonly [Row, Row]> {
  const folder = newFolder('append')
  const layout = await Plain.open(folder, { isSynced: false })
  const rows = await costs('plain', (runs) => layout.live(runs, 1))
  await layout.close()
  drop(folder)
  return rows
}

async function costs(name: string, grow: Grow): Promise<readonly [Row, Row]> {
  const [few, many] = SIZES
  const atFew = await costAt(name, few, few, grow)
  const atMany = await costAt(name, many, many - few - REPEATS * COMMITS, grow)
  return [atFew, atMany]
}

async function costAt(name: string, size: number, commitsBefore: number, grow: Grow): Promise<Row> {
  const what = `${name}, at ${size.toLocaleString('en-US')} commits`
  progress(what)
  await grow(commitsBefore / COMMITS_A_RUN)
  const figures: number[] = []
  for (let i = 0; i < REPEATS; i++) {
    globalThis.gc?.()
    const began = performance.now()
    await grow(COMMITS / COMMITS_A_RUN)
    figures.push(((performance.now() - began) * 1000) / COMMITS)
  }
  return rowOf(what, figures)
}
