/** `dibs sim run` */
import { readScript } from '../script/read.js'
import type { Script } from '../script/types.js'
import { scriptOfSeed } from '../swarm/swarm.js'
import type { Args } from './args.js'
import type { Command } from './command.js'
import { DRAW_OPTIONS, drawOptionsOf, FAULT_NOTES, quoted, replayOfSeed } from './draw-options.js'
import { readText, writeText } from './files.js'
import { PLAY_OPTIONS, playFor, printPlayed } from './play-command.js'
import { scriptText } from './script-text.js'
import { UsageError } from './usage-error.js'
import { SEED } from './values.js'

export const run: Command = {
  what: 'plays one simulation, drawn by chance or written in a file',
  operands: '',
  options: {
    seed: { takes: '<n>', what: 'what all chance follows from; 1, unless given' },
    ...DRAW_OPTIONS,
    script: { takes: '<file>', what: 'plays this script instead of drawing one' },
    ...PLAY_OPTIONS,
    save: { takes: '<file>', what: 'writes the script that was played' },
  },
  notes: FAULT_NOTES,
  run: async (args, terminal) => {
    const startMs = terminal.clock.monotonicMs()
    const { script, replay } = scriptFor(args)
    const save = args.text('save')
    if (save !== undefined) writeText(save, scriptText(script))
    const played = await playFor(script, replay, args, terminal)
    return printPlayed(played, replay, args, terminal, terminal.clock.monotonicMs() - startMs)
  },
}

function scriptFor(args: Args): { readonly script: Script; readonly replay: string } {
  const file = args.text('script')
  const seed = args.value('seed', SEED)
  if (file === undefined) {
    const options = { seed: seed ?? 1, ...drawOptionsOf(args) }
    return { script: scriptOfSeed(options), replay: replayOfSeed(options) }
  }
  const drawn = Object.keys(DRAW_OPTIONS).find((name) => args.has(name))
  if (drawn !== undefined)
    throw new UsageError(`--${drawn} and --script do not go together: the script says it.`)
  const script = readScript(readText(file), file)
  const given = seed === undefined ? '' : ` --seed ${seed}`
  return {
    script: seed === undefined ? script : { ...script, seed },
    replay: `dibs sim run --script ${quoted(file)}${given}`,
  }
}
