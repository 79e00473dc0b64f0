/** `unbroken-logs`: what a disk holds of a log follows on, batch by batch. */
import { equalBytes, signedHash } from '../../protocol/index.js'
import type { Oracle, Scene } from './oracle.js'

/** The last batch that a disk got of a log. */
interface End {
  readonly sequence: number
  readonly hash: Uint8Array
}

export function logs(scene: Scene): Oracle {
  const ends = new Map<string, End>()

  return {
    onStored({ place, id }, { log, sequence, signed }) {
      // Only who does evil signs what does not follow; to read every batch on every disk would take too long.
      if (log.device === id || scene.placeOf(log.device)?.isByzantine !== true) return
      const name = `${place}/${log.journal}/${log.device}/${log.incarnation}`
      const last = ends.get(name)
      const { previous } = scene.records.read(log, signed)
      if (last?.sequence === sequence - 1 && !equalBytes(last.hash, previous))
        scene.violated(
          'unbroken-logs',
          `it holds batch ${sequence} of a log, which names another before it`,
          {
            place,
          },
        )
      ends.set(name, { sequence, hash: signedHash(signed) })
    },
  }
}
