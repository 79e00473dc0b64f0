/** Finds the shortest script that violates an invariant, and plays it once more. */
import type { InvariantName } from '../oracles/names.js'
import type { Script } from '../script/types.js'
import type { Minimum } from './pool-task.js'
import { shrink } from './shrink.js'
import { playSafely } from './swarm.js'

/** The shortest script found that violates the same invariant. */
export async function minimumOf(
  script: Script,
  invariant: InvariantName,
  tries: number,
  onTry?: (tries: number, shortest: Script) => void,
): Promise<Minimum> {
  const goesWrong = async (candidate: Script): Promise<boolean> => {
    const { outcome } = await playSafely(candidate, { explain: false })
    return outcome.violations.some((violation) => violation.invariant === invariant)
  }
  const shrunk = await shrink(script, { goesWrong, tries, onTry })
  const { outcome, lines } = await playSafely(shrunk.script, { explain: false })
  return { script: shrunk.script, outcome, lines, tries: shrunk.tries }
}
