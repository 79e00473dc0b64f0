/** `dibs sim scenario` */
import { timeOf } from '../log.js'
import { SCENARIOS, type Scenario, type ScenarioResult } from '../scenarios/index.js'
import { nearest } from '../script/nearest.js'
import type { Command } from './command.js'
import { quoted } from './draw-options.js'
import { LineFile, writeText } from './files.js'
import { plural } from './format.js'
import { paragraph, rows } from './layout.js'
import { paintFor } from './paint.js'
import { PLAY_OPTIONS } from './play-command.js'
import { violationText } from './print-outcome.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'
import { SEED } from './values.js'

export const scenario: Command = {
  what: 'tells a story with a moral; without a name, lists them',
  operands: '[name]',
  count: [0, 1],
  options: {
    seed: { takes: '<n>', what: 'what all chance follows from: the story stays the same; 1, unless given' },
    ...PLAY_OPTIONS,
  },
  run: async (args, terminal) => {
    const [name] = args.operands
    if (name === undefined) {
      terminal.print(args.has('json') ? jsonOf(SCENARIOS.map(about)) : list())
      return 0
    }
    const chosen = find(name)
    const seed = args.value('seed', SEED) ?? 1
    const report = args.text('report')
    const log = args.text('log')
    if (log === '-' && args.has('json'))
      throw new UsageError('--log - and --json would both print: give --log a file.')
    const lines = log === undefined ? null : new LineFile(log, terminal.print)
    const replay = `dibs sim scenario ${quoted(name)} --seed ${seed}`
    try {
      const result = await chosen.play({
        seed,
        replay,
        explain: report !== undefined,
        ...(lines !== null && { onLine: (line: string) => lines.add(line) }),
      })
      if (report !== undefined) writeText(report, result.report())
      terminal.print(args.has('json') ? jsonOf(dataOf(result)) : toldText(chosen, result, terminal))
      return result.failures.length + result.violations.length > 0 ? 3 : 0
    } finally {
      lines?.close()
    }
  },
}

function find(name: string): Scenario {
  const found = SCENARIOS.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = SCENARIOS.map((one) => one.name)
  const near = nearest(name, names)
  throw new UsageError(
    `There is no scenario “${name}”. ${near === null ? `There are ${names.join(', ')}.` : `Did you mean “${near}”?`}`,
  )
}

function list(): string {
  return rows(SCENARIOS.map(({ name, tells }) => [name, tells]))
}

function about({ name, title, tells }: Scenario) {
  return { name, title, tells }
}

function dataOf({ name, expectations, failures, violations, simulation }: ScenarioResult) {
  return { name, expectations, failures: failures.length, violations, outcome: simulation.outcome() }
}

function toldText({ title, tells }: Scenario, result: ScenarioResult, terminal: Terminal): string {
  const paint = paintFor(terminal)
  const lines = result.expectations.map(({ what, holds, details, atMs }) => {
    const mark = holds ? paint.good('yes') : paint.bad('NO ')
    const found = details === null ? '' : paragraph(details, '              ')
    return `  ${timeOf(atMs).slice(0, 8)}  ${mark}  ${what}\n${found}`
  })
  const violations = result.violations.map((violation) => violationText(violation, paint))
  const wrong = result.failures.length + result.violations.length
  const verdict =
    wrong === 0
      ? paint.good('It came out as it should.\n')
      : paint.bad(
          `${plural(result.failures.length, 'expectation')} did not come true, and ` +
            `${plural(result.violations.length, 'invariant')} did not hold.\n`,
        )
  return `${paint.strong(title)}\n${paragraph(tells)}\n${lines.join('')}\n${violations.join('\n')}${verdict}`
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
