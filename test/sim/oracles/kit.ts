/** A small simulation in which the test breaks something, and oracles that look on. */
import type { AnyRecord, Draft, RecordId } from '../../../protocol/index.js'
import type { Execution } from '../../../sim/devices/execution.js'
import { createSimulation, type InvariantName, type Simulation } from '../../../sim/index.js'
import type { Oracle, Scene } from '../../../sim/oracles/oracle.js'
import type { Inside } from '../../../src/node/host.js'
import type { Run } from '../../../src/node/run.js'

/** Three devices, all well, the first of which works on a run for an hour. */
export interface Shop {
  readonly simulation: Simulation
  readonly run: Run
  readonly assignment: RecordId
  readonly execution: Execution
}

export async function shop(): Promise<Shop> {
  const simulation = await createSimulation({ seed: 3, devices: 3 })
  simulation.handle('work', async (_input, _context, device) => device.delay(3_600_000).then(() => 'done'))
  const run = await simulation.submit(0, 'work')
  await simulation.advance('5m')
  const [execution] = simulation.witness.executions.of(run.id)
  const assignment = run.view.assignment?.id
  if (execution === undefined || assignment === undefined) throw new Error('Nobody works on it.')
  if (simulation.check().length > 0) throw new Error('Something is broken already.')
  return { simulation, run, assignment, execution }
}

export function inside(simulation: Simulation, place: number): Inside {
  const { inside: found } = simulation.device(place)
  if (found === null) throw new Error(`${place} is down.`)
  return found
}

/** A device writes what its engine would not. */
export async function write(
  simulation: Simulation,
  place: number,
  ...drafts: readonly Draft[]
): Promise<readonly AnyRecord[]> {
  const { journals } = inside(simulation, place)
  return simulation.during(
    journals.commit((one) => {
      for (const draft of drafts) one(draft)
    }),
  )
}

/** The names of the invariants that were broken, each once. */
export function broken(simulation: Simulation): readonly InvariantName[] {
  return [...new Set(simulation.violations.map(({ invariant }) => invariant))]
}

/** What an oracle says of a scene that it is shown by hand. */
export function shown(
  simulation: Simulation,
  make: (scene: Scene) => Oracle,
): { readonly oracle: Required<Oracle>; readonly told: string[] } {
  const told: string[] = []
  const violated: Scene['violated'] = (invariant, message) => void told.push(`${invariant}: ${message}`)
  const scene = new Proxy(simulation.witness as Scene, {
    get: (witness, name) => {
      if (name === 'violated') return violated
      const value: unknown = Reflect.get(witness, name, witness)
      return typeof value === 'function' ? value.bind(witness) : value
    },
  })
  const silent = (): void => undefined
  const deaf: Required<Oracle> = {
    onRecord: silent,
    onStored: silent,
    onChange: silent,
    onPublish: silent,
    onStart: silent,
    onStop: silent,
    onStep: silent,
    onCheck: silent,
    onEnd: silent,
  }
  return { oracle: { ...deaf, ...make(scene) }, told }
}
