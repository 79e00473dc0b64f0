/** What a worker does: plays a script, and looks for a shorter one if it goes wrong. */
import { minimumOf } from './pool-minimum.js'
import type { PoolAnswer, PoolTask } from './pool-task.js'
import { playSafely } from './swarm.js'

export async function answerTask(task: PoolTask, say: (answer: PoolAnswer) => void): Promise<void> {
  const { script, shrinkTries } = task
  const { outcome, lines } = await playSafely(script, { explain: false })
  const invariant = outcome.violations[0]?.invariant
  const goesOn = invariant !== undefined && shrinkTries > 0
  say({ what: 'played', outcome, lines, goesOn })
  if (goesOn) say({ what: 'shrunk', minimum: await minimumOf(script, invariant, shrinkTries) })
}
