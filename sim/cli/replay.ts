/** `dibs sim replay` */
import type { Outcome } from '../outcome.js'
import type { Command } from './command.js'
import { quoted } from './draw-options.js'
import { paragraph } from './layout.js'
import { PLAY_OPTIONS, playFor, printPlayed } from './play-command.js'
import { type Expected, readPlayable } from './script-text.js'

export const replay: Command = {
  what: 'plays a saved script or failure again, and says whether it comes out the same',
  operands: '<file>',
  count: [1, 1],
  options: PLAY_OPTIONS,
  run: async (args, terminal) => {
    const [file = ''] = args.operands
    const startMs = terminal.clock.monotonicMs()
    const { script, expected } = readPlayable(file)
    const command = `dibs sim replay ${quoted(file)}`
    const played = await playFor(script, command, args, terminal)
    const code = printPlayed(played, command, args, terminal, terminal.clock.monotonicMs() - startMs)
    if (expected !== null && !args.has('json'))
      terminal.print(`\n${paragraph(comparison(played.outcome, expected))}`)
    return code
  },
}

function comparison({ digest, logDigest, violations }: Outcome, expected: Expected): string {
  if (digest === expected.digest && logDigest === expected.logDigest)
    return 'It came out exactly as when it was saved: the digests are the same.'
  const now = new Set(violations.map(({ invariant }) => invariant))
  const gone = expected.violated.filter((name) => !now.has(name))
  const what =
    gone.length === 0 ? 'The same invariants are violated.' : `No longer violated: ${gone.join(', ')}.`
  return `It came out differently than when it was saved, as the code has changed since: the digests differ. ${what}`
}
