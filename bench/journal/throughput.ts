/** Whole lives of runs a second, each step durable before the next. */
import { against, progress, type Row, rowOf, type Table } from '../measure.js'
import { openDevice } from './device.js'
import { drop, newFolder } from './folders.js'
import { live } from './live.js'
import { Plain } from './plain.js'

const REPEATS = 3
/** Runs for so many submitters: each measurement takes around a second. */
const RUNS = new Map([
  [1, 1500],
  [16, 6000],
  [64, 12_000],
])

export async function throughputTable(): Promise<Table> {
  const rows: Row[] = []
  for (const [submitters, runs] of RUNS) {
    const times = { journals: [] as number[], synced: [] as number[], unsynced: [] as number[] }
    // The first turn warms up. In turns, so that what else the machine does hits all alike.
    for (let i = 0; i <= REPEATS; i++) {
      progress(`${submitters} submitters, turn ${i} of ${REPEATS}`)
      const turn = {
        journals: await journals(runs, submitters),
        synced: await plain(runs, submitters, true),
        unsynced: await plain(runs, submitters, false),
      }
      if (i === 0) continue
      for (const name of ['journals', 'synced', 'unsynced'] as const) times[name].push(turn[name])
    }
    const who = submitters === 1 ? '1 submitter' : `${submitters} submitters`
    const synced = rowOf(`${who}, plain, synced`, times.synced)
    rows.push(
      against(rowOf(`${who}, journals, synced`, times.journals), synced),
      synced,
      against(rowOf(`${who}, plain, not synced`, times.unsynced), synced),
    )
  }
  return {
    title: 'Whole lives of runs',
    unit: 'runs/s',
    against: 'plain, synced',
    repeats: REPEATS,
    note: 'Created, assigned, claimed and started in one commit, completed in another; a submitter waits for each commit. Commits of journals are signed and on the disk when they resolve; whoever waits meanwhile goes together.',
    rows,
  }
}

async function journals(runs: number, submitters: number): Promise<number> {
  const folder = newFolder('journals')
  const device = await openDevice(folder)
  const rate = await rateOf(runs, () => live(device, runs, submitters))
  await device.close()
  drop(folder)
  return rate
}

async function plain(runs: number, submitters: number, isSynced: boolean): Promise<number> {
  const folder = newFolder('plain')
  const layout = await Plain.open(folder, { isSynced })
  const rate = await rateOf(runs, () => layout.live(runs, submitters))
  await layout.close()
  drop(folder)
  return rate
}

async function rateOf(runs: number, work: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const began = performance.now()
  await work()
  return runs / ((performance.now() - began) / 1000)
}
