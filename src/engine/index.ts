export type { Beacon, BeaconDraft, WaitingWork } from './beacon.js'
export type { EngineConfig, EngineSettings, RunOffer, Willing } from './config.js'
export { resolveRefs } from './drafts.js'
export type {
  Effect,
  EngineEvent,
  LeaseQuery,
  LocalFacts,
  Notice,
  Now,
  Outcome,
  StopReason,
} from './events.js'
export { type Explanation, evaluate, explain } from './explain.js'
export type { OwnFault } from './place.js'
export type { EngineState } from './state.js'
export { createEngine, step } from './step.js'
