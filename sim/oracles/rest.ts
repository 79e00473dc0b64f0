/** `liveness`: once faults are over, everything that can be done is done. */
import { isTerminal } from '../../protocol/index.js'
import { explain } from '../../src/engine/index.js'
import type { Oracle, Scene } from './oracle.js'

export function rest(scene: Scene): Oracle {
  return {
    onEnd() {
      const told = new Set<string>()
      for (const { inside, place, isRevoked, isByzantine } of scene.devices) {
        if (inside === null || isRevoked || isByzantine) continue
        for (const view of inside.book.views) {
          if (isTerminal(view.state) || told.has(view.run) || !scene.isDoable(view)) continue
          told.add(view.run)
          const why = explain(inside.engine, view).sentences.slice(0, 4).join(' ')
          scene.violated('liveness', `it is still ${view.state}. ${why}`, { run: view.run, place })
        }
      }
    },
  }
}
