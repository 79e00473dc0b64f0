/**
 * A scenario: a story about a group of devices, told in code, played on a simulation, with what must come of it.
 *
 * @example
 * ```ts
 * const { failures, violations, report } = await splitBrain.play({ seed: 7 })
 * ```
 */
import type { Violation } from '../outcome.js'
import { createSimulation, type Simulation, type SimulationOptions } from '../simulation.js'
import { REST } from './constants.js'
import { type Expectation, Stage } from './stage.js'

export interface ScenarioOptions extends Pick<SimulationOptions, 'explain' | 'replay' | 'onLine'> {
  /** All chance follows from it: the story is the same, its moments are others. @default 1 */
  readonly seed?: number | undefined
}

export interface ScenarioResult {
  readonly name: string
  /** Everything that was expected, in the order of the story. */
  readonly expectations: readonly Expectation[]
  /** Those that did not come true. */
  readonly failures: readonly Expectation[]
  /** What the oracles found. */
  readonly violations: readonly Violation[]
  readonly simulation: Simulation
  /** One page that shows all of it. */
  report(): string
}

export interface Scenario {
  /** As it is called on a command line. */
  readonly name: string
  readonly title: string
  /** A sentence or two for people. */
  readonly tells: string
  play(options?: ScenarioOptions): Promise<ScenarioResult>
}

/** What a scenario is made of: devices, and what happens to them. */
export interface Plot
  extends Pick<Scenario, 'name' | 'title' | 'tells'>,
    Pick<SimulationOptions, 'devices' | 'network' | 'heartbeat' | 'node'> {
  /** Calls `stage.rest()` once its faults are over; whatever it expects of the end comes after that. */
  story(stage: Stage): Promise<void>
}

export function scenario(plot: Plot): Scenario {
  const { name, title, tells } = plot
  return { name, title, tells, play: (options = {}) => play(plot, options) }
}

async function play(plot: Plot, options: ScenarioOptions): Promise<ScenarioResult> {
  const { name, title, devices, network, heartbeat, node } = plot
  const simulation = await createSimulation({ ...options, title, devices, network, heartbeat, node })
  const stage = new Stage(simulation)
  await tell(plot, stage)
  return {
    name,
    expectations: stage.expectations,
    failures: stage.expectations.filter(({ holds }) => !holds),
    violations: simulation.check(),
    simulation,
    report: () => simulation.report(),
  }
}

/** A story that breaks off is a story that did not come true: what happened until then can be looked at. */
async function tell({ story }: Plot, stage: Stage): Promise<void> {
  try {
    await story(stage)
    if (!stage.isAtRest) await stage.rest(REST)
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    stage.expectThat('the story goes on to its end', false, text)
  }
}
