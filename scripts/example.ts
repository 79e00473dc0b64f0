/**
 * `npm run example [-- <name> … | all]`
 *
 * Runs programs of examples/, one after the other. Without a name: two devices share work.
 */
import { readdirSync } from 'node:fs'

const FIRST = 'two-devices'

const names = readdirSync('examples')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => name !== 'all' && !names.includes(name))

if (unknown.length > 0) {
  process.stderr.write(`There is no example called ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`)
  process.exit(2)
}
for (const name of asked.includes('all') ? names : asked.length > 0 ? asked : [FIRST]) {
  process.stderr.write(`\nexamples/${name}.ts\n\n`)
  await import(`../examples/${name}.ts`)
}
