/** What became of the planted bugs, for people. */
import type { Catch } from './hunt.js'

const HEAD = ['mutant', 'caught by', 'seed', 'seconds'] as const

export function tableOf(all: readonly Catch[], seconds: number): string {
  const rows = [HEAD, ...all.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n\n${summaryOf(all, seconds)}`
}

function rowOf({ mutant, violated, seed, beside, seconds }: Catch): readonly string[] {
  const also = beside.length === 0 ? '' : ` (beside ${beside.join(', ')})`
  return [
    mutant.name,
    violated === null ? 'nothing' : `${violated.invariant}${also}`,
    String(seed ?? '-'),
    seconds.toFixed(1),
  ]
}

function summaryOf(all: readonly Catch[], seconds: number): string {
  const survivors = all.filter(({ violated }) => violated === null)
  const caught = `${all.length - survivors.length} of ${all.length} planted bugs were caught, in ${Math.round(seconds)} s.`
  if (survivors.length === 0) return caught
  const list = survivors.map(
    ({ mutant, unclear }) =>
      `  ${mutant.name}: ${mutant.what}${unclear.length === 0 ? '' : ` Unclear seeds: ${unclear.join(' ')}.`}`,
  )
  return [caught, 'Not caught:', ...list].join('\n')
}
