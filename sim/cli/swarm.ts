/** `dibs sim swarm` */
import { join } from 'node:path'
import type { InvariantName } from '../oracles/names.js'
import type { Violation } from '../outcome.js'
import type { Script } from '../script/types.js'
import type { DrawOptions } from '../swarm/draw.js'
import { Pool } from '../swarm/pool.js'
import type { PoolResult } from '../swarm/pool-task.js'
import { addTo, NOTHING, scriptOfSeed, type Totals } from '../swarm/swarm.js'
import type { Args } from './args.js'
import type { Command } from './command.js'
import { DRAW_OPTIONS, drawOptionsOf, FAULT_NOTES, quoted, replayOfSeed } from './draw-options.js'
import { writeText } from './files.js'
import { countsText, countText, plural, timeText } from './format.js'
import { rows } from './layout.js'
import { paintFor } from './paint.js'
import { violationText } from './print-outcome.js'
import { Progress } from './progress.js'
import { failureOf, failureText } from './script-text.js'
import type { Terminal } from './terminal.js'
import { countOf, MINUTES, SEEDS, seedsOf, TRIES, whole } from './values.js'

const FOLDER = 'sim-failures'
/** Fewer than one who shrinks by hand would allow: a swarm has more to do. */
const TRIES_EACH = 100
const MAX_WORKERS = 256

/** A seed that went wrong. */
interface FailedSeed {
  readonly seed: number
  readonly violation: Violation
  readonly violated: readonly InvariantName[]
  /** Plays the whole seed again. */
  readonly replay: string
  /** The shortest script that goes wrong in the same way. */
  readonly file: string
  readonly steps: number
  readonly replayShortest: string
  readonly lines: readonly string[]
}

export const swarm: Command = {
  what: 'plays many seeds, and makes what goes wrong as short as it can',
  operands: '',
  options: {
    seeds: { takes: '<list>', what: 'which, as 1-200 or 3,7,20-30' },
    minutes: { takes: '<n>', what: 'begins no more seeds after so much real time' },
    workers: { takes: '<n>', what: 'processes at once; one for each core, unless given' },
    keep: { takes: '<folder>', what: `where scripts that go wrong are kept; ${FOLDER}, unless given` },
    tries: { takes: '<n>', what: `scripts that may be played to shorten each; ${TRIES_EACH}, unless given` },
    json: { takes: null, what: 'prints one JSON object at the end' },
    ...DRAW_OPTIONS,
  },
  notes: FAULT_NOTES,
  run: async (args, terminal) => {
    const hunt = new Hunt(args, terminal)
    await hunt.run()
    hunt.print()
    return hunt.failed.length > 0 ? 3 : 0
  },
}

class Hunt {
  readonly #args: Args
  readonly #terminal: Terminal
  readonly #progress: Progress
  readonly #draw: Omit<DrawOptions, 'seed'>
  readonly #ranges: readonly (readonly [number, number])[]
  readonly #workers: number
  readonly #tries: number
  readonly #keep: string
  readonly #limitMs: number
  readonly #startMs: number
  readonly failed: FailedSeed[] = []
  #totals: Totals = NOTHING

  constructor(args: Args, terminal: Terminal) {
    this.#args = args
    this.#terminal = terminal
    this.#progress = new Progress(terminal)
    this.#ranges = args.needed('seeds', SEEDS)
    this.#draw = drawOptionsOf(args)
    this.#workers = args.value('workers', whole(1, MAX_WORKERS)) ?? Math.min(terminal.cores, MAX_WORKERS)
    this.#tries = args.value('tries', TRIES) ?? TRIES_EACH
    this.#keep = args.text('keep') ?? FOLDER
    const minutes = args.value('minutes', MINUTES)
    this.#limitMs = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000
    this.#startMs = terminal.clock.monotonicMs()
  }

