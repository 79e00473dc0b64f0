/** The devices of the group, as this one sees them. */
import {
  admissionAt,
  type DeviceClass,
  type DeviceId,
  elect,
  type Role,
  SLOTS,
  type Stamp,
} from '../../protocol/index.js'
import { candidates } from '../engine/candidates.js'
import type { WaitingWork } from '../engine/index.js'
import type { Core } from './core.js'

export interface DeviceView {
  readonly device: DeviceId
  readonly name: string | null
  readonly class: DeviceClass | null
  readonly role: Role | null
  readonly clearances: readonly string[]
  readonly revoked: boolean
  readonly isThis: boolean
  /** Heard of lately. */
  readonly isOnline: boolean
  readonly isConnected: boolean
  /** Of the connection, 0 to 1. */
  readonly quality: number
  readonly isCoordinator: boolean
  readonly capabilities: readonly string[]
  /** Run types that it has handlers for; null if it does not say. */
  readonly handles: readonly string[] | null
  /** Null: all. */
  readonly projects: readonly string[] | null
  readonly slots: number
  readonly reserved: number
  /** Runs that it has claimed, and runs that it was given and has not answered. */
  readonly claimed: number
  readonly assigned: number
  /** Milliseconds since its last beacon; null if none was heard, 0 for this device. */
  readonly heardMs: number | null
  readonly draining: boolean
  readonly load: number | null
  readonly lagMs: number | null
  readonly onMains: boolean | null
  readonly battery: number | null
  readonly uptimeMs: number | null
  /** Work that waits on it, as it says: `high` over 0 is the flag for pull workers. */
  readonly waiting: WaitingWork | null
}

export class Devices {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** Every device that is or was a member, in order of admission. */
  list(): readonly DeviceView[] {
    const { engine } = this.#core
    const { coordinator } = elect(engine.config.group, candidates(engine, ''), engine.config.choose)
    return [...engine.group.members.keys()].map((device) => this.#view(device, coordinator))
  }

  get(device: DeviceId): DeviceView | null {
    return this.list().find((view) => view.device === device) ?? null
  }

  /** The device that the election puts first; null while nobody is there. */
  get coordinator(): DeviceId | null {
    return this.list().find(({ isCoordinator }) => isCoordinator)?.device ?? null
  }

  #view(device: DeviceId, coordinator: DeviceId | null): DeviceView {
    const { engine } = this.#core
    const { group, now, local } = engine
    const member = group.members.get(device)
    const admission = admissionAt(member, Number.MAX_SAFE_INTEGER as Stamp)
    const profile = group.profiles.get(device)
    const peer = engine.peers.get(device)
    const holding = engine.holdings.of(device)
    const isThis = device === engine.me
    const beacon = peer?.beacon ?? null
    return {
      device,
      name: profile?.name ?? (isThis ? (local?.name ?? null) : null),
      class: profile?.class ?? null,
      role: admission?.role ?? null,
      clearances: admission?.clearances ?? [],
      revoked: member?.revokedAt != null,
      isThis,
      isOnline: isThis || engine.peers.isLive(device, now),
      isConnected: isThis || peer?.isConnected === true,
      quality: isThis ? 1 : engine.peers.qualityOf(device),
      isCoordinator: device === coordinator,
      capabilities: profile?.capabilities ?? [],
      handles: profile?.handles ?? null,
      projects: profile?.projects ?? null,
      slots: profile?.slots ?? SLOTS,
      reserved: profile?.reserved ?? 0,
      claimed: holding?.claimed ?? 0,
      assigned: holding?.assigned ?? 0,
      heardMs: isThis ? 0 : beacon === null ? null : Math.round(now.monoMs - (peer?.heardMs ?? 0)),
      draining: isThis ? local?.draining === true : beacon?.draining === true,
      load: isThis ? (local?.load ?? null) : (beacon?.load ?? null),
      lagMs: isThis ? (local?.lagMs ?? null) : (beacon?.lagMs ?? null),
      onMains: isThis ? (local?.onMains ?? null) : (beacon?.onMains ?? null),
      battery: isThis ? (local?.battery ?? null) : (beacon?.battery ?? null),
      uptimeMs: isThis ? now.monoMs - engine.peers.startedMs : (beacon?.uptimeMs ?? null),
      waiting: isThis ? engine.waiting.counts : (beacon?.waiting ?? null),
    }
  }
}
