/** `fences-grow`: what a handler passes to the outside stands above whatever was passed before. */
import type { RunRecord } from '../../protocol/index.js'
import type { Oracle, Scene } from './oracle.js'

export function fences(scene: Scene): Oracle {
  return {
    onStart({ run, assignment, fence, place, isLease }, device) {
      const { inside } = device
      const records = inside?.book.records(run) ?? []
      const view = inside?.book.view(run) ?? null
      const known = highestGrant(records, assignment)
      if (fence <= known && view?.contested !== true && !isLease)
        scene.violated('fences-grow', `its fence ${fence} is not above ${known}, which another was granted`, {
          run,
          place,
        })
      if (fence === 0) scene.violated('fences-grow', 'it was begun without a fence', { run, place })
    },
    onChange(device, { before, after, records }) {
      // A revocation may take back what was granted after it.
      if (before === null || records.length === 0 || after.highestFence >= before.highestFence) return
      scene.violated(
        'fences-grow',
        `the highest fence fell from ${before.highestFence} to ${after.highestFence}`,
        {
          run: after.run,
          place: device.place,
        },
      )
    },
    onEnd() {
      for (const { inside, place, isRevoked } of scene.devices)
        for (const { view } of inside?.engine.runs.values() ?? [])
          if (view.contested && view.owner !== null && !isRevoked)
            scene.violated('fences-grow', 'its owner never rose above what another was granted', {
              run: view.run,
              place,
            })
    },
  }
}

/** The highest fence that was granted to anyone by another assignment, as far as a device knows. */
function highestGrant(records: readonly RunRecord[], assignment: string): number {
  let highest = 0
  for (const record of records) {
    const isGrant = record.kind === 'claimed' || record.kind === 'held'
    if (isGrant && record.assignment !== assignment) highest = Math.max(highest, record.stamp)
  }
  return highest
}
