/** An oracle that nobody asks sees nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ORACLES } from '../../../sim/oracles/index.js'
import { INVARIANTS } from '../../../sim/oracles/names.js'

const FOLDER = 'sim/oracles'

it('every oracle that is written looks on', () => {
  const written = readdirSync(FOLDER).flatMap((name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8')
    return [...text.matchAll(/^export function (\w+)\(scene: Scene\): Oracle/gm)].map(([, made]) => made)
  })
  expect(written.length).toBeGreaterThan(10)
  expect(ORACLES.map(({ name }) => name).sort()).toEqual(written.sort())
})

it('every invariant is told of in ARCHITECTURE.md', () => {
  const text = readFileSync('sim/ARCHITECTURE.md', 'utf8')
  for (const name of Object.keys(INVARIANTS)) expect(text).toContain(`| \`${name}\` |`)
})
