/** Counts what happened. */

import { encodeCbor } from '../protocol/cbor.js'
import { isTerminal, type RunId, type RunRecord, type RunView } from '../protocol/index.js'
import { nodePlatform } from '../src/platform/node/index.js'
import { hexOf } from './log.js'
import { bytesOf } from './oracles/view-bytes.js'
import type { Outcome, Percentiles } from './outcome.js'
import type { Simulation } from './simulation.js'

export function outcomeOf(simulation: Simulation): Outcome {
  const { witness, network, world, seed, options } = simulation
  const views = latestViews(simulation)
  const count = (state: RunView['state']): number => views.filter((view) => view.state === state).length
  const terminal = views.filter(({ state }) => isTerminal(state)).length
  const { batches, beacons, frames, bytes } = network.traffic
  const { heartbeat } = witness
  return {
    seed,
    title: options.title ?? null,
    parameters: {
      devices: simulation.devices.length,
      steps: witness.disturbances.length,
      lastsMs: simulation.calmMs ?? simulation.nowMs,
      heartbeat: { ...heartbeat },
      signatures: options.signatures ?? 'virtual',
    },
    simulatedMs: Math.round(simulation.nowMs),
    digest: digestOf(simulation),
    logDigest: witness.log.digest,
    violations: [...witness.violations],
    runs: views.length,
    terminal,
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    waiting: views.length - terminal,
    starts: witness.executions.all.length,
    doubleExecutions: views.reduce((sum, { run }) => sum + doublesOf(simulation, run), 0),
    acceptedResults: views.filter(({ result }) => result !== null).length,
    delays: percentiles(delaysOf(simulation, views)),
    pickups: percentiles(pickupsOf(simulation)),
    messages: batches + beacons + frames,
    messagesByKind: { batches, beacons, frames },
    published: { ...witness.published },
    bytes: bytes.batches + bytes.beacons + bytes.frames,
    bytesByKind: bytes,
    journalBytes: witness.journalBytes,
    records: witness.records.all.size,
    decisions: decisionsOf(simulation),
    events: world.happened,
  }
}

/** Each run as the device that knows most of it sees it. */
export function latestViews({ devices }: Simulation): readonly RunView[] {
  const best = new Map<RunId, { readonly view: RunView; readonly records: number }>()
  for (const { inside, isRevoked } of devices) {
    if (inside === null || isRevoked) continue
    for (const view of inside.book.views) {
      const records = inside.book.records(view.run).length
      if (records > (best.get(view.run)?.records ?? 0)) best.set(view.run, { view, records })
    }
  }
  return [...best.values()].map(({ view }) => view)
}

/** Starts that nothing written down accounts for: two devices had it at once, or thought so. */
export function doublesOf({ witness }: Simulation, run: RunId): number {
  const starts = witness.executions.of(run).length
  const causes = (witness.records.byRun.get(run) ?? []).filter(isCause).length
  return Math.max(0, starts - 1 - causes)
}

/** A record after which a run is begun again, as it should be. */
function isCause(record: RunRecord): boolean {
  return (
    record.kind === 'released' ||
    record.kind === 'retried' ||
    (record.kind === 'failed' && record.final !== true)
  )
}

function delaysOf({ witness }: Simulation, views: readonly RunView[]): readonly number[] {
  const asked = new Map(witness.asked.map(({ acknowledged, askedMs }) => [acknowledged?.run, askedMs]))
  const delays: number[] = []
  for (const { run, result } of views) {
    const askedMs = asked.get(run)
    const doneMs = result === null ? undefined : witness.records.all.get(result.record)?.atMs
    if (askedMs !== undefined && doneMs !== undefined) delays.push(Math.max(0, doneMs - askedMs))
  }
  return delays
}

function pickupsOf({ witness }: Simulation): readonly number[] {
  const pickups: number[] = []
  for (const { acknowledged, askedMs } of witness.asked) {
    const first = acknowledged === null ? undefined : witness.executions.of(acknowledged.run)[0]
    if (first !== undefined) pickups.push(Math.max(0, first.startedMs - askedMs))
  }
  return pickups
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number | null => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return value === undefined ? null : Math.round(value)
  }
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

function decisionsOf({ witness }: Simulation): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { record } of witness.records.all.values())
    if (record.kind === 'assigned') counts[record.reason] = (counts[record.reason] ?? 0) + 1
  return counts
}

/** SHA-256 over all records, by id, and over all views of each device, by run. */
function digestOf({ witness, devices }: Simulation): string {
  const parts: Uint8Array[] = []
  for (const id of [...witness.records.all.keys()].sort())
    parts.push(encodeCbor(witness.records.all.get(id)?.record))
  for (const { inside } of devices) {
    const views = inside === null ? [] : [...inside.book.views]
    for (const view of views.sort((a, b) => (a.run < b.run ? -1 : 1))) parts.push(bytesOf(view))
  }
  let digest = new Uint8Array(32)
  for (const part of parts) {
    const both = new Uint8Array(32 + part.length)
    both.set(digest)
    both.set(part, 32)
    digest = nodePlatform.sha256(both).slice()
  }
  return hexOf(digest)
}
