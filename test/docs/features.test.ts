/** The table of features promises nothing that is not there. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Row {
  readonly feature: string
  readonly reference: string
  readonly sources: readonly string[]
  /** The file of its test, and the test's name. */
  readonly file: string
  readonly test: string
}

const LINK = /\[[^\]]+\]\(\.\.\/([^)]+)\)/g

const rows: readonly Row[] = readFileSync('docs/features.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => {
    const [feature = '', reference = '', where = '', shown = ''] = line.slice(2, -2).split(' | ')
    const [file = ''] = targets(shown)
    const [, test = ''] = /: “(.+)”$/.exec(shown) ?? []
    return { feature, reference, sources: targets(where), file, test }
  })

function targets(cell: string): readonly string[] {
  return [...cell.matchAll(LINK)].map(([, path = '']) => path)
}

describe('docs/features.md', () => {
  it('has features of all five reference systems', () => {
    expect(new Set(rows.map(({ reference }) => reference))).toEqual(
      new Set([
        'p2p workflow-run assignment',
        'lease queue on PostgreSQL',
        'assignment control plane',
        'task distribution',
        'agent dispatch',
        'dibs itself',
      ]),
    )
  })

  it.each(rows)('$feature: its sources and its test are there', ({ sources, file, test }) => {
    expect(sources).not.toEqual([])
    for (const source of sources) expect(existsSync(source), source).toBe(true)
    expect(test).not.toBe('')
    const text = readFileSync(file, 'utf8')
    const isThere = ["'", '`', '"'].some((quote) => text.includes(`(${quote}${test}${quote}`))
    expect(isThere, `“${test}” in ${file}`).toBe(true)
  })
})
