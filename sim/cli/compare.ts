/** `dibs sim compare` */
import {
  CONFIG_SCHEMA,
  type CompareConfig,
  type Comparison,
  compare as compareUnder,
  configJsonSchema,
  type Figures,
} from '../compare/index.js'
import { readJson } from '../script/read.js'
import { Pool } from '../swarm/pool.js'
import type { Args } from './args.js'
import type { Command } from './command.js'
import { readText } from './files.js'
import { bytesText, countsText, countText, plural, timeText } from './format.js'
import { rows, table } from './layout.js'
import { Progress } from './progress.js'
import { countOf, PATH, SEEDS, seedsOf, whole } from './values.js'

const MAX_WORKERS = 256

export const compare: Command = {
  what: 'plays the same seeds under two configurations, and shows the difference',
  operands: '',
  options: {
    a: { takes: '<file>', what: 'the one configuration, as JSON' },
    b: { takes: '<file>', what: 'the other' },
    seeds: { takes: '<list>', what: 'which, as 1-50 or 3,7,20-30' },
    workers: { takes: '<n>', what: 'processes at once; one for each core, unless given' },
    json: { takes: null, what: 'prints one JSON object instead of a table' },
  },
  notes:
    'A configuration has any of heartbeat, abortGraceMs, weights, reconcile, network,\ndevices, runs, hours and faults. What it leaves out is drawn, the same for both.',
  run: async (args, terminal) => {
    const a = configOf(args, 'a')
    const b = configOf(args, 'b')
    const ranges = args.needed('seeds', SEEDS)
    const workers = args.value('workers', whole(1, MAX_WORKERS)) ?? Math.min(terminal.cores, MAX_WORKERS)
    const pool = new Pool({ workers, start: terminal.startWorker, clock: terminal.clock })
    const progress = new Progress(terminal)
    const total = 2 * countOf(ranges)
    try {
      const comparison = await compareUnder({
        a,
        b,
        seeds: [...seedsOf(ranges)],
        play: async (script) => (await pool.play({ script, shrinkTries: 0 })).outcome,
        onProgress: (done) =>
          progress.show(done / total, `${countText(done)} of ${plural(total, 'simulation')}`),
      })
      progress.clear()
      if (args.has('json'))
        terminal.print(`${JSON.stringify({ configs: { a, b }, ...comparison }, null, 2)}\n`)
      else terminal.print(comparisonText(comparison))
      return isSound(comparison) ? 0 : 3
    } finally {
      progress.clear()
      pool.close()
    }
  },
}

function configOf(args: Args, name: 'a' | 'b'): CompareConfig {
  const file = args.needed(name, PATH)
  return readJson(readText(file), file, CONFIG_SCHEMA, configJsonSchema())
}

function isSound({ a, b }: Comparison): boolean {
  return Object.keys({ ...a.violations, ...b.violations }).length === 0
}

type Figure = Exclude<keyof Figures, 'seeds' | 'violations'>

const FIGURES: readonly (readonly [string, Figure, (value: number) => string])[] = [
  ['delay p50', 'delayP50', timeText],
  ['delay p90', 'delayP90', timeText],
  ['delay p99', 'delayP99', timeText],
  ['pickup p50', 'pickupP50', timeText],
  ['pickup p90', 'pickupP90', timeText],
  ['pickup p99', 'pickupP99', timeText],
  ['runs', 'runs', countText],
  ['completed', 'completed', countText],
  ['starts', 'starts', countText],
  ['double executions', 'doubleExecutions', countText],
  ['messages', 'messages', countText],
  ['bytes', 'bytes', bytesText],
]

function comparisonText({ a, b }: Comparison): string {
  const body = FIGURES.map(([title, name, text]) => {
    const [x, y] = [a[name], b[name]]
    return [
      title,
      x === null ? '–' : text(x),
      y === null ? '–' : text(y),
      differenceText(x, y, text),
      shareText(x, y),
    ]
  })
  return [
    `${plural(a.seeds, 'seed')}. Times are those of the seed in the middle, the rest is added up.\n\n`,
    table(['', 'a', 'b', 'b − a', ''], body),
    '\n',
    rows([
      ['violations of a', countsText(a.violations as Record<string, number>)],
      ['violations of b', countsText(b.violations as Record<string, number>)],
    ]),
  ].join('')
}

function differenceText(a: number | null, b: number | null, text: (value: number) => string): string {
  if (a === null || b === null) return '–'
  return a === b ? '0' : `${b > a ? '+' : '−'}${text(Math.abs(b - a))}`
}

function shareText(a: number | null, b: number | null): string {
  if (a === null || b === null || a === 0 || a === b) return ''
  const percent = (100 * (b - a)) / a
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`
}
