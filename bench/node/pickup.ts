/** How soon a run is picked up: from the call of `submit` to the start of its handler. */
import { Level } from 'level'
import type { DibsNode } from '../../src/index.js'
import { drop, newFolder } from '../journal/folders.js'
import { against, progress, REPEATS, type Row, rowOf, type Table } from '../measure.js'
import { inputOf, type Kept, open, TYPE } from './no-op.js'

const RUNS = 1000
/** Runs a second of the open loop, and milliseconds between two looks at what is due. */
const RATE = 1000
const TICK_MS = 1
/** Bytes of the baseline's writes: what a first commit of one run takes. */
const COMMIT_BYTES = 300

const SHARES = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
  ['max', 1],
] as const

export async function pickupTable(): Promise<Table> {
  const all = new Map<string, number[][]>()
  const keep = (what: string, waits: readonly number[]): void => {
    const sorted = [...waits].sort((a, b) => a - b)
    const shares = SHARES.map(([, share]) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    const figures = all.get(what) ?? []
    figures.push(shares)
    all.set(what, figures)
  }
  for (let i = 0; i <= REPEATS; i++) {
    progress(`pickup, turn ${i} of ${REPEATS}`)
    for (const kept of ['in memory', 'durable'] as const) {
      const [alone, open] = [await oneAtATime(kept), await openLoop(kept)]
      if (i === 0) continue
      keep(`${kept}, one at a time`, alone)
      keep(`${kept}, ${RATE} a second`, open)
    }
    const writes = await syncedWrites()
    if (i > 0) keep(BASE, writes)
  }
  const rows = [...all].flatMap(([what, figures]) =>
    SHARES.map(([name], at) =>
      rowOf(
        `${what}: ${name}`,
        figures.map((shares) => shares[at] ?? 0),
      ),
    ),
  )
  return {
    title: 'Pickup',
    unit: 'ms from submit to the start of the handler',
    against: 'a synced write',
    note: `${RUNS} runs for each figure. One at a time: the next is submitted when the one before is done. ${RATE} a second: submitted by the clock, whatever the others do. Durable: signed and synced before the handler starts, so a synced write of as many bytes to level, one at a time, is what it cannot be faster than.`,
    rows: rows.map((row) => compared(row, rows)),
  }
}

const BASE = 'level alone, a synced write'

function compared(row: Row, rows: readonly Row[]): Row {
  const [, share] = row.what.split(': ')
  const base = rows.find(({ what }) => what === `${BASE}: ${share}`)
  return base === undefined || base === row || !row.what.startsWith('durable') ? row : against(row, base)
}

class Waits {
  readonly ms: number[] = []
  readonly #since = new Float64Array(RUNS)

  readonly handler = (input: unknown): null => {
    const { n } = input as { readonly n: number }
    this.ms.push(performance.now() - (this.#since[n] ?? 0))
    return null
  }

  submit(node: DibsNode, n: number): ReturnType<DibsNode['submit']> {
    this.#since[n] = performance.now()
    return node.submit(TYPE, inputOf(n))
  }
}

async function oneAtATime(kept: Kept): Promise<readonly number[]> {
  const { node, close } = await open(kept, { slots: 24 })
  const waits = new Waits()
  node.handle(TYPE, waits.handler, { concurrency: 24 })
  for (let n = 0; n < RUNS; n++) {
    const run = await waits.submit(node, n)
    await run.result()
  }
  await close()
  return waits.ms
}

async function openLoop(kept: Kept): Promise<readonly number[]> {
  const { node, close } = await open(kept, { slots: 24 })
  const waits = new Waits()
  node.handle(TYPE, waits.handler, { concurrency: 24 })
  const began = performance.now()
  const runs: Promise<unknown>[] = []
  while (runs.length < RUNS) {
    const due = Math.min(RUNS, Math.floor(((performance.now() - began) / 1000) * RATE))
    while (runs.length < due) runs.push(waits.submit(node, runs.length).then((run) => run.result()))
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  await Promise.all(runs)
  await close()
  return waits.ms
}

async function syncedWrites(): Promise<readonly number[]> {
  const folder = newFolder('level')
  const store = new Level<string, Uint8Array>(folder, { valueEncoding: 'view' })
  await store.open()
  const bytes = new Uint8Array(COMMIT_BYTES).map((_, i) => (i * 31) % 251)
  const waits: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now()
    await store.put(String(i).padStart(10, '0'), bytes, { sync: true })
    waits.push(performance.now() - began)
  }
  await store.close()
  drop(folder)
  return waits
}
