/** The tables of protocol/SPEC.md, printed from the code that they describe. */
import { readFileSync } from 'node:fs'
import * as protocol from '../protocol/index.js'
import {
  AUTHORITY,
  ERROR_CODES,
  fieldsOf,
  GATE_CODES,
  KINDS,
  type Kind,
  REJECTION_CODES,
  STATES,
  TRANSITIONS,
  WRITERS,
} from '../protocol/index.js'

const SPEC = 'protocol/SPEC.md'

const TABLES: Readonly<Record<string, () => string>> = {
  kinds: kindsTable,
  states: () => table(['state', 'meaning'], codes(STATES)),
  writers: () => table(['who', 'is'], Object.entries(WRITERS)),
  authority: authorityTable,
  transitions: transitionsTable,
  errors: () => table(['code', 'meaning'], codes(ERROR_CODES)),
  rejections: () => table(['code', 'meaning'], codes(REJECTION_CODES)),
  gates: () => table(['code', 'meaning'], codes(GATE_CODES)),
  limits: () => valuesTable('protocol/limits.ts'),
  constants: () => valuesTable('protocol/constants.ts'),
}

/** SPEC.md with each table between its markers printed anew. */
export function specWithTables(): string {
  return Object.entries(TABLES).reduce(
    (page, [name, print]) => {
      const begin = `<!-- table:${name} -->`
      const end = `<!-- /table:${name} -->`
      const from = page.indexOf(begin)
      const to = page.indexOf(end)
      if (from < 0 || to < from)
        throw new Error(`${SPEC} has no place for the table “${name}”: ${begin} … ${end}`)
      return `${page.slice(0, from + begin.length)}\n${print()}\n${page.slice(to)}`
    },
    readFileSync(SPEC, 'utf8'),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function codes(entries: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(entries).map(([code, meaning]) => [`\`${code}\``, meaning])
}

function kindsTable(): string {
  const rows = (Object.keys(KINDS) as Kind[]).map((kind) => {
    const fields = fieldsOf(kind)
      .filter(({ derived }) => !derived)
      .map(({ name, as, optional }) => `\`${name}\`${optional ? '?' : ''} ${as}`)
    return [`\`${kind}\``, String(KINDS[kind].code), KINDS[kind].says, fields.join(', ')]
  })
  return table(['kind', 'code', 'says', 'fields, in wire order'], rows)
}

function authorityTable(): string {
  return table(
    ['record', 'written by', 'counts'],
    Object.entries(AUTHORITY).map(([kind, { by, counts }]) => [`\`${kind}\``, by, counts]),
  )
}

/** One row for each way, with all the states that it leads from. */
function transitionsTable(): string {
  const ways = new Map<string, { from: string[]; cells: string[] }>()
  for (const { from, to, record, by, when } of TRANSITIONS) {
    const key = [to, record, by, when].join('|')
    const way = ways.get(key) ?? { from: [], cells: [`\`${to}\``, `\`${record}\``, by, when] }
    way.from.push(from === null ? '(nothing)' : `\`${from}\``)
    ways.set(key, way)
  }
  const rows = [...ways.values()].map(({ from, cells }) => [from.join(', '), ...cells])
  return table(['from', 'to', 'by record', 'of', 'when'], rows)
}

/** Names, values and reasons of a file of constants: values from the code, reasons from its comments. */
function valuesTable(file: string): string {
  const source = readFileSync(file, 'utf8')
  const values = protocol as unknown as Readonly<Record<string, unknown>>
  const rows = [...source.matchAll(/\/\*\* ([\s\S]*?) \*\/\nexport const (\w+)/g)].map(
    ([, reason = '', name = '']) => [`\`${name}\``, shown(values[name]), reason.replace(/\s*\n \*\s*/g, ' ')],
  )
  return table(['name', 'value', 'why'], rows)
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return `\`${JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ')}\``
}
