/** What goes into a choice and what comes out. */
import type { DeviceId, GroupId, RunId } from '../ids.js'
import type { DeviceClass, Role } from '../records/field-types.js'

/** What a run asks of a device. `needsOf` reads it off a view. */
export interface RunNeeds {
  readonly run: RunId
  readonly type: string
  readonly project?: string
  readonly priority: number
  /** Capabilities that a device must have. */
  readonly requires: readonly string[]
  /** Capabilities that speak for a device. */
  readonly prefers: readonly string[]
  readonly privacy: readonly string[]
  readonly creator: DeviceId
  /** False if the run needs an approval and has none that is valid now. */
  readonly approved: boolean
  /** The run asks for the elected coordinator. */
  readonly coordinator: boolean
  /** A device on battery must have at least this share left. */
  readonly minBattery: number
  /** Devices that declined or failed it, and when. */
  readonly exclusions: readonly Exclusion[]
}

export interface Exclusion {
  readonly device: DeviceId
  readonly at: number
  readonly why: 'declined' | 'failed'
}

/** What a device's latest beacon said. */
export interface BeaconFacts {
  /** Milliseconds since it was heard, on the chooser's own monotonic clock. */
  readonly ageMs: number
  /** Slots in use. */
  readonly active: number
  /** How busy the machine is beyond its slots, 0 to 1. */
  readonly load: number
  /** It takes no new work. */
  readonly draining: boolean
  readonly onMains: boolean
  /** 0 to 1; null if it has no battery or does not say. */
  readonly battery: number | null
  readonly uptimeMs: number
  /** Share of recent time in which it was reachable, 0 to 1. */
  readonly stability: number
}

/** A device as the chooser sees it. */
export interface Candidate {
  readonly device: DeviceId
  readonly name?: string
  /** Its role; null for a stranger. */
  readonly role: Role | null
  readonly revoked: boolean
  readonly clearances: readonly string[]
  readonly class: DeviceClass
  readonly capabilities: readonly string[]
  /** Projects that it works for; absent: all. */
  readonly projects?: readonly string[]
  /** Types of runs that it has handlers for; absent: any. */
  readonly handles?: readonly string[]
  readonly slots: number
  /** Slots kept for high priority. */
  readonly reserved: number
  /** Null if none was ever heard. */
  readonly beacon: BeaconFacts | null
  /** Assigned to it and not claimed yet: counts as load, so that a burst does not pile up on one device. */
  readonly pending: number
  /** Connection quality as the chooser measures it, 0 to 1; 1 for itself. */
  readonly quality: number
  /** It failed runs of this type too often of late. */
  readonly circuitOpen: boolean
}

export interface ChooseWeights {
  readonly load: number
  readonly quality: number
  readonly rank: number
  readonly capability: number
}

export interface ChooseConfig {
  readonly weights: ChooseWeights
  readonly beaconStaleMs: number
  readonly exclusionMs: number
  readonly staggerMs: number
  readonly reservedFromPriority: number
}

export interface ChooseInput {
  readonly group: GroupId
  readonly run: RunNeeds
  readonly candidates: readonly Candidate[]
  readonly nowMs: number
  /** The device that created the run, when it is the one that chooses: it keeps the run if it may and wants to. */
  readonly local?: { readonly device: DeviceId; readonly willing: boolean }
  /** When membership last changed: what was excluded before gets another chance. */
  readonly membershipChangedAt?: number
}

/** Why a device cannot take a run. */
export interface GateFailure {
  readonly code: GateCode
  readonly sentence: string
}

export const GATE_CODES = {
  NOT_A_MEMBER: 'The device does not belong to the group.',
  REVOKED: 'The device was revoked.',
  OBSERVER: 'The device is an observer.',
  WRONG_PROJECT: 'The device does not work for the run’s project.',
  LACKS_CAPABILITY: 'The device lacks a capability that the run requires.',
  NO_HANDLER: 'The device has no handler for the run’s type.',
  PRIVACY: 'The run’s privacy labels keep it from the device.',
  APPROVAL_MISSING: 'The run has no valid approval.',
  BEACON_STALE: 'The device was not heard of lately, or never.',
  DRAINING: 'The device takes no new work.',
  NO_SLOT: 'The device has no free slot for this priority.',
  CIRCUIT_OPEN: 'The device failed runs of this type too often of late.',
  LOW_BATTERY: 'The device is on battery, below the run’s limit.',
  EXCLUDED: 'The device declined or failed this run a short while ago.',
} as const
export type GateCode = keyof typeof GATE_CODES

/** Points of a score, in thousandths of a point, so that every implementation rounds and compares alike. */
export interface ScoreParts {
  readonly load: number
  readonly quality: number
  readonly rank: number
  readonly capability: number
}

export interface CandidateVerdict {
  readonly device: DeviceId
  /** Empty if the device can take the run. */
  readonly gates: readonly GateFailure[]
  /** Thousandths of a point; null if a gate failed. */
  readonly score: number | null
  readonly parts: ScoreParts | null
  /** Election rank, 0 to 1. */
  readonly rank: number
}

/** The outcome of a choice, with everything that led to it. */
export interface Decision {
  readonly run: RunId
  readonly winner: DeviceId | null
  /** What decided: the run asked for the coordinator, the creator keeps it, the score, or nobody can. */
  readonly rule: 'coordinator' | 'local' | 'score' | 'nobody'
  readonly coordinator: DeviceId | null
  /** All candidates: those that pass, best first; then the others by id. */
  readonly candidates: readonly CandidateVerdict[]
  readonly sentence: string
}
