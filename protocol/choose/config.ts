/** Checks what comes into the chooser, and fills in defaults. */
import { z } from 'zod'
import {
  BEACON_STALE_MS,
  EXCLUSION_MS,
  REASSIGN_STAGGER_MS,
  RESERVED_FROM_PRIORITY,
  WEIGHTS,
} from '../constants.js'
import { ConfigError } from '../errors.js'
import { isDeviceId } from '../ids.js'
import { MAX_CANDIDATES, MAX_DURATION_MS, MAX_PRIORITY, MAX_SLOTS } from '../limits.js'
import { DEVICE_CLASSES, ROLES } from '../records/field-types.js'
import type { Candidate, ChooseConfig } from './types.js'

const weight = z.number().min(0).max(1000)
const share = z.number().min(0).max(1)
const span = z.number().min(0).max(MAX_DURATION_MS)
const count = z.int().min(0).max(MAX_SLOTS)

const configSchema: z.ZodType<ChooseConfig> = z.strictObject({
  weights: z
    .strictObject({ load: weight, quality: weight, rank: weight, capability: weight })
    .refine(({ load, quality, rank, capability }) => load + quality + rank + capability > 0, 'are all zero'),
  beaconStaleMs: span.min(1),
  exclusionMs: span,
  staggerMs: span,
  reservedFromPriority: z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY),
})

const candidatesSchema: z.ZodType<readonly Candidate[]> = z
  .array(
    z.strictObject({
      device: z.string().refine(isDeviceId, 'is no device id'),
      name: z.string().exactOptional(),
      role: z.enum(ROLES).nullable(),
      revoked: z.boolean(),
      clearances: z.array(z.string()).readonly(),
      class: z.enum(DEVICE_CLASSES),
      capabilities: z.array(z.string()).readonly(),
      projects: z.array(z.string()).readonly().exactOptional(),
      handles: z.array(z.string()).readonly().exactOptional(),
      slots: count,
      reserved: count,
      beacon: z
        .strictObject({
          ageMs: z.number().min(0),
          active: count,
          load: share,
          draining: z.boolean(),
          onMains: z.boolean(),
          battery: share.nullable(),
          uptimeMs: z.number().min(0),
          stability: share,
        })
        .nullable(),
      pending: z.int().min(0),
      quality: share,
      circuitOpen: z.boolean(),
    }),
  )
  .max(MAX_CANDIDATES)

export const DEFAULT_CHOOSE_CONFIG: ChooseConfig = {
  weights: WEIGHTS,
  beaconStaleMs: BEACON_STALE_MS,
  exclusionMs: EXCLUSION_MS,
  staggerMs: REASSIGN_STAGGER_MS,
  reservedFromPriority: RESERVED_FROM_PRIORITY,
}

/** A whole configuration from a part of one. Throws `CONFIG_INVALID` for anything out of its range. */
export function chooseConfig(part: Partial<ChooseConfig> = {}): ChooseConfig {
  if (CHECKED.has(part)) return part as ChooseConfig
  const config = check(configSchema, { ...DEFAULT_CHOOSE_CONFIG, ...part }, 'configuration')
  Object.freeze(config.weights)
  CHECKED.add(Object.freeze(config))
  return config
}

/** Configurations that were made here: whole, and nobody can change them. Passed in again, they need no second look. */
const CHECKED = new WeakSet<object>()

/** Throws `CONFIG_INVALID` for a candidate out of its ranges, or a device that is listed twice. */
export function checkCandidates(candidates: readonly Candidate[]): void {
  check(candidatesSchema, candidates, 'candidates')
  const seen = new Set<string>()
  for (const { device } of candidates) {
    if (seen.has(device))
      throw new ConfigError(
        'CONFIG_INVALID',
        `The device ${device} is a candidate twice. Nothing was chosen.`,
        { device },
      )
    seen.add(device)
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const fault = `${issue?.path.join('.') || what}: ${issue?.message ?? 'is invalid'}`
  throw new ConfigError(
    'CONFIG_INVALID',
    `The chooser’s ${what} cannot be used. ${fault}. Nothing was chosen.`,
    { fault },
  )
}
