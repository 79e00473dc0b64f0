/** What stands in a script. `schema.ts` says the same to whoever writes one by hand. */
import type { ChooseWeights, Role } from '../../protocol/index.js'
import type { Attack } from '../byzantine/index.js'
import type { Signatures } from '../devices/identities.js'
import type { ProfileName } from '../devices/profiles.js'
import type { Conditions } from '../network/conditions.js'
import type { Duration } from './duration.js'

export interface Heartbeat {
  readonly intervalMs: number
  readonly timeoutMs: number
}

export interface DeviceSpec {
  /** @default 'desktop' */
  readonly profile: ProfileName
  /** The first device is always an admin. @default 'member' */
  readonly role: Role
  /** @default as its profile has */
  readonly slots?: number | undefined
  readonly capabilities: readonly string[]
  /** How far its wall clock is ahead, in milliseconds. @default 0 */
  readonly skewMs: number
  /** How much faster its clocks go: 0.0001 is 100 parts in a million. @default 0 */
  readonly drift: number
  /** Share of the runs offered to it that it declines. @default 0 */
  readonly declines: number
  /** Milliseconds that a durable write takes. @default 0 */
  readonly diskMs: number
  /** It is not there from the beginning, but joins by a step. @default false */
  readonly joinsLater: boolean
}

/** What a run asks of its handler. */
export interface Job {
  /** Milliseconds that it takes. @default 1000 */
  readonly ms: number
  /** Attempts that fail before one succeeds. @default 0 */
  readonly fails: number
  /** The first attempt never ends and ignores its signal. @default false */
  readonly hangs: boolean
}

export interface JobOptions {
  readonly key?: string | undefined
  readonly requires?: readonly string[] | undefined
  readonly priority?: 'high' | 'normal' | 'low' | number | undefined
  readonly preemptible?: boolean | undefined
  readonly timeoutMs?: number | undefined
  readonly reconcile?: 'earliest' | 'latest' | undefined
  readonly coordinator?: boolean | undefined
  readonly delayMs?: number | undefined
  readonly deadlineInMs?: number | undefined
  readonly heartbeat?: Heartbeat | undefined
}

/** Something that is done to one device. */
interface On {
  readonly device: number
}

/** What a person does to a run, by the name that its `submit` gave it, on a device. */
interface Command extends On {
  readonly run: string
}

export type Action =
  | { readonly do: 'partition'; readonly sides: readonly (readonly number[])[] }
  | { readonly do: 'sever'; readonly devices: readonly [number, number] }
  | { readonly do: 'deafen'; readonly from: number; readonly to: number }
  | { readonly do: 'heal' }
  | ({ readonly do: 'network' } & { readonly [P in keyof Conditions]?: number | undefined })
  | ({ readonly do: 'crash' | 'restart' | 'leave' | 'join' | 'revoke' | 'wake' } & On)
  | ({ readonly do: 'sleep'; readonly for?: Duration | undefined } & On)
  | ({ readonly do: 'stall'; readonly for: Duration } & On)
  | ({ readonly do: 'skew'; readonly ms: number } & On)
  | ({ readonly do: 'drift'; readonly by: number } & On)
  | ({
      readonly do: 'disk'
      readonly full?: boolean | undefined
      readonly slowMs?: number | undefined
      readonly damage?: boolean | undefined
    } & On)
  | ({
      readonly do: 'submit'
      readonly run: string
      readonly type: string
      readonly count: number
      readonly job: Job
      readonly options: JobOptions
    } & On)
  | ({ readonly do: 'pull'; readonly forgets: boolean } & On)
  | ({ readonly do: 'cancel' | 'pause' | 'resume' | 'retry' | 'release' | 'reassign' } & Command)
  | ({ readonly do: 'attack'; readonly kind: Attack } & On)
  | ({ readonly do: 'expedite'; readonly priority: number } & Command)

export type Step = Action & { readonly at: Duration }

export interface Script {
  /** What this is, for people. */
  readonly title?: string | undefined
  /** @default 1 */
  readonly seed: number
  readonly devices: readonly DeviceSpec[]
  readonly network: { readonly [P in keyof Conditions]?: number | undefined }
  /** @default 'virtual' */
  readonly signatures: Signatures
  /** @default 30 s, 90 s */
  readonly heartbeat: Heartbeat
  /** @default 10_000 */
  readonly abortGraceMs: number
  /** Weights of the score. @default those of dibs */
  readonly weights?: Partial<ChooseWeights> | undefined
  readonly steps: readonly Step[]
  /** How long it goes on. Afterwards every fault is taken back, and all has to come to an end. */
  readonly lasts: Duration
}
