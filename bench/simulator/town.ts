/**
 * One simulated group without faults, in a process of its own: each device is a whole node with its own replica. Every
 * third device can do all, and every other run asks for that. Prints what it cost, as JSON.
 *
 * `node --import tsx bench/simulator/town.ts '{"devices":100,"runs":500}'`
 */
import { createSimulation } from '../../sim/index.js'

export interface TownTask {
  readonly devices: number
  readonly runs: number
}

export interface TownFigures {
  readonly violations: number
  readonly completed: number
  readonly starts: number
  readonly simulatedMs: number
  readonly tookMs: number
  readonly peakBytes: number
  /** Signed bytes that devices wrote themselves. */
  readonly journalBytes: number
  /** Batches that were published. */
  readonly published: number
  /** Messages over wires, by what they carried. */
  readonly batches: number
  readonly beacons: number
  readonly frames: number
  readonly bytes: { readonly batches: number; readonly beacons: number; readonly frames: number }
  readonly delayMs: { readonly p50: number; readonly p90: number; readonly p99: number }
}

/** Milliseconds that a run takes. */
const WORK_MS = 5_000
/** Milliseconds over which the runs are made. */
const SUBMITS_MS = 240_000

const began = performance.now()
const { devices, runs } = JSON.parse(process.argv[2] ?? '') as TownTask
const specs = Array.from({ length: devices }, (_, place) => ({
  capabilities: place % 3 === 0 ? ['gpu'] : [],
}))
const simulation = await createSimulation({ seed: 1, devices: specs, explain: false })
simulation.handle('job', async (_, context, device) => {
  await device.delay(WORK_MS)
  return context.attempt
})
for (let run = 0; run < runs; run++)
  simulation.world.after((run / runs) * SUBMITS_MS, () => {
    const requires = run % 2 === 0 ? ['gpu'] : []
    simulation.goOn(simulation.send((run * 7) % devices, 'job', null, { requires }))
  })
await simulation.advance(SUBMITS_MS)
await simulation.settle()
const outcome = simulation.outcome()
const { p50, p90, p99 } = outcome.delays
const figures: TownFigures = {
  violations: outcome.violations.length,
  completed: outcome.completed,
  starts: outcome.starts,
  simulatedMs: outcome.simulatedMs,
  tookMs: performance.now() - began,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  journalBytes: outcome.journalBytes,
  published: outcome.published.batches,
  ...outcome.messagesByKind,
  bytes: outcome.bytesByKind,
  delayMs: { p50: p50 ?? 0, p90: p90 ?? 0, p99: p99 ?? 0 },
}
process.stdout.write(JSON.stringify(figures))
