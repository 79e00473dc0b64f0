/**
 * A process that plays scripts in the tree that it stands in, and says of each what was violated. Ends at the first
 * violation, unless it is to find them all: what follows from a broken law says nothing more.
 *
 * `node --import tsx scripts/mutants/trial.ts '{"hunt":{"story":"both-end"},"from":1,"to":5,"ignore":[],"findsAll":false}'`
 */
import { INVARIANTS } from '../../sim/oracles/names.js'
import { play } from '../../sim/script/play.js'
import type { Script } from '../../sim/script/types.js'
import { drawScript } from '../../sim/swarm/draw.js'
import type { Hunt } from './mutant.js'
import { STORIES } from './stories.js'

export interface TrialTask {
  readonly hunt: Hunt
  readonly from: number
  readonly to: number
  /** Invariants that do not count. */
  readonly ignore: readonly string[]
  readonly findsAll: boolean
}

export interface Violated {
  readonly invariant: string
  /** As the log of the simulation has it. */
  readonly line: string
}

/** One line of output. */
export interface TrialReport {
  readonly seed: number
  /** The first of each invariant. */
  readonly violated: readonly Violated[]
}

const { hunt, from, to, ignore, findsAll } = JSON.parse(process.argv[2] ?? '') as TrialTask
for (let seed = from; seed <= to; seed++) await playSeed(seed)
process.exit(0)

async function playSeed(seed: number): Promise<void> {
  const violated = new Map<string, Violated>()
  const onLine = (line: string): void => {
    const invariant = invariantIn(line)
    if (invariant === null || ignore.includes(invariant) || violated.has(invariant)) return
    violated.set(invariant, { invariant, line: line.slice(0, 500) })
    if (findsAll) return
    report({ seed, violated: [...violated.values()] })
    process.exit(0)
  }
  await play(scriptOf(seed), { explain: false, onLine })
  report({ seed, violated: [...violated.values()] })
}

function scriptOf(seed: number): Script {
  return 'story' in hunt ? STORIES[hunt.story](seed) : drawScript({ ...hunt.draw, seed })
}

function invariantIn(line: string): string | null {
  if (!line.includes('violation ')) return null
  return Object.keys(INVARIANTS).find((name) => line.includes(` ${name}: `)) ?? null
}

function report(one: TrialReport): void {
  process.stdout.write(`${JSON.stringify(one)}\n`)
}
