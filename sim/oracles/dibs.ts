/** `first-has-dibs`: of assignments made side by side the earliest counts, and so does its result. */
import { msOf, type RecordId, type RecordOf, type RunRecord, type RunView } from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'

type Assigned = RecordOf<'assigned'>

export function dibs(scene: Scene): Oracle {
  const look = (device: SimDevice, view: RunView): void => {
    if (view.previousAssignments.length === 0 || scene.devices.some(({ isByzantine }) => isByzantine)) return
    const fault = faultOf(view, device.inside?.book.records(view.run) ?? [])
    if (fault !== null) scene.violated('first-has-dibs', fault, { run: view.run, place: device.place })
  }

  return {
    onChange(device, { before, after }) {
      if (before?.assignment?.id !== after.assignment?.id || after.result !== null) look(device, after)
    },
    onEnd() {
      for (const device of scene.devices)
        for (const view of device.inside?.book.views ?? []) look(device, view)
    },
  }
}

function faultOf(view: RunView, records: readonly RunRecord[]): string | null {
  // Of two that were made with one key the earlier goes before, whatever the times of their assignments.
  const createds = records.filter(({ kind }) => kind === 'created').length
  if (createds > 1 || view.rejectedCount > view.rejected.length) return null
  const rejected = new Set(view.rejected.map(({ record }) => record))
  const counted = records.filter(({ id }) => !rejected.has(id))
  const byId = new Map<RecordId, Assigned>()
  for (const record of counted) if (record.kind === 'assigned') byId.set(record.id, record)
  return view.result === null ? pathFault(view, byId, records) : resultFault(view.result, byId, counted)
}

/** The way from the root to the current assignment goes by the earliest at every fork. */
function pathFault(
  view: RunView,
  byId: ReadonlyMap<RecordId, Assigned>,
  records: readonly RunRecord[],
): string | null {
  const voided = new Set<RecordId>()
  for (const record of records)
    if (record.kind === 'held') for (const id of record.voids ?? []) voided.add(id)
  for (let at = byId.get(view.assignment?.id ?? ''); at !== undefined; at = byId.get(at.parent ?? '')) {
    for (const other of byId.values()) {
      const isBeside =
        other.parent === at.parent && (at.parent !== undefined || (other.round ?? 0) === (at.round ?? 0))
      if (isBeside && other.stamp < at.stamp && !voided.has(other.id))
        return `its assignment was made ${msOf(at.stamp) - msOf(other.stamp)} ms after another, which counts as well`
    }
  }
  return null
}

/** Of several results that of the earliest assignment is accepted. */
function resultFault(
  result: NonNullable<RunView['result']>,
  byId: ReadonlyMap<RecordId, Assigned>,
  counted: readonly RunRecord[],
): string | null {
  const accepted = byId.get(result.assignment)
  for (const record of counted) {
    const assigned = record.kind === 'completed' ? byId.get(record.assignment) : undefined
    if (assigned !== undefined && accepted !== undefined && assigned.stamp < accepted.stamp)
      return `its result is of an assignment made ${msOf(accepted.stamp) - msOf(assigned.stamp)} ms after another, which has one too`
  }
  return null
}
