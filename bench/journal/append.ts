/** What one more commit costs, with few and with many batches in its log. */
import { against, progress, type Row, rowOf, type Table } from '../measure.js'
import { openDevice } from './device.js'
import { drop, newFolder } from './folders.js'
import { live } from './live.js'
import { Plain } from './plain.js'

const REPEATS = 5
/** Batches in the log when the measurement begins: 1,000, then 100,000. */
const SIZES = [1000, 100_000] as const
/** Commits of one repetition: two for each run. */
const COMMITS = 1000

export async function appendTable(): Promise<Table> {
  const [few, many] = await costs('journals', await journals())
  const [plainFew, plainMany] = await costs('plain', await plain())
  return {
    title: 'One more commit',
    unit: 'µs',
    against: 'the same at 1,000',
    repeats: REPEATS,
    note: `One submitter, not synced, so that what grows would show: signed, stored, applied and published. ${COMMITS.toLocaleString('en-US')} commits for each figure. All batches are in one log of one journal. Flat means × 1.`,
    rows: [few, against(many, few), plainFew, against(plainMany, plainFew)],
  }
}

interface Growing {
  readonly grow: (runs: number) => Promise<void>
  readonly close: () => Promise<void>
}

async function costs(name: string, { grow, close }: Growing): Promise<readonly [Row, Row]> {
  let commits = 0
  const rows: Row[] = []
  for (const size of SIZES) {
    progress(`appending to ${name} at ${size}`)
    await grow((size - commits) / 2)
    const figures: number[] = []
    for (let i = 0; i < REPEATS; i++) {
      const began = performance.now()
      await grow(COMMITS / 2)
      figures.push(((performance.now() - began) * 1000) / COMMITS)
    }
    commits = size + REPEATS * COMMITS
    rows.push(rowOf(`${name}, at ${size.toLocaleString('en-US')} commits`, figures))
  }
  await close()
  return rows as unknown as readonly [Row, Row]
}

async function journals(): Promise<Growing> {
  const folder = newFolder('append')
  const device = await openDevice(folder, { isSynced: false })
  // Code that is still being compiled would make the first figure the larger one.
  await live(device, COMMITS / 4, 1)
  const close = async (): Promise<void> => {
    await device.close()
    drop(folder)
  }
  return { grow: (runs) => live(device, runs, 1), close }
}

async function plain(): Promise<Growing> {
  const folder = newFolder('append')
  const layout = await Plain.open(folder, { isSynced: false })
  const close = async (): Promise<void> => {
    await layout.close()
    drop(folder)
  }
  return { grow: (runs) => layout.live(runs, 1), close }
}
