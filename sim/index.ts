/**
 * Groups of simulated devices: real nodes on a virtual clock, network and disk, with all that can go wrong. Everything
 * follows from a seed, and what dibs promises is checked at every step.
 *
 * @example
 * ```ts
 * import { drawScript, play } from 'dibs/sim'
 *
 * const simulation = await play(drawScript({ seed: 7, devices: 3, hours: 1, faults: ['partitions'] }))
 * console.log(simulation.outcome().violations) // []
 * ```
 *
 * @module dibs/sim
 */
export { ATTACKS, type Attack } from './byzantine/index.js'
export {
  type CompareConfig,
  type CompareOptions,
  type Comparison,
  compare,
  type Figures,
} from './compare/index.js'
export type { SimDevice } from './devices/device.js'
export type { Signatures } from './devices/identities.js'
export { PROFILES, type Profile, type ProfileName } from './devices/profiles.js'
export type { Conditions } from './network/conditions.js'
export { INVARIANTS, type InvariantName } from './oracles/names.js'
export type { Outcome, Percentiles, Violation } from './outcome.js'
export { reportOf } from './report/index.js'
export type { Duration } from './script/duration.js'
export type { JsonPath } from './script/json-scan.js'
export { type JsonSchema, scriptJsonSchema } from './script/json-schema.js'
export { type PlayOptions, play } from './script/play.js'
export { readScript } from './script/read.js'
export { ScriptError, type ScriptErrorCode, type ScriptProblem } from './script/script-error.js'
export type { Action, DeviceSpec, Heartbeat, Job, JobOptions, Script, Step } from './script/types.js'
export { createSimulation, type SimHandler, type Simulation, type SimulationOptions } from './simulation.js'
export { type Draw, type DrawOptions, drawScript } from './swarm/draw.js'
export { FAULTS, type Fault, type FaultName } from './swarm/faults.js'
export { type ShrinkOptions, type Shrunk, shrink } from './swarm/shrink.js'
export { runSeed, type SeedOptions } from './swarm/swarm.js'
export type {
  Trace,
  TraceBar,
  TraceDecision,
  TraceDevice,
  TraceEntry,
  TraceRun,
  TraceSpan,
} from './trace.js'
