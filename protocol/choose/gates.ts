/** Hard gates: what keeps a device from a run, whatever its score. All that fail are reported, not just the first. */
import type { Candidate, ChooseConfig, ChooseInput, GateCode, GateFailure } from './types.js'

/** Exclusions of one device for one run last longer each time, up to this many times the base. */
const MAX_EXCLUSION_FACTOR = 8

type Gate = (input: ChooseInput, candidate: Candidate, config: ChooseConfig) => string | undefined

const GATES: readonly (readonly [GateCode, Gate])[] = [
  [
    'NOT_A_MEMBER',
    (_, { role, revoked }) => (role === null && !revoked ? 'It does not belong to the group.' : undefined),
  ],
  ['REVOKED', (_, { revoked }) => (revoked ? 'It was revoked from the group.' : undefined)],
  [
    'OBSERVER',
    (_, { role }) => (role === 'observer' ? 'It is an observer: it sees, and never owns.' : undefined),
  ],
  ['WRONG_PROJECT', projectGate],
  ['LACKS_CAPABILITY', capabilityGate],
  ['NO_HANDLER', handlerGate],
  ['PRIVACY', privacyGate],
  [
    'APPROVAL_MISSING',
    ({ run }) => (run.approved ? undefined : 'The run needs an approval and has none that is valid.'),
  ],
  ['BEACON_STALE', beaconGate],
  ['DRAINING', (_, { beacon }) => (beacon?.draining ? 'It takes no new work: it is draining.' : undefined)],
  ['NO_SLOT', slotGate],
  [
    'CIRCUIT_OPEN',
    ({ run }, { circuitOpen }) => (circuitOpen ? `It failed “${run.type}” too often of late.` : undefined),
  ],
  ['LOW_BATTERY', batteryGate],
  ['EXCLUDED', exclusionGate],
]

export function failedGates(
  input: ChooseInput,
  candidate: Candidate,
  config: ChooseConfig,
): readonly GateFailure[] {
  const failed: GateFailure[] = []
  for (const [code, gate] of GATES) {
    const sentence = gate(input, candidate, config)
    if (sentence !== undefined) failed.push({ code, sentence })
  }
  return failed
}

/** Whether a device is in the group, may own work and was heard of lately: the ones that elections are about. */
export function isLive({ role, revoked, beacon }: Candidate, { beaconStaleMs }: ChooseConfig): boolean {
  return (
    !revoked && (role === 'admin' || role === 'member') && beacon !== null && beacon.ageMs <= beaconStaleMs
  )
}

function projectGate({ run }: ChooseInput, { projects }: Candidate): string | undefined {
  if (run.project === undefined || projects === undefined || projects.includes(run.project)) return undefined
  return `It does not work for the project “${run.project}”.`
}

function capabilityGate({ run }: ChooseInput, { capabilities }: Candidate): string | undefined {
  const lacking = run.requires.filter((name) => !capabilities.includes(name))
  return lacking.length === 0 ? undefined : `It lacks ${lacking.map((name) => `“${name}”`).join(', ')}.`
}

function handlerGate({ run }: ChooseInput, { handles }: Candidate): string | undefined {
  if (handles === undefined || handles.includes(run.type)) return undefined
  return `It has no handler for “${run.type}”.`
}

function privacyGate({ run }: ChooseInput, { device, clearances }: Candidate): string | undefined {
  for (const label of run.privacy) {
    if (label === 'local_only' && device !== run.creator)
      return 'The run must stay on the device that created it.'
    if (label !== 'local_only' && !clearances.includes(label)) return `It has no clearance for “${label}”.`
  }
  return undefined
}

function beaconGate(
  _: ChooseInput,
  { beacon }: Candidate,
  { beaconStaleMs }: ChooseConfig,
): string | undefined {
  if (beacon === null) return 'It was never heard of.'
  if (beacon.ageMs <= beaconStaleMs) return undefined
  return `It was last heard of ${seconds(beacon.ageMs)} ago; ${seconds(beaconStaleMs)} is the limit.`
}

function slotGate({ run }: ChooseInput, candidate: Candidate, config: ChooseConfig): string | undefined {
  const { slots, reserved } = candidate
  const usable = run.priority >= config.reservedFromPriority ? slots : Math.max(0, slots - reserved)
  const used = usedSlots(candidate)
  if (used < usable) return undefined
  const kept = usable < slots ? ` (${slots - usable} more are kept for high priority)` : ''
  return `${used} of its ${usable} slots are taken${kept}.`
}

function batteryGate({ run }: ChooseInput, { beacon }: Candidate): string | undefined {
  if (beacon === null || beacon.onMains || beacon.battery === null || beacon.battery >= run.minBattery)
    return undefined
  return `It is on battery at ${percent(beacon.battery)}; the run wants ${percent(run.minBattery)}.`
}

function exclusionGate(
  { run, nowMs, membershipChangedAt = 0 }: ChooseInput,
  { device }: Candidate,
  { exclusionMs }: ChooseConfig,
): string | undefined {
  const counted = run.exclusions.filter(
    (exclusion) => exclusion.device === device && exclusion.at >= membershipChangedAt,
  )
  // At one moment a failure outweighs a refusal, so that the order of the list does not matter.
  const latest = counted.reduce<(typeof counted)[number] | undefined>(
    (a, b) => (a === undefined || b.at > a.at || (b.at === a.at && b.why === 'failed') ? b : a),
    undefined,
  )
  if (latest === undefined) return undefined
  const leftMs = latest.at + exclusionMs * Math.min(counted.length, MAX_EXCLUSION_FACTOR) - nowMs
  return leftMs > 0 ? `It ${latest.why} this run; it may be asked again in ${seconds(leftMs)}.` : undefined
}

/** Work that a device has or was given. */
export function usedSlots({ beacon, pending }: Candidate): number {
  return (beacon?.active ?? 0) + pending
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
