/** `dibs sim shrink` */
import { minimumOf } from '../swarm/pool-minimum.js'
import { SHRINK_TRIES } from '../swarm/shrink.js'
import { playSafely } from '../swarm/swarm.js'
import type { Command } from './command.js'
import { quoted } from './draw-options.js'
import { writeText } from './files.js'
import { plural } from './format.js'
import { paragraph } from './layout.js'
import { paintFor } from './paint.js'
import { violationText } from './print-outcome.js'
import { Progress } from './progress.js'
import { failureOf, failureText, readPlayable } from './script-text.js'
import { UsageError } from './usage-error.js'
import { TRIES } from './values.js'

export const shrink: Command = {
  what: 'finds the shortest script that goes wrong in the same way',
  operands: '<file>',
  count: [1, 1],
  options: {
    out: { takes: '<file>', what: 'where it is written; <file>.short.json, unless given' },
    tries: { takes: '<n>', what: `scripts that may be played; ${SHRINK_TRIES}, unless given` },
  },
  run: async (args, terminal) => {
    const [file = ''] = args.operands
    const out = args.text('out') ?? `${file.replace(/\.json$/, '')}.short.json`
    const tries = args.value('tries', TRIES) ?? SHRINK_TRIES
    const { script } = readPlayable(file)
    const progress = new Progress(terminal)
    progress.show(0, 'plays it')
    const violation = (await playSafely(script, { explain: false })).outcome.violations[0]
    if (violation === undefined) throw new UsageError(`${file} violates nothing: there is nothing to shrink.`)
    const minimum = await minimumOf(script, violation.invariant, tries, (tried, { steps, devices }) =>
      progress.show(tried / tries, `${plural(steps.length, 'step')}, ${plural(devices.length, 'device')}`),
    )
    progress.clear()
    writeText(out, failureText(failureOf(minimum.script, minimum.outcome)))
    const { steps, devices } = minimum.script
    terminal.print(violationText(minimum.outcome.violations[0] ?? violation, paintFor(terminal)))
    terminal.print(minimum.lines.map((line) => `  ${line}\n`).join(''))
    terminal.print(
      `\n${paragraph(
        `${plural(script.steps.length, 'step')} and ${plural(script.devices.length, 'device')} became ` +
          `${plural(steps.length, 'step')} and ${plural(devices.length, 'device')}, in ${plural(minimum.tries, 'try', 'tries')}.`,
      )}To play it again:\n  dibs sim replay ${quoted(out)}\n`,
    )
    return 0
  },
}
