/** What a node is made with. */
import { z } from 'zod'
import {
  type ChooseConfig,
  DEVICE_CLASSES,
  type DeviceClass,
  FIELD_SCHEMAS,
  type GroupId,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  isId,
  MAX_DURATION_MS,
  MAX_SLOTS,
  SLOTS,
} from '../../protocol/index.js'
import type { Willing } from '../engine/index.js'
import type { Transport } from '../network/transport.js'
import type { Clock, OnProgress, Random, Signer } from '../platform/seams.js'
import type { Store } from '../store/store.js'
import { RETENTION_MS } from './constants.js'
import { InputError } from './errors.js'
import type { OutboxSettings } from './outbox/index.js'

/** How a machine is powered. */
export interface Power {
  readonly onMains: boolean
  /** 0 to 1; null if it has no battery or does not say. */
  readonly battery: number | null
}

export interface NodeOptions {
  /**
   * Where everything is kept: a folder (in browsers, the name of a database), `'memory'`, or a store of your own.
   *
   * @default 'memory'
   */
  readonly storage?: string | Store | undefined
  /** The group to work in. @default a private one, kept in the storage */
  readonly group?: GroupId | { readonly id: GroupId } | undefined
  /** For people. @default 'device' and the end of its id */
  readonly name?: string | undefined
  /** What sort of machine it is: the election prefers those that stay. @default 'desktop' */
  readonly class?: DeviceClass | undefined
  /** What it can do that not every device can. */
  readonly capabilities?: readonly string[] | undefined
  /** Projects that it works for. @default all */
  readonly projects?: readonly string[] | undefined
  /** Runs that it does at once. @default 10 */
  readonly slots?: number | undefined
  /** Slots of them kept for high priority. @default 0 */
  readonly reserved?: number | undefined
  /**
   * Whether to take a run: true, or the reason why not. Asked for own runs and for those that others offer.
   *
   * @default always
   */
  readonly willing?: Willing | undefined
  /** How the machine is powered now. @default on mains */
  readonly power?: (() => Power) | undefined
  /** How busy the machine is beyond its slots, 0 to 1. @default 0 */
  readonly load?: (() => number) | undefined
  /**
   * How often it shows that it lives, and after how much silence others count as gone: at least 250 ms and 1 s, whatever
   * it says. @default 30 s, 90 s
   */
  readonly heartbeat?: { readonly intervalMs: number; readonly timeoutMs: number } | undefined
  /** Weights of the score, and thresholds of the gates. */
  readonly choose?: Partial<ChooseConfig> | undefined
  /** Milliseconds that a handler has to end after its signal. @default 10_000 */
  readonly abortGraceMs?: number | undefined
  /** Milliseconds of waiting that weigh as much as one point of priority. @default 60_000 */
  readonly ageStepMs?: number | undefined
  /** Milliseconds for which ended runs are kept. @default a week */
  readonly retentionMs?: number | undefined
  /** How lifecycle events are delivered. See `node.outbox`. */
  readonly outbox?: OutboxSettings | undefined
  /** How it talks to other devices. @default not at all */
  readonly transport?: Transport | undefined
  /** The device's identity. @default one that is kept in the storage */
  readonly identity?: Signer | undefined
  /** Time, for tests. */
  readonly clock?: Clock | undefined
  /** Chance, for tests. */
  readonly random?: Random | undefined
  /** Told while a large store is opened. */
  readonly onProgress?: OnProgress | undefined
}

const callable = z.custom<unknown>((value) => typeof value === 'function', 'is no function').optional()
const duration = z.int().min(1).max(MAX_DURATION_MS)
const names = FIELD_SCHEMAS.names
const object = z.custom<object>((value) => typeof value === 'object' && value !== null, 'is no object')

const store = z.custom<Store>(
  (value) => typeof (value as Partial<Store> | null)?.append === 'function',
  'is no folder, not “memory”, and no store',
)

const schema = z.strictObject({
  storage: z.union([z.string().min(1), store]).default('memory'),
  group: z
    .union([
      z.string().refine(isId, 'is no group id'),
      z.looseObject({ id: z.string().refine(isId, 'is no group id') }),
    ])
    .optional(),
  name: FIELD_SCHEMAS.name.optional(),
  class: z.enum(DEVICE_CLASSES).default('desktop'),
  capabilities: names.default([]),
  projects: names.optional(),
  slots: z.int().min(1).max(MAX_SLOTS).default(SLOTS),
  reserved: z.int().min(0).max(MAX_SLOTS).default(0),
  willing: callable,
  power: callable,
  load: callable,
  heartbeat: FIELD_SCHEMAS.heartbeat.default({
    intervalMs: HEARTBEAT_INTERVAL_MS,
    timeoutMs: HEARTBEAT_TIMEOUT_MS,
  }),
  choose: object.optional(),
  abortGraceMs: duration.optional(),
  ageStepMs: duration.optional(),
  retentionMs: duration.default(RETENTION_MS),
  outbox: object.optional(),
  transport: z
    .custom<Transport>(
      (value) => typeof (value as Partial<Transport> | null)?.publish === 'function',
      'is no transport',
    )
    .optional(),
  identity: object.optional(),
  clock: object.optional(),
  random: object.optional(),
  onProgress: callable,
})

type Defaulted = 'storage' | 'class' | 'capabilities' | 'slots' | 'reserved' | 'heartbeat' | 'retentionMs'

/** The options with their defaults. */
export type FullOptions = Omit<NodeOptions, Defaulted> & {
  readonly [P in Defaulted]: NonNullable<NodeOptions[P]>
}

/** Throws `INVALID_OPTIONS`, naming the option. */
export function readNodeOptions(options: NodeOptions): FullOptions {
  const parsed = schema.safeParse(options)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const path = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : issue?.path
    throw invalid(path?.join('.') || 'options', issue?.message ?? 'cannot be used')
  }
  const { slots, reserved } = parsed.data
  if (reserved > slots) throw invalid('reserved', `is over the ${slots} slots that there are`)
  return parsed.data as unknown as FullOptions
}

function invalid(option: string, fault: string): InputError {
  return new InputError(
    'INVALID_OPTIONS',
    `The node was not made. Its option “${option}” is wrong: ${fault}.`,
    { option },
  )
}
