/** Who can be expected to work, and on what. */
import type { RunView } from '../protocol/index.js'
import type { SimDevice } from './devices/device.js'

/** Devices of which work is expected to end: they are there, and belong. */
export function live(devices: readonly SimDevice[]): readonly SimDevice[] {
  return devices.filter(
    ({ isUp, isRevoked, isByzantine, isAdmitted }) => isUp && isAdmitted && !isRevoked && !isByzantine,
  )
}

/** Whether a run was made by a device that does evil: it may wait for the year 2248, and nobody waits for it. */
export function isByEvil(devices: readonly SimDevice[], { created }: RunView): boolean {
  return devices.some(({ id, isByzantine }) => isByzantine && id === created.author)
}

/** Whether some live device can do a run at all. */
export function isDoable(devices: readonly SimDevice[], view: RunView): boolean {
  const { created, paused } = view
  if (isByEvil(devices, view)) return false
  if (paused !== null || created.approval !== undefined) return false
  return live(devices).some(
    ({ id, spec, inside }) =>
      spec.role !== 'observer' &&
      spec.declines < 1 &&
      (created.requires ?? []).every((name) => spec.capabilities.includes(name)) &&
      (created.privacy ?? []).every((label) => label !== 'local_only' || id === created.author) &&
      inside?.engine.local?.handles.has(created.type) === true,
  )
}
