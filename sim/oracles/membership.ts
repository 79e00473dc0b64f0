/** `only-members`: nothing by a stranger, or by a device that is out, is kept or counts. */
import { msOf, type Stamp } from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'

export function membership(scene: Scene): Oracle {
  return {
    onRecord({ record }, holder) {
      const author = scene.placeOf(record.author)
      if (author === undefined)
        scene.violated('only-members', `it holds a ${record.kind} by a stranger`, { place: holder.place })
      else if (author !== holder && !author.isAdmitted && !author.isRevoked && record.kind !== 'admitted')
        scene.violated('only-members', `it holds a ${record.kind} by ${author.name}, which is not in`, {
          place: holder.place,
        })
    },
    onEnd() {
      for (const device of scene.devices) checkViews(scene, device)
    },
  }
}

/** No view rests on what a device wrote after it was put out. */
function checkViews(scene: Scene, { inside, place, isRevoked }: SimDevice): void {
  if (inside === null || isRevoked) return
  const { members } = inside.journals.group
  for (const { run, result, owner, cancelled } of inside.book.views) {
    for (const [what, device, at] of [
      ['result', result?.device, result?.at],
      ['cancellation', cancelled?.by, cancelled?.at],
      ['owner', owner ?? undefined, undefined],
    ] as const) {
      if (device === undefined) continue
      const member = members.get(device)
      const isOut = member?.revokedAt != null && (at === undefined || at > msOf(member.revokedAt as Stamp))
      if (member === undefined || isOut)
        scene.violated(
          'only-members',
          `its ${what} is by ${scene.placeOf(device)?.name ?? 'a stranger'}, which is out`,
          {
            run,
            place,
          },
        )
    }
  }
}
