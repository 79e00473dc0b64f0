/** Runs added and drained: from the first submit to the last result, all by the public API. */
import { Level } from 'level'
import type { DibsNode } from '../../src/index.js'
import { openDevice } from '../journal/device.js'
import { drop, newFolder } from '../journal/folders.js'
import { live } from '../journal/live.js'
import { against, progress, REPEATS, type Row, rowOf, type Table } from '../measure.js'
import { count, inputOf, type Kept, Ledger, open, submitAll, TYPE } from './no-op.js'

/** Runs of one measurement: it takes about a second. */
const RUNS = 16_000
/** Runs at once, as in the figures of others that `docs/performance.md` compares with. */
const AT_ONCE = 24
const SUBMITTERS = [24, 64, 256] as const
const BATCH = 1000

interface Floor {
  readonly commits: number
  readonly bytes: number
}

interface Measured {
  readonly what: string
  readonly run: () => Promise<number>
}

export async function throughputTable(): Promise<Table> {
  const floors = new Map<number, Floor>()
  const measured: Measured[] = []
  for (const kept of ['durable', 'in memory'] as const) {
    for (const submitters of SUBMITTERS)
      measured.push({
        what: `${kept}, ${submitters} submitters`,
        run: () => node(kept, AT_ONCE, (opened) => submitAll(opened, RUNS, submitters)),
      })
    measured.push({
      what: `${kept}, 256 submitters, 256 at once`,
      run: () => node(kept, 256, (opened) => submitAll(opened, RUNS, 256)),
    })
    measured.push({
      what: `${kept}, batches of ${count(BATCH)}`,
      run: () => node(kept, AT_ONCE, (opened) => submitBatches(opened)),
    })
  }
  for (const submitters of SUBMITTERS) {
    measured.push(
      { what: `journals alone, durable, ${submitters} submitters`, run: () => journals(submitters, floors) },
      { what: `level alone, durable, ${submitters} submitters`, run: () => level(floors.get(submitters)) },
    )
  }
  const figures = measured.map((): number[] => [])
  // The first turn warms up. In turns, so that what else the machine does hits all alike.
  for (let i = 0; i <= REPEATS; i++)
    for (const [at, { what, run }] of measured.entries()) {
      progress(`added and drained: ${what}, turn ${i} of ${REPEATS}`)
      const rate = await run()
      if (i > 0) figures[at]?.push(rate)
    }
  const rows = measured.map(({ what }, at) => rowOf(what, figures[at] ?? []))
  return {
    title: 'Added and drained',
    unit: 'runs/s',
    against: 'journals alone',
    note: `${count(RUNS)} runs that do nothing, ${AT_ONCE} at once unless it says otherwise; each was checked to be started once and completed once. Durable: signed, and synced to the disk before a submit resolves, before a handler starts and before a result counts. A submitter waits for its submit and not for the result, so with more submitters than slots runs queue up, and are written a third time when a slot is free. Batches go by \`submitMany\`. Journals alone: the same records with no node around them, two commits a run. Level alone: the bytes of those commits in as many synced writes, one after the other: what the disk allows.`,
    rows: rows.map((row) => compared(row, rows)),
  }
}

function compared(row: Row, rows: readonly Row[]): Row {
  const base = rows.find(({ what }) => what === `journals alone, ${row.what}`)
  return base === undefined ? row : against(row, base)
}

async function node(kept: Kept, slots: number, submit: (node: DibsNode) => Promise<void>): Promise<number> {
  const opened = await open(kept, { slots })
  const ledger = new Ledger(RUNS)
  opened.node.handle(TYPE, ledger.handler, { concurrency: slots })
  const rate = await rateOf(async () => {
    await submit(opened.node)
    await ledger.drained(opened.node)
  })
  await opened.close()
  return rate
}

async function submitBatches(node: DibsNode): Promise<void> {
  for (let from = 0; from < RUNS; from += BATCH)
    await node.submitMany(Array.from({ length: BATCH }, (_, i) => ({ type: TYPE, input: inputOf(from + i) })))
}

async function journals(submitters: number, floors: Map<number, Floor>): Promise<number> {
  const folder = newFolder('journals')
  let commits = 0
  const device = await openDevice(folder, {
    onEvent: ({ type }) => {
      if (type === 'records') commits++
    },
  })
  const rate = await rateOf(() => live(device, RUNS, submitters))
  floors.set(submitters, { commits, bytes: device.published() })
  await device.close()
  drop(folder)
  return rate
}

async function level(floor: Floor | undefined): Promise<number> {
  if (floor === undefined) throw new Error('The journals are measured first.')
  const folder = newFolder('level')
  const store = new Level<string, Uint8Array>(folder, { valueEncoding: 'view' })
  await store.open()
  const bytes = new Uint8Array(Math.ceil(floor.bytes / floor.commits)).map((_, i) => (i * 31) % 251)
  const rate = await rateOf(async () => {
    for (let i = 0; i < floor.commits; i++)
      await store.put(String(i).padStart(10, '0'), bytes, { sync: true })
  })
  await store.close()
  drop(folder)
  return rate
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const began = performance.now()
  await work()
  return RUNS / ((performance.now() - began) / 1000)
}
