/** Plays a script for a command: with progress, a log and a report if they are asked for. */
import type { Script } from '../script/types.js'
import { type Played, playSafely } from '../swarm/swarm.js'
import type { Args } from './args.js'
import type { ExitCode, Options } from './command.js'
import { LineFile, writeText } from './files.js'
import { timeText } from './format.js'
import { paintFor } from './paint.js'
import { outcomeText } from './print-outcome.js'
import { Progress } from './progress.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

export const PLAY_OPTIONS: Options = {
  json: { takes: null, what: 'prints one JSON object instead of a table' },
  report: { takes: '<file>', what: 'writes one HTML page that shows everything' },
  log: { takes: '<file>', what: 'writes every line of the log; “-” prints them' },
}

export async function playFor(
  script: Script,
  replay: string,
  args: Args,
  terminal: Terminal,
): Promise<Played> {
  const report = args.text('report')
  const log = args.text('log')
  if (log === '-' && args.has('json'))
    throw new UsageError('--log - and --json would both print: give --log a file.')
  const lines = log === undefined ? null : new LineFile(log, terminal.print)
  const progress = new Progress(terminal)
  try {
    const played = await playSafely(script, {
      replay,
      explain: report !== undefined,
      ...(lines !== null && { onLine: (line: string) => lines.add(line) }),
      onProgress: (share) => progress.show(share, 'simulated'),
    })
    if (report !== undefined && played.simulation !== null) writeText(report, played.simulation.report())
    return played
  } finally {
    progress.clear()
    lines?.close()
  }
}

/** Prints what came of it, and how to play it again. */
export function printPlayed(
  { outcome, lines }: Played,
  replay: string,
  args: Args,
  terminal: Terminal,
  tookMs: number,
): ExitCode {
  const isViolated = outcome.violations.length > 0
  if (args.has('json')) terminal.print(`${JSON.stringify(outcome, null, 2)}\n`)
  else {
    terminal.print(outcomeText(outcome, paintFor(terminal)))
    if (isViolated)
      terminal.print(`\nThe last lines about it:\n${lines.map((line) => `  ${line}\n`).join('')}`)
    terminal.print(`\nIt took ${timeText(tookMs)}. To play it again:\n  ${replay}\n`)
  }
  return isViolated ? 3 : 0
}
