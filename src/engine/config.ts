/** What an engine is made with: who it is, and what it goes by. */
import {
  type ChooseConfig,
  chooseConfig,
  type DeviceId,
  type GroupId,
  type HeartbeatPolicy,
  heartbeatOf,
  type Incarnation,
  type RunId,
  type RunRecord,
  type RunView,
} from '../../protocol/index.js'
import { ABORT_GRACE_MS, AGE_STEP_MS, LEASE_SETTLE_MS, SYNC_WAIT_MS, TICK_MS } from './constants.js'

/** What the `willing` policy is shown of a run. No payload: it decides whether to take it, not how to do it. */
export interface RunOffer {
  readonly run: RunId
  readonly type: string
  readonly project: string | null
  readonly priority: number
  readonly creator: DeviceId
  readonly attempt: number
  readonly requires: readonly string[]
  readonly privacy: readonly string[]
  /** Slots in use here, and how many there are. */
  readonly active: number
  readonly slots: number
}

/** True to take it; a reason, as a short name, to decline. */
export type Willing = (offer: RunOffer) => true | string

export interface EngineConfig {
  readonly group: GroupId
  readonly device: DeviceId
  readonly incarnation: Incarnation
  /** How often this device shows that it lives, and after how much silence others count as gone for new work. */
  readonly heartbeat: HeartbeatPolicy
  readonly choose: ChooseConfig
  readonly willing: Willing
  readonly ageStepMs: number
  readonly abortGraceMs: number
  readonly syncWaitMs: number
  readonly leaseSettleMs: number
  readonly tickMs: number
  /** Looks a run up: views and records that were told stay readable. */
  readonly viewOf: (run: RunId) => RunView | null
  readonly recordsOf: (run: RunId) => readonly RunRecord[]
}

export type EngineSettings = Pick<
  EngineConfig,
  'group' | 'device' | 'incarnation' | 'viewOf' | 'recordsOf'
> & {
  readonly [P in Exclude<keyof EngineConfig, 'choose'>]?: EngineConfig[P] | undefined
} & { readonly choose?: Partial<ChooseConfig> | undefined }

/** A whole configuration from what was given. */
export function engineConfig(settings: EngineSettings): EngineConfig {
  const heartbeat = heartbeatOf(settings.heartbeat)
  return {
    group: settings.group,
    device: settings.device,
    incarnation: settings.incarnation,
    heartbeat,
    choose: chooseConfig({ beaconStaleMs: heartbeat.timeoutMs, ...settings.choose }),
    willing: settings.willing ?? (() => true),
    ageStepMs: settings.ageStepMs ?? AGE_STEP_MS,
    abortGraceMs: settings.abortGraceMs ?? ABORT_GRACE_MS,
    syncWaitMs: settings.syncWaitMs ?? SYNC_WAIT_MS,
    leaseSettleMs: settings.leaseSettleMs ?? LEASE_SETTLE_MS,
    tickMs: settings.tickMs ?? Math.min(TICK_MS, heartbeat.intervalMs),
    viewOf: settings.viewOf,
    recordsOf: settings.recordsOf,
  }
}
