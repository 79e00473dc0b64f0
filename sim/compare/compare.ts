/** Plays the same seeds under two configurations, and puts the figures side by side. */
import type { InvariantName } from '../oracles/names.js'
import type { Outcome } from '../outcome.js'
import type { Script } from '../script/types.js'
import { type CompareConfig, scriptUnder } from './config.js'

/** Of one configuration, over all seeds. */
export interface Figures {
  readonly seeds: number
  /** Milliseconds: of the figures of all seeds, the one in the middle. Null if there is none. */
  readonly delayP50: number | null
  readonly delayP90: number | null
  readonly delayP99: number | null
  readonly pickupP50: number | null
  readonly pickupP90: number | null
  readonly pickupP99: number | null
  /** Added up. */
  readonly runs: number
  readonly completed: number
  readonly starts: number
  readonly doubleExecutions: number
  readonly messages: number
  readonly bytes: number
  /** Seeds that violated each invariant. */
  readonly violations: Readonly<Partial<Record<InvariantName, number>>>
}

export interface Comparison {
  readonly a: Figures
  readonly b: Figures
}

export interface CompareOptions {
  readonly a: CompareConfig
  readonly b: CompareConfig
  readonly seeds: readonly number[]
  /** Plays a script: here, or in another process. Several at once are asked for. */
  readonly play: (script: Script) => Promise<Outcome>
  /** Told how many simulations have ended. */
  readonly onProgress?: ((done: number) => void) | undefined
}

export async function compare({ a, b, seeds, play, onProgress }: CompareOptions): Promise<Comparison> {
  let done = 0
  const outcomes = async (config: CompareConfig): Promise<readonly Outcome[]> =>
    Promise.all(
      seeds.map(async (seed) => {
        const outcome = await play(scriptUnder(config, seed))
        onProgress?.(++done)
        return outcome
      }),
    )
  const [ofA, ofB] = await Promise.all([outcomes(a), outcomes(b)])
  return { a: figuresOf(ofA), b: figuresOf(ofB) }
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const middle = (of: (outcome: Outcome) => number | null): number | null => median(outcomes.map(of))
  const violations: Partial<Record<InvariantName, number>> = {}
  for (const outcome of outcomes)
    for (const name of new Set(outcome.violations.map(({ invariant }) => invariant)))
      violations[name] = (violations[name] ?? 0) + 1
  return {
    seeds: outcomes.length,
    delayP50: middle(({ delays }) => delays.p50),
    delayP90: middle(({ delays }) => delays.p90),
    delayP99: middle(({ delays }) => delays.p99),
    pickupP50: middle(({ pickups }) => pickups.p50),
    pickupP90: middle(({ pickups }) => pickups.p90),
    pickupP99: middle(({ pickups }) => pickups.p99),
    runs: sum(({ runs }) => runs),
    completed: sum(({ completed }) => completed),
    starts: sum(({ starts }) => starts),
    doubleExecutions: sum(({ doubleExecutions }) => doubleExecutions),
    messages: sum(({ messages }) => messages),
    bytes: sum(({ bytes }) => bytes),
    violations,
  }
}

function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
