/** `bounded-starts`: nothing is begun without a cause. */
import type { RunId } from '../../protocol/index.js'
import { type Execution, isLive } from '../devices/execution.js'
import type { Oracle, Scene } from './oracle.js'

export function starts(scene: Scene): Oracle {
  return {
    onStart(execution) {
      const { assignment, run, place } = execution
      if (assignment === '')
        scene.violated('bounded-starts', 'a handler was called for a run that has no assignment', {
          run,
          place,
        })
      else if (isDoubled(scene, execution))
        scene.violated('bounded-starts', 'a handler was called twice for one assignment', { run, place })
      const count = scene.executions.of(run).length
      const most = 1 + causesOf(scene, run)
      if (count > most)
        scene.violated('bounded-starts', `it was begun ${count} times; there are causes for ${most}`, {
          run,
          place,
        })
    },
  }
}

/** Whether the same process is at it already, and was not told to stop. */
function isDoubled(scene: Scene, { run, assignment, incarnation }: Execution): boolean {
  const others = scene.executions.of(run).slice(0, -1)
  return others.some(
    (other) => isLive(other) && other.assignment === assignment && other.incarnation === incarnation,
  )
}

/**
 * What was written down after which a run may be begun once more: each further assignment (the fold and the other oracles
 * ask for its cause), each further claim of one assignment, by a process that came after the one before, and each
 * assignment that was voided.
 */
function causesOf(scene: Scene, run: RunId): number {
  let assignments = 0
  let voidings = 0
  const claims = new Map<string, Set<number>>()
  for (const record of scene.records.byRun.get(run) ?? []) {
    if (record.kind === 'assigned') assignments++
    // Who was told to stop has it again if others are voided.
    if (record.kind === 'held') voidings += record.voids?.length ?? 0
    if (record.kind !== 'claimed') continue
    const processes = claims.get(record.assignment) ?? new Set()
    claims.set(record.assignment, processes.add(record.incarnation))
  }
  let again = 0
  for (const { size } of claims.values()) again += size - 1
  return Math.max(0, assignments - 1) + again + voidings + takenBack(scene, run)
}

/** Cancellations that stood on one branch of a forked log: who stopped for one goes on when the fork is found. */
function takenBack(scene: Scene, run: RunId): number {
  if (!scene.devices.some(({ isByzantine }) => isByzantine)) return 0
  return scene.executions.of(run).filter(({ stopped }) => stopped?.reason === 'cancelled').length
}
