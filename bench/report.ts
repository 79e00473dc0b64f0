/** Results as people read them: a table in the terminal, a table in docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { REPEATS, type Row, type Suite, type Table } from './measure.js'

export function terminal({ name, tables }: Suite): string {
  const clear = process.stderr.isTTY ? '\r\x1b[K' : ''
  return `${clear}\n${name}\n${tables.map(terminalTable).join('\n')}\n`
}

function terminalTable({ title, unit, rows, note }: Table): string {
  const width = Math.max(...rows.map(({ what }) => what.length))
  const lines = rows.map(
    (row) =>
      `    ${row.what.padEnd(width)}  ${figure(row.median).padStart(10)}  ${ratio(row).padStart(7)}  (${range(row)})`,
  )
  return `\n  ${title}, ${unit}\n${lines.join('\n')}\n    ${note}\n`
}

export function markdown({ tables }: Suite, machine: string): string {
  return [`Measured on ${machine}.`, ...tables.map(markdownTable)].join('\n\n')
}

function markdownTable({ title, unit, rows, note, against, repeats = REPEATS }: Table): string {
  const columns = [
    { head: 'what', line: '---', cell: (row: Row) => row.what },
    { head: `median of ${repeats}`, line: '---:', cell: (row: Row) => figure(row.median) },
    { head: 'range', line: '---:', cell: range },
    ...(against === undefined ? [] : [{ head: `against ${against}`, line: '---:', cell: ratio }]),
  ]
  const lines = [
    columns.map(({ head }) => head),
    columns.map(({ line }) => line),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ].map((cells, i) => (i === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`))
  return [`**${title}** (${unit})`, lines.join('\n'), note].join('\n\n')
}

function ratio({ ratio }: Row): string {
  return ratio === undefined ? '' : `× ${figure(ratio)}`
}

function range({ least, most }: Row): string {
  return `${figure(least)} – ${figure(most)}`
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)
}

/** Replaces what stands between the markers of a suite. */
export function writeInto(file: string, name: string, text: string): void {
  const page = readFileSync(file, 'utf8')
  const begin = `<!-- bench:${name} -->`
  const end = `<!-- /bench:${name} -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`${file} has no place for the figures of “${name}”: ${begin} … ${end}`)
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`)
}
