/** The devices of the group as the chooser sees them: profiles and membership from the journal, the rest as heard. */
import { admissionAt, type Candidate, type DeviceId, type GroupView, SLOTS } from '../../protocol/index.js'
import { OVERLOAD_LAG_MS } from './constants.js'
import type { LocalFacts } from './events.js'
import { stabilityOf } from './peers.js'
import type { EngineState } from './state.js'

/** Every device that is or was a member. `type`: of the run in question, for the circuits. */
export function candidates(state: EngineState, type: string): readonly Candidate[] {
  const all: Candidate[] = []
  for (const device of state.group.members.keys()) {
    const candidate = device === state.me ? ownCandidate(state, type) : otherCandidate(state, device, type)
    if (candidate !== null) all.push(candidate)
  }
  return all
}

export function ownCandidate(state: EngineState, type: string): Candidate | null {
  const { local, me, now } = state
  if (local === null) return null
  const { role, revoked, clearances } = membership(state.group, me)
  // Written out: it is made for every run that is submitted.
  const candidate: Candidate = {
    device: me,
    name: local.name,
    role,
    revoked,
    clearances,
    class: local.class,
    capabilities: local.capabilities,
    handles: typesOf(local.handles),
    slots: local.slots,
    reserved: local.reserved,
    beacon: {
      ageMs: 0,
      active: state.used,
      load: loadOfLocal(local),
      draining: local.draining || state.isClosing,
      onMains: local.onMains,
      battery: local.battery,
      uptimeMs: Math.max(0, now.monoMs - state.peers.startedMs),
      stability: stabilityOf(state.gaps, now),
    },
    pending: 0,
    quality: 1,
    circuitOpen: state.circuits.isOpen(me, type, now.wallMs),
  }
  return local.projects === undefined ? candidate : { ...candidate, projects: local.projects }
}

const listed = new WeakMap<LocalFacts['handles'], readonly string[]>()

/** The types that there are handlers for, listed once for each set of them. */
function typesOf(handles: LocalFacts['handles']): readonly string[] {
  let types = listed.get(handles)
  if (types === undefined) {
    types = [...handles.keys()]
    listed.set(handles, types)
  }
  return types
}

/** How busy the machine is: what the app says, or how late its timers are. */
export function loadOfLocal({ load, lagMs }: LocalFacts): number {
  return Math.min(1, Math.max(load, lagMs / OVERLOAD_LAG_MS))
}

function otherCandidate(state: EngineState, device: DeviceId, type: string): Candidate | null {
  const { group, now, peers } = state
  const profile = group.profiles.get(device)
  // A device that never said what it is cannot be asked for anything.
  if (profile === undefined) return null
  const peer = peers.get(device)
  const holding = state.holdings.of(device)
  return {
    device,
    name: profile.name,
    ...membership(group, device),
    class: profile.class,
    capabilities: profile.capabilities,
    ...(profile.projects !== undefined && { projects: profile.projects }),
    ...(profile.handles !== undefined && { handles: profile.handles }),
    slots: profile.slots ?? SLOTS,
    reserved: profile.reserved ?? 0,
    beacon:
      peer?.beacon == null
        ? null
        : {
            ageMs: Math.max(0, now.monoMs - peer.heardMs),
            // What the journals say is fresher than what the beacon said.
            active: holding?.claimed ?? 0,
            load: Math.min(1, Math.max(peer.beacon.load, peer.beacon.lagMs / OVERLOAD_LAG_MS)),
            draining: peer.beacon.draining,
            onMains: peer.beacon.onMains,
            battery: peer.beacon.battery,
            uptimeMs: peer.beacon.uptimeMs,
            stability: peer.beacon.stability,
          },
    pending: (holding?.assigned ?? 0) + (state.promised.get(device) ?? 0),
    quality: peers.qualityOf(device),
    circuitOpen: state.circuits.isOpen(device, type, now.wallMs),
  }
}

function membership(
  { members }: GroupView,
  device: DeviceId,
): Pick<Candidate, 'role' | 'revoked' | 'clearances'> {
  const member = members.get(device)
  // Also an admission that our clock has not reached yet holds: the clock may be behind.
  const admission = admissionAt(member, Number.MAX_SAFE_INTEGER)
  return {
    role: admission?.role ?? null,
    revoked: member?.revokedAt != null,
    clearances: admission?.clearances ?? [],
  }
}
