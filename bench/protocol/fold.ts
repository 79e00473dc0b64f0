/** Records folded a second, one by one, with more and more runs in the table. */
import { type RunRecord, RunTable } from '../../protocol/index.js'
import { type Row, rate, type Table } from '../measure.js'
import { groupView, life, RECORDS_A_RUN } from './lives.js'

const SIZES = [1000, 10_000, 100_000]
/** Runs that are added on top of each size: the same work at every size. */
const ADDED = 20_000
/** Runs that are under way at once: the records of so many runs take turns. */
const AT_ONCE = 256

export function foldTable(): Table {
  const lives = Array.from({ length: ADDED }, (_, n) => life(200_000 + n))
  const added = interleaved(lives, AT_ONCE)
  const count = (n: number): string => n.toLocaleString('en-US')
  return {
    title: 'Records folded one by one, a fresh view after each',
    unit: 'records/s on one core',
    note: `Each row adds the ${count(added.length)} records of ${count(ADDED)} runs, ${AT_ONCE} of them under way at once, to a table that holds that many runs already. Flat means: the cost is that of the record’s own run. The last row is the worst order for the processor’s caches: all ${count(ADDED)} at once.`,
    rows: [
      ...SIZES.map((size) => row(`${count(size)} runs in the table`, size, added)),
      row(`${count(100_000)} runs in the table, all under way`, 100_000, interleaved(lives, ADDED)),
    ],
  }
}

function row(what: string, size: number, added: readonly RunRecord[]): Row {
  const before = Array.from({ length: size }, (_, n) => life(n)).flat()
  let table = new RunTable(groupView)
  return rate(what, {
    prepare() {
      table = new RunTable(groupView)
      table.addAll(before)
    },
    run() {
      for (const record of added) table.add(record)
      return added.length
    },
  })
}

/** Of so many runs all first records, then all second ones …; then the next so many. */
function interleaved(lives: readonly RunRecord[][], atOnce: number): RunRecord[] {
  const windows = Array.from({ length: Math.ceil(lives.length / atOnce) }, (_, i) =>
    lives.slice(i * atOnce, (i + 1) * atOnce),
  )
  return windows.flatMap((window) =>
    Array.from({ length: RECORDS_A_RUN }, (_, step) =>
      window.map((records) => records[step] as RunRecord),
    ).flat(),
  )
}
