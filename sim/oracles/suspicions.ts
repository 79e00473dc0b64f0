/** `justified-timeout`: nobody takes a run from a device that it hears. */
import type { AnyRecord, RecordOf, RunRecord } from '../../protocol/index.js'
import { ASSIGNMENT_TIMEOUT_MS, HEARTBEAT_TIMEOUT_MS } from '../../protocol/index.js'
import { MAX_HEARD_DEVICES } from '../constants.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'

/** Milliseconds between the decision and its record on the disk, beside what the disk takes. */
const WRITE_MS = 1500

export function suspicions(scene: Scene): Oracle {
  return {
    onRecord({ record }, holder) {
      if (record.kind !== 'assigned' || record.reason !== 'timeout' || record.author !== holder.id) return
      if (holder.isByzantine || scene.devices.length > MAX_HEARD_DEVICES) return
      const fault = faultOf(scene, record, holder)
      if (fault !== null) scene.violated('justified-timeout', fault, { run: record.run, place: holder.place })
    },
  }
}

function faultOf(scene: Scene, record: RecordOf<'assigned'>, author: SimDevice): string | null {
  // What its author knew: a claim by a clock far ahead waits aside until its time has come.
  const records = author.inside?.book.records(record.run) ?? []
  const parent = records.find(({ id }) => id === record.parent)
  if (parent?.kind !== 'assigned') return null
  const owner = scene.placeOf(parent.target)
  if (owner === undefined || owner.isRevoked || owner.isByzantine) return null
  const timeoutMs = timeoutOf(records)
  const decidedMs = scene.nowMs - WRITE_MS - 3 * author.disk.slowMs
  const upMs = decidedMs - author.startedMs
  const isClaimed = records.some((other) => other.kind === 'claimed' && other.assignment === parent.id)
  // Who says nothing at all loses it after the assignment's own time.
  const shortestMs = isClaimed ? timeoutMs / 2 : Math.min(timeoutMs / 2, assignmentMs(records))
  if (hasLeft(scene, owner)) return null
  if (upMs < shortestMs - WRITE_MS * 2)
    return `it had been up for ${Math.round(upMs)} ms only, and had not listened for long enough`
  if (!isClaimed || hasOtherProcess(records, owner, parent.id)) return null
  const heardMs = scene.heardMs(author, owner.id, decidedMs)
  if (heardMs === null || decidedMs - heardMs >= shortestMs - WRITE_MS * 2) return null
  return `it had heard ${owner.name} ${Math.round(decidedMs - heardMs)} ms before`
}

/** It said goodbye, or has since started again: the process that had the run is no more. */
function hasLeft(scene: Scene, owner: SimDevice): boolean {
  return scene.disturbances.some(({ kind, place }) => place === owner.place && kind === 'leave')
}

function hasOtherProcess(records: readonly RunRecord[], owner: SimDevice, assignment: string): boolean {
  const claims = records.filter(
    (record: AnyRecord) => record.kind === 'claimed' && record.assignment === assignment,
  )
  return claims.every(({ incarnation }) => incarnation !== owner.incarnation)
}

function createdOf(records: readonly RunRecord[]): RecordOf<'created'> | undefined {
  return records.find((record): record is RecordOf<'created'> => record.kind === 'created')
}

function timeoutOf(records: readonly RunRecord[]): number {
  return createdOf(records)?.heartbeat?.timeoutMs ?? HEARTBEAT_TIMEOUT_MS
}

function assignmentMs(records: readonly RunRecord[]): number {
  return createdOf(records)?.assignmentTimeoutMs ?? ASSIGNMENT_TIMEOUT_MS
}