  async run(): Promise<void> {
    const { startWorker, clock } = this.#terminal
    const pool = new Pool({ workers: this.#workers, start: startWorker, clock })
    const seeds = seedsOf(this.#ranges)[Symbol.iterator]()
    const worker = async (): Promise<void> => {
      while (this.#tookMs < this.#limitMs) {
        const { value: seed, done } = seeds.next()
        if (done === true) return
        const script = scriptOfSeed({ ...this.#draw, seed })
        this.#note(script, await pool.play({ script, shrinkTries: this.#tries }))
      }
    }
    this.#show()
    try {
      await Promise.all(Array.from({ length: this.#workers }, worker))
    } finally {
      pool.close()
      this.#progress.clear()
    }
  }

  print(): void {
    const { print } = this.#terminal
    const tookMs = Math.round(this.#tookMs)
    if (this.#args.has('json'))
      print(`${JSON.stringify({ ...this.#totals, tookMs, failed: this.failed }, null, 2)}\n`)
    else print(`${totalsText(this.#totals, tookMs)}\n${this.#verdict()}`)
  }

  get #tookMs(): number {
    return this.#terminal.clock.monotonicMs() - this.#startMs
  }

  #note(script: Script, result: PoolResult): void {
    this.#totals = addTo(this.#totals, script, result.outcome)
    const [violation] = result.outcome.violations
    if (violation !== undefined) this.#fail(script, result, violation)
    this.#show()
  }

  #fail(script: Script, { outcome, lines, minimum }: PoolResult, violation: Violation): void {
    const { seed } = script
    const file = join(this.#keep, `seed-${seed}.json`)
    const shortest = minimum ?? { script, outcome, lines }
    const failure = failureOf(shortest.script, shortest.outcome)
    writeText(file, failureText(failure))
    const failed: FailedSeed = {
      seed,
      violation: shortest.outcome.violations[0] ?? violation,
      violated: failure.expected.violated,
      replay: replayOfSeed({ seed, ...this.#draw }),
      file,
      steps: shortest.script.steps.length,
      replayShortest: `dibs sim replay ${quoted(file)}`,
      lines: shortest.lines,
    }
    this.failed.push(failed)
    if (this.#args.has('json')) return
    this.#progress.clear()
    this.#terminal.print(this.#failureText(failed, script))
  }

  #failureText(failed: FailedSeed, script: Script): string {
    const paint = paintFor(this.#terminal)
    return [
      paint.strong(`Seed ${failed.seed} `),
      violationText(failed.violation, paint),
      `  its last lines, of ${plural(failed.steps, 'step')} that are left of ${script.steps.length}:\n`,
      ...failed.lines.map((line) => `    ${line}\n`),
      `  the shortest:  ${failed.replayShortest}\n`,
      `  all of it:     ${failed.replay}\n\n`,
    ].join('')
  }

  #show(): void {
    const { seeds } = this.#totals
    const count = countOf(this.#ranges)
    const share = Math.max(seeds / count, this.#tookMs / this.#limitMs)
    const wrong = this.failed.length === 0 ? '' : `, ${countText(this.failed.length)} went wrong`
    this.#progress.show(share, `${countText(seeds)} of ${plural(count, 'seed')}${wrong}`)
  }

  #verdict(): string {
    const { good, bad } = paintFor(this.#terminal)
    const { length } = this.failed
    if (length === 0) return good('No invariant was violated.\n')
    return `${bad(`${plural(length, 'seed')} went wrong.`)} Shortest scripts are in ${this.#keep}.\n`
  }
}

function totalsText(totals: Totals, tookMs: number): string {
  const seconds = Math.max(tookMs, 1) / 1000
  const hours = totals.simulatedMs / 3_600_000
  return rows([
    ['seeds', countText(totals.seeds)],
    ['simulated', `${hours < 10 ? hours.toFixed(1) : countText(hours)} hours`],
    ['runs', countText(totals.runs)],
    ['starts', `${countText(totals.starts)}, ${plural(totals.doubleExecutions, 'double execution')}`],
    ['messages', countText(totals.messages)],
    ['events', countText(totals.events)],
    ['faults', countsText(totals.faults)],
    ['violations', countsText(totals.violations as Record<string, number>)],
    [
      'speed',
      `${timeText(tookMs)}: ${countText(totals.events / seconds)} events a second, ` +
        `${countText(totals.simulatedMs / 1000 / seconds)} times as fast as life`,
    ],
  ])
}
