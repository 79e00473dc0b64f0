/**
 * `npm run generate [-- --check]`
 *
 * Writes what follows from the code: the tables of protocol/SPEC.md and the test vectors in protocol/vectors. With
 * `--check` it writes nothing and fails if anything is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { generated } from './generated.js'

const check = process.argv.includes('--check')
const stale: string[] = []

for (const { file, text } of generated()) {
  if (read(file) === text) continue
  stale.push(file)
  if (!check) writeFileSync(file, text)
}

if (check && stale.length > 0) {
  process.stderr.write(
    `Out of date: ${stale.join(', ')}. Run \`npm run generate\`, look at the difference, commit it.\n`,
  )
  process.exit(1)
}
process.stdout.write(stale.length === 0 ? 'Everything is up to date.\n' : `Wrote ${stale.join(', ')}.\n`)

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
