/** `recorded-first`, `nothing-lost`, `own-log-kept`: persist, then publish, then act. */
import { readMessage } from '../../src/journal/message.js'
import type { SimDevice } from '../devices/device.js'
import type { Execution } from '../devices/execution.js'
import type { Oracle, Scene } from './oracle.js'

export function durability(scene: Scene): Oracle {
  return {
    onPublish(device, topic, bytes) {
      if (topic !== 'batches' || device.isByzantine) return
      for (const { elements } of readMessage(bytes).stretches)
        for (const signed of elements)
          if (!device.disk.isOwnSafe(signed))
            scene.violated('recorded-first', 'it published a batch that is not safe on its disk', {
              place: device.place,
            })
    },
    onStart(execution, device) {
      checkStarted(scene, execution, device)
    },
    onEnd() {
      checkAsked(scene)
      for (const device of scene.devices) checkOwn(scene, device)
    },
  }
}

/** The start is on the disk of whoever begins. */
function checkStarted(
  scene: Scene,
  { run, assignment, incarnation }: Execution,
  { id, disk, place }: SimDevice,
): void {
  for (const record of scene.records.byRun.get(run) ?? []) {
    if (record.kind !== 'started' || record.assignment !== assignment || record.author !== id) continue
    const noted = scene.records.all.get(record.id)
    if (record.incarnation === incarnation && noted !== undefined && disk.isSafe(noted.log, noted.sequence))
      return
  }
  scene.violated('recorded-first', 'it began before its start was safe on its disk', { run, place })
}

/** Whatever was acknowledged is known to everyone who is in. */
function checkAsked(scene: Scene): void {
  for (const { acknowledged, name, place } of scene.asked) {
    const by = scene.devices[place]
    if (acknowledged === null || by === undefined || by.isRevoked || by.wasOut) continue
    for (const device of scene.devices) {
      if (device.inside === null || device.isRevoked || device.isByzantine || !device.isAdmitted) continue
      if (device.inside.book.view(acknowledged.run) === null)
        scene.violated(
          'nothing-lost',
          `${name} was acknowledged by ${place} and is not known to ${device.name}`,
          {
            run: acknowledged.run,
            place: device.place,
          },
        )
    }
  }
}

/** What a device wrote durably about runs, its node still has. */
function checkOwn(scene: Scene, { id, inside, place, isRevoked, isByzantine }: SimDevice): void {
  if (inside === null || isRevoked || isByzantine) return
  for (const record of scene.records.own.get(id) ?? []) {
    const noted = scene.records.all.get(record)?.record
    if (noted === undefined || !('run' in noted)) continue
    const has = inside.book.records(noted.run).some((known) => known.id === record)
    if (!has) scene.violated('own-log-kept', `its own ${noted.kind} is gone`, { run: noted.run, place })
  }
}
