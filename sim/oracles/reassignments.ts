/** `one-reassigner`, `first-keeps-it`, `sleeper-lets-go`: who may take a run from whom, and who keeps it. */
import {
  MAX_HELD_VOIDS,
  type RecordId,
  type RecordOf,
  type RunRecord,
  type RunView,
} from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import type { Execution } from '../devices/execution.js'
import type { Noted } from '../record-book.js'
import type { Oracle, Scene } from './oracle.js'

/** How far a device's own count of its silence may be from the world's. */
const TOLERANCE = 0.15

export function reassignments(scene: Scene): Oracle {
  return {
    onRecord(noted, holder) {
      const { record } = noted
      if (record.author !== holder.id || holder.isByzantine) return
      if (record.kind === 'held' && (record.voids?.length ?? 0) > 0) checkHeld(scene, record, holder)
      if (record.kind === 'assigned' && record.reason === 'timeout') checkAlone(scene, noted, record, holder)
    },
    onStop(execution, device) {
      checkKept(scene, execution, device)
    },
  }
}

/** Whoever says that it held a run had no silence over the timeout since it claimed. */
function checkHeld(scene: Scene, held: RecordOf<'held'>, author: SimDevice): void {
  const claimedMs = claimOf(scene, held.run, held.assignment, held.incarnation)
  if (claimedMs === null) return
  const silentMs = author.pulse.longestSilence(claimedMs, scene.nowMs)
  const timeoutMs = timeoutOf(scene, held.run)
  if (silentMs > timeoutMs * (1 + TOLERANCE))
    scene.violated(
      'sleeper-lets-go',
      `it says that it held the run with a gap of ${held.gapMs} ms, and was silent for ${Math.round(silentMs)} ms`,
      { run: held.run, place: author.place },
    )
}

/** A second device that reassigns the same assignment did not have the first one's record, and could not have had it. */
function checkAlone(scene: Scene, { atMs }: Noted, record: RecordOf<'assigned'>, author: SimDevice): void {
  for (const other of scene.records.byRun.get(record.run) ?? []) {
    const isSibling = other.kind === 'assigned' && other.parent === record.parent && other.id !== record.id
    if (!isSibling || other.author === record.author || other.reason !== 'timeout') continue
    const rival = scene.placeOf(other.author)
    const earlierMs = scene.records.all.get(other.id)?.atMs ?? atMs
    const sinceMs = earlierMs - scene.heartbeat.timeoutMs
    const apart = scene.disturbances.some((one) => one.atMs >= sinceMs && SPLITS.has(one.kind))
    if (rival === undefined || rival.isByzantine || apart || !isCalm(scene) || atMs - earlierMs < 0) continue
    scene.violated(
      'one-reassigner',
      `${author.name} and ${rival.name} both reassigned it, ${Math.round(atMs - earlierMs)} ms apart, though they hear each other`,
      { run: record.run, place: author.place },
    )
  }
}

/** What keeps devices from hearing each other, or from being quick. */
const SPLITS: ReadonlySet<string> = new Set([
  'partition',
  'sever',
  'deafen',
  'heal',
  'network',
  'sleep',
  'wake',
  'stall',
  'restart',
  'join',
  'disk',
  'skew',
  'drift',
  'attack',
  'revoke',
])

/** Messages get through, and quickly. */
function isCalm({ network, devices }: Scene): boolean {
  const { loss, reorder, latencyMs, jitterMs } = network.conditions
  return (
    loss === 0 &&
    reorder === 0 &&
    latencyMs + 5 * jitterMs < 500 &&
    network.isWhole &&
    devices.every(
      ({ disk, spec }) =>
        disk.slowMs === 0 && !disk.isFull && spec.diskMs === 0 && spec.drift === 0 && spec.skewMs === 0,
    )
  )
}

/** A handler that never fell silent is not stopped because others thought its device gone. */
function checkKept(scene: Scene, execution: Execution, device: SimDevice): void {
  const { stopped, run, assignment, startedMs, isLease } = execution
  if (stopped === null || (stopped.reason !== 'superseded' && stopped.reason !== 'lapsed') || isLease) return
  const { inside } = device
  const view = inside?.book.view(run) ?? null
  if (
    inside === null ||
    view === null ||
    device.isRevoked ||
    device.isByzantine ||
    !isMovedOnByTimeout(view, assignment, inside.book.records(run))
  )
    return
  const claimedMs = claimOf(scene, run, assignment, device.incarnation) ?? startedMs
  const silentMs = device.pulse.longestSilence(claimedMs, scene.nowMs)
  if (silentMs < timeoutOf(scene, run) * (1 - TOLERANCE))
    scene.violated(
      'first-keeps-it',
      `it was stopped (${stopped.reason}), though it had the run first and was never silent for over ${Math.round(silentMs)} ms`,
      { run, place: device.place },
    )
}

/** Whether a run went from an assignment to another for a timeout that its owner could void. */
function isMovedOnByTimeout(view: RunView, assignment: RecordId, records: readonly RunRecord[]): boolean {
  if (
    view.created.reconcile === 'latest' ||
    view.result !== null ||
    view.cancelled !== null ||
    view.error !== null
  )
    return false
  const own = view.previousAssignments.find(({ id }) => id === assignment)
  if (own === undefined || own.givenUp !== null || own.claimedAt === null) return false
  const children = records.filter(
    (record): record is RecordOf<'assigned'> => record.kind === 'assigned' && record.parent === assignment,
  )
  const rejected = new Set(view.rejected.map(({ record }) => record))
  const counted = children.filter(({ id }) => !rejected.has(id))
  const spent = records.filter(
    (record) => record.kind === 'held' && record.assignment === assignment && (record.voids?.length ?? 0) > 0,
  ).length
  const claims = records.filter((record) => record.kind === 'claimed' && record.assignment === assignment)
  const firstClaim = Math.min(...claims.map(({ stamp }) => stamp))
  return (
    counted.length > 0 &&
    spent < MAX_HELD_VOIDS &&
    counted.every(({ reason, stamp }) => reason === 'timeout' && stamp > firstClaim) &&
    descends(records, view.assignment?.id, assignment)
  )
}

function descends(records: readonly RunRecord[], from: RecordId | undefined, through: RecordId): boolean {
  const parents = new Map<RecordId, RecordId | undefined>()
  for (const record of records) if (record.kind === 'assigned') parents.set(record.id, record.parent)
  for (let id = from; id !== undefined; ) {
    if (id === through) return true
    const parent = parents.get(id)
    // Ids sort by time, and parents are earlier. Different records with one id can name each other in a ring.
    id = parent !== undefined && parent < id ? parent : undefined
  }
  return false
}

/** When a process first claimed an assignment, in the world's time. */
function claimOf(scene: Scene, run: string, assignment: RecordId, incarnation: number): number | null {
  let firstMs: number | null = null
  for (const record of scene.records.byRun.get(run) ?? []) {
    if (record.kind !== 'claimed' || record.assignment !== assignment || record.incarnation !== incarnation)
      continue
    const atMs = scene.records.all.get(record.id)?.atMs ?? 0
    firstMs = Math.min(firstMs ?? atMs, atMs)
  }
  return firstMs
}

function timeoutOf(scene: Scene, run: string): number {
  for (const record of scene.records.byRun.get(run) ?? [])
    if (record.kind === 'created' && record.heartbeat !== undefined) return record.heartbeat.timeoutMs
  return scene.heartbeat.timeoutMs
}
