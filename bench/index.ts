/**
 * `npm run bench -- [protocol|journal|node|simulator|all] [--json FILE] [--write]`
 *
 * Measures, prints tables, and with `--write` puts them into docs/performance.md between the markers of their suite.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { journalSuite } from './journal/index.js'
import { machine } from './machine.js'
import type { Suite } from './measure.js'
import { nodeSuite } from './node/index.js'
import { protocolSuite } from './protocol/index.js'
import { markdown, terminal, writeInto } from './report.js'
import { simulatorSuite } from './simulator/index.js'

type MakeSuite = () => Suite | Promise<Suite>

const SUITES: Readonly<Record<string, MakeSuite>> = {
  protocol: protocolSuite,
  journal: journalSuite,
  node: nodeSuite,
  simulator: simulatorSuite,
}

const USAGE = `usage: npm run bench -- [${[...Object.keys(SUITES), 'all'].join('|')}] [--json FILE] [--write]\n`

function options(): { names: readonly string[]; json: string | undefined; write: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'string' }, write: { type: 'boolean', default: false } },
    })
    const wanted = positionals.length === 0 ? ['all'] : positionals
    const names = wanted.includes('all') ? Object.keys(SUITES) : wanted
    const unknown = names.find((name) => SUITES[name] === undefined)
    if (unknown !== undefined) throw new Error(`There is no suite “${unknown}”.`)
    return { names, json: values.json, write: values.write }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    process.exit(2)
  }
}

const { names, json, write } = options()
const where = machine()
process.stderr.write(`${where}\n`)
const suites: Suite[] = []
for (const name of names) {
  const suite = await (SUITES[name] as MakeSuite)()
  process.stdout.write(terminal(suite))
  suites.push(suite)
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine: where, suites }, null, 2)}\n`)
if (write) for (const suite of suites) writeInto('docs/performance.md', suite.name, markdown(suite, where))
