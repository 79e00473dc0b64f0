/** What a device tells of itself every interval. Signed, never stored: who hears none of them knows nothing. */
import type { DeviceId, Incarnation, Stamp } from '../../protocol/index.js'

export interface Beacon {
  readonly device: DeviceId
  readonly incarnation: Incarnation
  /** Counts this incarnation's beacons from 0: one that is not later than the last is ignored. */
  readonly sequence: number
  /** The stamp of its latest record; 0 if this incarnation wrote none. Who has not got that far lacks something. */
  readonly latest: Stamp
  /** The sender's wall clock, as it would stamp a record: milliseconds since 1970. */
  readonly wallMs: number
  readonly uptimeMs: number
  /** The next one comes within so many milliseconds: what the sender promises. */
  readonly intervalMs: number
  /** Slots in use. */
  readonly active: number
  readonly slots: number
  /** How busy the machine is beyond its slots, 0 to 1. */
  readonly load: number
  /** How late its timers fire, in milliseconds. */
  readonly lagMs: number
  /** It takes no new work. */
  readonly draining: boolean
  /** It is about to close: nobody needs to wait for it to fall silent. */
  readonly leaving: boolean
  readonly onMains: boolean
  /** 0 to 1; null if it has no battery or does not say. */
  readonly battery: number | null
  /** Share of recent time in which it was up, 0 to 1. */
  readonly stability: number
  /** Runs that wait for a device, by priority: `high` is the flag that pull workers look at. */
  readonly waiting: WaitingWork
  /** How long ago it heard others, in milliseconds, the freshest first: a suspicion can be confirmed, or dispelled. */
  readonly heard: readonly (readonly [DeviceId, number])[]
}

/** What the engine says of it. The rest, whoever sends it knows. */
export type BeaconDraft = Omit<Beacon, 'sequence' | 'latest'>

export interface WaitingWork {
  readonly high: number
  readonly normal: number
  readonly low: number
}
