/**
 * A script: who takes part, what the network is like, and what happens when. Everything that a simulation does follows
 * from its script. People write scripts by hand, the swarm draws them by chance, the minimiser shortens them.
 */
import { z } from 'zod'
import { ATTACKS, type Attack } from '../byzantine/index.js'
import { MAX_DEVICES, MAX_HOURS, MAX_RUNS, MAX_STEPS } from '../constants.js'
import { PROFILES, type ProfileName } from '../devices/profiles.js'
import { DURATION } from './duration.js'
import type { Script } from './types.js'

/** Milliseconds, or a number with a unit: `90s`, `1.5h`. */
const duration = z.union([
  z
    .number()
    .min(0)
    .max(MAX_HOURS * 3_600_000),
  z
    .string()
    .regex(DURATION, 'is no duration: write milliseconds, or a number and ms, s, m, h or d, as “90s”'),
])
const place = z
  .int()
  .min(0)
  .max(MAX_DEVICES - 1)
const share = z.number().min(0).max(1)
const signed = z
  .number()
  .min(-MAX_HOURS * 3_600_000)
  .max(MAX_HOURS * 3_600_000)
const name = z.string().min(1).max(64)
const names = z.array(name).max(16)
const heartbeat = z.strictObject({ intervalMs: z.int().min(100), timeoutMs: z.int().min(200) })

const device = z.strictObject({
  profile: z.enum(Object.keys(PROFILES) as [ProfileName, ...ProfileName[]]).default('desktop'),
  role: z.enum(['admin', 'member', 'observer']).default('member'),
  slots: z.int().min(1).max(1000).optional(),
  capabilities: names.default([]),
  /** How far its wall clock is ahead, in milliseconds. */
  skewMs: signed.default(0),
  /** How much faster its clocks go: 0.0001 is 100 parts in a million. */
  drift: z.number().min(-0.01).max(0.01).default(0),
  /** Share of the runs offered to it that it declines. */
  declines: share.default(0),
  /** Milliseconds that a durable write takes. */
  diskMs: z.number().min(0).max(60_000).default(0),
  /** Whether it is there from the beginning, or joins by a step. */
  joinsLater: z.boolean().default(false),
})

const conditions = z.strictObject({
  latencyMs: z.number().min(0).max(60_000).optional(),
  jitterMs: z.number().min(0).max(60_000).optional(),
  loss: share.optional(),
  duplicates: share.optional(),
  reorder: share.optional(),
  bytesPerSecond: z.number().min(100).optional(),
})

/** What a run asks of its handler. */
const job = z.strictObject({
  /** Milliseconds that it takes. */
  ms: z
    .number()
    .min(0)
    .max(MAX_HOURS * 3_600_000)
    .default(1000),
  /** Attempts that fail before one succeeds. */
  fails: z.int().min(0).max(100).default(0),
  /** The first attempt never ends and ignores its signal. */
  hangs: z.boolean().default(false),
})

const options = z.strictObject({
  key: name.optional(),
  requires: names.optional(),
  priority: z.union([z.enum(['high', 'normal', 'low']), z.int()]).optional(),
  preemptible: z.boolean().optional(),
  timeoutMs: z.int().min(1).optional(),
  reconcile: z.enum(['earliest', 'latest']).optional(),
  coordinator: z.boolean().optional(),
  delayMs: z.int().min(0).optional(),
  deadlineInMs: z.int().min(1).optional(),
  heartbeat: heartbeat.optional(),
})

const at = { at: duration }
const on = { ...at, device: place }
/** A run, by the name that its `submit` gave it. */
const command = { ...on, run: name }

const step = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('partition'),
    ...at,
    sides: z.array(z.array(place)).min(1).max(MAX_DEVICES),
  }),
  z.strictObject({ do: z.literal('sever'), ...at, devices: z.tuple([place, place]) }),
  z.strictObject({ do: z.literal('deafen'), ...at, from: place, to: place }),
  z.strictObject({ do: z.literal('heal'), ...at }),
  z.strictObject({ do: z.literal('network'), ...at, ...conditions.shape }),
  z.strictObject({ do: z.literal('crash'), ...on }),
  z.strictObject({ do: z.literal('restart'), ...on }),
  z.strictObject({ do: z.literal('leave'), ...on }),
  z.strictObject({ do: z.literal('join'), ...on }),
  z.strictObject({ do: z.literal('revoke'), ...on }),
  z.strictObject({ do: z.literal('sleep'), ...on, for: duration.optional() }),
  z.strictObject({ do: z.literal('wake'), ...on }),
  z.strictObject({ do: z.literal('stall'), ...on, for: duration }),
  z.strictObject({ do: z.literal('skew'), ...on, ms: signed }),
  z.strictObject({ do: z.literal('drift'), ...on, by: z.number().min(-0.01).max(0.01) }),
  z.strictObject({
    do: z.literal('disk'),
    ...on,
    full: z.boolean().optional(),
    slowMs: z.number().min(0).max(60_000).optional(),
    damage: z.boolean().optional(),
  }),
  z.strictObject({
    do: z.literal('submit'),
    ...on,
    run: name,
    type: name.default('work'),
    count: z.int().min(1).max(MAX_RUNS).default(1),
    job: job.prefault({}),
    options: options.prefault({}),
  }),
  z.strictObject({ do: z.literal('pull'), ...on, forgets: z.boolean().default(false) }),
  z.strictObject({
    do: z.literal('attack'),
    ...on,
    kind: z.enum(Object.keys(ATTACKS) as [Attack, ...Attack[]]),
  }),
  z.strictObject({ do: z.literal('cancel'), ...command }),
  z.strictObject({ do: z.literal('pause'), ...command }),
  z.strictObject({ do: z.literal('resume'), ...command }),
  z.strictObject({ do: z.literal('retry'), ...command }),
  z.strictObject({ do: z.literal('release'), ...command }),
  z.strictObject({ do: z.literal('reassign'), ...command }),
  z.strictObject({ do: z.literal('expedite'), ...command, priority: z.int().min(-1000).max(1000) }),
])

export const SCRIPT_SCHEMA: z.ZodType<Script> = z.strictObject({
  /** What this is, for people. */
  title: z.string().max(200).optional(),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .default(1),
  devices: z.array(device).min(1).max(MAX_DEVICES),
  network: conditions.prefault({}),
  signatures: z.enum(['virtual', 'ed25519']).default('virtual'),
  heartbeat: heartbeat.default({ intervalMs: 30_000, timeoutMs: 90_000 }),
  abortGraceMs: z.int().min(1).default(10_000),
  /** Weights of the score. */
  weights: z.partialRecord(z.enum(['load', 'quality', 'rank', 'capability']), z.number().min(0)).optional(),
  steps: z.array(step).max(MAX_STEPS),
  /** How long it goes on. Afterwards every fault is taken back, and all has to come to an end. */
  lasts: duration,
})
