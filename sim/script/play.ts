/** Plays a script: makes its devices, does its steps when their time has come, and lets all come to rest. */
import { doJob } from '../devices/work.js'
import { createSimulation, type Simulation, type SimulationOptions } from '../simulation.js'
import { act } from './act.js'
import { msOfDuration } from './duration.js'
import type { Job, Script } from './types.js'

export interface PlayOptions extends Pick<SimulationOptions, 'explain' | 'replay' | 'onLine'> {
  /** Told every simulated minute or so how far it is, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined
  /** Milliseconds of quiet at the end in which nothing may be written. @default 600_000 */
  readonly quietMs?: number | undefined
}

/** Milliseconds of simulated time between two reports of progress. */
const PROGRESS_MS = 60_000

const QUIET_MS = 600_000

export async function play(script: Script, options: PlayOptions = {}): Promise<Simulation> {
  const { onProgress, quietMs = QUIET_MS, ...rest } = options
  const { weights, signatures, heartbeat, abortGraceMs, network, seed, devices, title } = script
  const simulation = await createSimulation({
    ...rest,
    seed,
    devices,
    network: given(network),
    heartbeat,
    abortGraceMs,
    signatures,
    title,
    ...(weights !== undefined && { node: () => ({ choose: { weights } as never }) }),
  })
  for (const type of typesOf(script))
    simulation.handle(type, (input, context, device) =>
      doJob(device.clock, device.place, input as Job, context),
    )
  const startMs = simulation.nowMs
  for (const step of script.steps) {
    const delayMs = Math.max(0, msOfDuration(step.at) - startMs)
    simulation.world.after(delayMs, () => act(simulation, step))
  }
  const lastsMs = msOfDuration(script.lasts)
  while (simulation.nowMs < lastsMs) {
    await simulation.advance(Math.min(PROGRESS_MS, lastsMs - simulation.nowMs))
    onProgress?.(simulation.nowMs / lastsMs)
  }
  await simulation.settle()
  await simulation.rest(quietMs)
  return simulation
}

function typesOf({ steps }: Script): ReadonlySet<string> {
  const types = new Set<string>()
  for (const step of steps) if (step.do === 'submit') types.add(step.type)
  return types
}

/** Without what was left out. */
function given<T extends object>(values: T): { [P in keyof T]?: NonNullable<T[P]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
