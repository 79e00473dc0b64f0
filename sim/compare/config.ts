/** What two simulations may differ in. */
import { z } from 'zod'
import type { ChooseWeights } from '../../protocol/index.js'
import { MAX_DEVICES, MAX_HOURS, MAX_RUNS } from '../constants.js'
import type { Conditions } from '../network/conditions.js'
import { type JsonSchema, jsonSchemaOf } from '../script/json-schema.js'
import type { Heartbeat, Script } from '../script/types.js'
import { FAULTS, type FaultName } from '../swarm/faults.js'
import { scriptOfSeed } from '../swarm/swarm.js'

export interface CompareConfig {
  readonly heartbeat?: Heartbeat | undefined
  readonly abortGraceMs?: number | undefined
  readonly weights?: { readonly [P in keyof ChooseWeights]?: number | undefined } | undefined
  /** Who keeps a run that two devices had: of every run. */
  readonly reconcile?: 'earliest' | 'latest' | undefined
  readonly network?: { readonly [P in keyof Conditions]?: number | undefined } | undefined
  readonly devices?: number | undefined
  readonly runs?: number | undefined
  readonly hours?: number | undefined
  readonly faults?: 'all' | 'none' | readonly FaultName[] | undefined
}

const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]]
const share = z.number().min(0).max(1)
const weight = z.number().min(0).optional()
const ms = z.number().min(0).max(60_000)

export const CONFIG_SCHEMA: z.ZodType<CompareConfig> = z.strictObject({
  heartbeat: z.strictObject({ intervalMs: z.int().min(100), timeoutMs: z.int().min(200) }).optional(),
  abortGraceMs: z.int().min(1).optional(),
  weights: z.strictObject({ load: weight, quality: weight, rank: weight, capability: weight }).optional(),
  reconcile: z.enum(['earliest', 'latest']).optional(),
  network: z
    .strictObject({
      latencyMs: ms.optional(),
      jitterMs: ms.optional(),
      loss: share.optional(),
      duplicates: share.optional(),
      reorder: share.optional(),
      bytesPerSecond: z.number().min(100).optional(),
    })
    .optional(),
  devices: z.int().min(1).max(MAX_DEVICES).optional(),
  runs: z.int().min(0).max(MAX_RUNS).optional(),
  hours: z.number().gt(0).max(MAX_HOURS).optional(),
  faults: z.union([z.enum(['all', 'none']), z.array(z.enum(FAULT_NAMES))]).optional(),
})

export function configJsonSchema(): JsonSchema {
  return jsonSchemaOf(CONFIG_SCHEMA)
}

/** The script of a seed under a configuration: what it does not say is drawn, the same for every configuration. */
export function scriptUnder(config: CompareConfig, seed: number): Script {
  const { heartbeat, abortGraceMs, weights, reconcile, network, devices, runs, hours } = config
  const script = scriptOfSeed({ seed, devices, runs, hours, faults: faultsOf(config) })
  return {
    ...script,
    ...(heartbeat !== undefined && { heartbeat }),
    ...(abortGraceMs !== undefined && { abortGraceMs }),
    ...(weights !== undefined && { weights: weights as Script['weights'] }),
    network: { ...script.network, ...network },
    steps:
      reconcile === undefined
        ? script.steps
        : script.steps.map((step) =>
            step.do === 'submit' ? { ...step, options: { ...step.options, reconcile } } : step,
          ),
  }
}

function faultsOf({ faults }: CompareConfig): readonly FaultName[] | undefined {
  return faults === 'all' ? FAULT_NAMES : faults === 'none' ? [] : faults
}
