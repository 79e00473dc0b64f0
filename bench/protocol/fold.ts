/** Records folded a second, one by one, with more and more runs in the table. */
import { type RunRecord, RunTable } from '../../protocol/index.js'
import { type Row, rate, type Table } from '../measure.js'
import { groupView, life } from './lives.js'

const SIZES = [1000, 10_000, 100_000]
/** Runs that are added on top of each size: the same work at every size. */
const ADDED = 20_000

export function foldTable(): Table {
  const added = interleaved(Array.from({ length: ADDED }, (_, n) => life(200_000 + n)))
  return {
    title: 'Records folded one by one, a fresh view after each',
    unit: 'records/s on one core',
    note: `Each row adds the ${added.length.toLocaleString('en-US')} records of ${ADDED.toLocaleString('en-US')} runs to a table that holds that many runs already. Flat means: the cost is that of the record’s own run.`,
    rows: SIZES.map((size) => row(size, added)),
  }
}

function row(size: number, added: readonly RunRecord[]): Row {
  const before = Array.from({ length: size }, (_, n) => life(n)).flat()
  let table = new RunTable(groupView)
  return rate(`${size.toLocaleString('en-US')} runs in the table`, {
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

/** All first records, then all second ones …: no two records in a row are of one run, as in a busy group. */
function interleaved(lives: readonly RunRecord[][]): RunRecord[] {
  const steps = lives[0]?.length ?? 0
  return Array.from({ length: steps }, (_, step) => lives.map((records) => records[step] as RunRecord)).flat()
}
