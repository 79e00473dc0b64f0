/**
 * `npm run torture -- [--rounds 500] [--seed N]`
 *
 * Kills processes that commit, and checks that nothing which they acknowledged is lost. Exits with 3 if something is.
 */
import { parseArgs } from 'node:util'
import { buildChild } from '../test/torture/build.js'
import { CHORES, planDevice, ROUNDS_A_DEVICE } from '../test/torture/plan.js'
import { type RoundReport, tortureDevice } from '../test/torture/round.js'

const USAGE = 'usage: npm run torture -- [--rounds 500] [--seed N]\n'
const DEFAULT_ROUNDS = 500
const EXIT_LOSS = 3

const { rounds, seed } = options()
const reports: RoundReport[] = []
let isInterrupted = false
// The round in hand ends first: its child is killed and its folder removed, as ever.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
  })
}
process.stderr.write(`${rounds} rounds, seed ${seed}\n`)
const child = buildChild()
process.once('exit', child.remove)
const began = performance.now()
for (let device = 0; reports.length < rounds && !isInterrupted; device++) {
  const plans = planDevice(seed, device, Math.min(ROUNDS_A_DEVICE, rounds - reports.length))
  for await (const report of tortureDevice(child.program, plans)) {
    reports.push(report)
    show(report)
    if (isInterrupted) break
  }
}
const problems = reports.flatMap((report) => report.problems)
process.stdout.write(`\n${table()}\n`)
process.exitCode = problems.length > 0 ? EXIT_LOSS : isInterrupted ? 1 : 0

function options(): { rounds: number; seed: number } {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } })
    const [rounds, seed] = [
      Number(values.rounds ?? DEFAULT_ROUNDS),
      Number(values.seed ?? Date.now() % 2 ** 31),
    ]
    if (!(Number.isSafeInteger(rounds) && rounds > 0)) throw new Error('--rounds takes a number above 0.')
    if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number.')
    return { rounds, seed }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    process.exit(2)
  }
}

function show({ plan, problems, acknowledged }: RoundReport): void {
  const done = reports.length
  const leftS = Math.round((((performance.now() - began) / done) * (rounds - done)) / 1000)
  const line = `${done}/${rounds}  ${acknowledged} acknowledged, killed after ${plan.killAfterMs} ms, ${plan.chore}  (${leftS} s left)`
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  else if (done % ROUNDS_A_DEVICE === 0) process.stderr.write(`${line}\n`)
  if (problems.length > 0) {
    process.stderr.write(`\n${JSON.stringify(plan)}\n${problems.map((problem) => `  ${problem}\n`).join('')}`)
  }
}

function table(): string {
  const sum = (of: readonly RoundReport[], count: (report: RoundReport) => number): number =>
    of.reduce((all, report) => all + count(report), 0)
  const head = ['besides commits', 'rounds', 'chore cut', 'acknowledged', 'tails lost', 'problems']
  const row = (what: string, of: readonly RoundReport[]): readonly string[] =>
    [
      what,
      of.length,
      sum(of, ({ isChoreCut }) => Number(isChoreCut)),
      sum(of, ({ acknowledged }) => acknowledged),
      sum(of, ({ tailsLost }) => tailsLost),
      sum(of, ({ problems }) => problems.length),
    ].map((cell) => cell.toLocaleString('en-US'))
  const rows = [
    head,
    ...CHORES.map((chore) =>
      row(
        chore,
        reports.filter(({ plan }) => plan.chore === chore),
      ),
    ),
    row('all', reports),
  ]
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  const lines = rows.map((cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  '),
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${lines.join('\n')}\nseed ${seed}, ${seconds} s`
}
