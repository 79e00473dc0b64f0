/** The election: from profiles and beacons every device computes the same order. No votes, no messages. */
import { sha256 } from '@noble/hashes/sha2.js'
import { compareBytes, encodeCbor } from '../cbor.js'
import { UPTIME_STEP_MS, UPTIME_STEPS } from '../constants.js'
import { type DeviceId, deviceKey, type GroupId, idToBytes, type RunId } from '../ids.js'
import { MAX_CANDIDATES } from '../limits.js'
import { DEVICE_CLASSES } from '../records/field-types.js'
import { chooseConfig } from './config.js'
import { isLive } from './gates.js'
import type { Candidate, ChooseConfig } from './types.js'

/** Steps of stability that count, so that one lost beacon does not turn the order round. */
const STABILITY_STEPS = 10

/** Who stands where: live devices, best first. The first is the coordinator. */
export interface Election {
  readonly order: readonly DeviceId[]
  readonly coordinator: DeviceId | null
  /**
   * 1 for the first, 0 for whoever is not live; evenly spread between. Devices that only the tie-break tells apart
   * share the rank of the first of them: else one of many equal devices would be given nearly all the work.
   */
  readonly ranks: ReadonlyMap<DeviceId, number>
}

export function elect(
  group: GroupId,
  candidates: readonly Candidate[],
  config: ChooseConfig = chooseConfig(),
): Election {
  const tie = groupTies(group)
  const ranked = candidates
    .filter((candidate) => isLive(candidate, config))
    .map((candidate) => ({ device: candidate.device, fitness: fitness(candidate) }))
    .sort((a, b) => compareLists(b.fitness, a.fitness) || compareBytes(tie(b.device), tie(a.device)))
  const order = ranked.map(({ device }) => device)
  return { order, coordinator: order[0] ?? null, ranks: ranksOf(ranked) }
}

interface Ranked {
  readonly device: DeviceId
  readonly fitness: readonly number[]
}

function ranksOf(ranked: readonly Ranked[]): ReadonlyMap<DeviceId, number> {
  const ranks = new Map<DeviceId, number>()
  const last = ranked.length - 1
  let place = 0
  for (const [i, { device, fitness }] of ranked.entries()) {
    if (compareLists(fitness, (ranked[place] as Ranked).fitness) !== 0) place = i
    ranks.set(device, last === 0 ? 1 : (last - place) / last)
  }
  return ranks
}

/** Class, power, uptime, stability: compared in this order, more is better. All coarse, so that the order is steady. */
function fitness({ class: name, beacon }: Candidate): readonly number[] {
  return [
    -DEVICE_CLASSES.indexOf(name),
    beacon?.onMains ? 1 : 0,
    Math.min(UPTIME_STEPS, Math.floor((beacon?.uptimeMs ?? 0) / UPTIME_STEP_MS)),
    Math.floor((beacon?.stability ?? 0) * STABILITY_STEPS),
  ]
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Ties go to the larger hash: even over devices, the same for everyone, and stable when others come and go. */
export function rendezvousHash(subject: RunId | GroupId, device: DeviceId): Uint8Array {
  return sha256(encodeCbor(['dibs/rendezvous/1', idToBytes(subject), deviceKey(device)]))
}

// Every choice holds an election, of one group and of much the same devices: their hashes are remembered.
let latest: { readonly group: GroupId; readonly hashes: Map<DeviceId, Uint8Array> } | null = null

function groupTies(group: GroupId): (device: DeviceId) => Uint8Array {
  if (latest?.group !== group || latest.hashes.size >= MAX_CANDIDATES) latest = { group, hashes: new Map() }
  return remembered(group, latest.hashes)
}

/** `rendezvousHash` for one sort: each hash is made once, and only where there is a tie. */
export function ties(subject: RunId | GroupId): (device: DeviceId) => Uint8Array {
  return remembered(subject, new Map())
}

function remembered(
  subject: RunId | GroupId,
  hashes: Map<DeviceId, Uint8Array>,
): (device: DeviceId) => Uint8Array {
  return (device) => {
    const known = hashes.get(device)
    if (known !== undefined) return known
    const hash = rendezvousHash(subject, device)
    hashes.set(device, hash)
    return hash
  }
}
