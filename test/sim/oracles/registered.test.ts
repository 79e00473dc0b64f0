/** An oracle that nobody asks sees nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ORACLES } from '../../../sim/oracles/index.js'
import { INVARIANTS } from '../../../sim/oracles/names.js'

/** What is no oracle. */
const OTHERS: ReadonlySet<string> = new Set(['index.ts', 'names.ts', 'oracle.ts', 'view-bytes.ts'])

const FILES = readdirSync('sim/oracles').filter((name) => name.endsWith('.ts') && !OTHERS.has(name))

describe('every oracle', () => {
  it.each(FILES)('%s is among those that look on', async (name) => {
    const module = (await import(`../../../sim/oracles/${name.replace(/ts$/, 'js')}`)) as Record<
      string,
      (typeof ORACLES)[number]
    >
    const made = Object.values(module)
    expect(made.length).toBeGreaterThan(0)
    for (const oracle of made) expect(ORACLES).toContain(oracle)
  })
})

it('every invariant is told of in ARCHITECTURE.md', () => {
  const text = readFileSync('sim/ARCHITECTURE.md', 'utf8')
  for (const name of Object.keys(INVARIANTS)) expect(text).toContain(`| \`${name}\` |`)
})
