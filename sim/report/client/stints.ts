/** Stints: a device had a run, from being given it to letting go of it. They are what is packed into rows. */
import { js } from '../source.js'

export const STINTS: string = js`
/** Bars that follow on each other on one device are one stint. */
function stintsOf(run) {
  const stints = []
  for (const bar of run.bars.slice().sort((a, b) => a.fromMs - b.fromMs)) {
    const last = stints.filter(({ place }) => place === bar.place).pop()
    if (last !== undefined && last.end === null && bar.fromMs <= last.toMs + 1) {
      last.bars.push(bar)
      last.toMs = Math.max(last.toMs, bar.toMs)
      last.end = bar.end
    } else {
      stints.push({
        run,
        place: bar.place,
        fromMs: bar.fromMs,
        toMs: bar.toMs,
        end: bar.end,
        bars: [bar],
        row: 0,
      })
    }
  }
  return stints
}

/** Gives each stint the first row that is free, and returns the rows. */
function rowsOf(stints) {
  const rows = []
  for (const stint of stints.slice().sort((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)) {
    let row = rows.findIndex((taken) => taken[taken.length - 1].toMs <= stint.fromMs)
    if (row < 0) row = rows.push([]) - 1
    rows[row].push(stint)
    stint.row = row
  }
  return rows
}

const stintsByRun = new Map(runs.map((run) => [run.id, stintsOf(run)]))
const stintsByPlace = grouped([...stintsByRun.values()].flat(), ({ place }) => place)

/** A run went from one device to another: its next stint is elsewhere. */
const moves = [...stintsByRun.values()].flatMap((stints) =>
  stints.slice(1).flatMap((next, index) => {
    const last = stints[index]
    return last.place === next.place ? [] : [{ run: next.run, from: last, to: next }]
  }),
)
`
