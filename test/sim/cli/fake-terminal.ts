/** A terminal that remembers what was printed, and whose workers work in this process. */
import type { ExitCode } from '../../../sim/cli/command.js'
import { main } from '../../../sim/cli/main.js'
import type { Terminal } from '../../../sim/cli/terminal.js'
import type { StartWorker } from '../../../sim/swarm/pool.js'
import type { PoolAnswer, PoolTask } from '../../../sim/swarm/pool-task.js'
import { answerTask } from '../../../sim/swarm/pool-worker.js'
import { systemClock } from '../../../src/platform/index.js'

export interface Said {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Runs `dibs sim …`. */
export async function dibsSim(
  args: string | readonly string[],
  changes: Partial<Terminal> = {},
): Promise<Said> {
  let out = ''
  let err = ''
  const code = await main({
    args: typeof args === 'string' ? args.split(' ') : args,
    print: (text) => {
      out += text
    },
    tell: (text) => {
      err += text
    },
    isWatched: false,
    hasColour: false,
    clock: systemClock,
    startWorker: workerThat(answerTask),
    cores: 2,
    ...changes,
  })
  return { code, out, err }
}

/** A worker that answers in this process. */
export function workerThat(
  answer: (task: PoolTask, say: (answer: PoolAnswer) => void) => Promise<void> | void,
): StartWorker {
  return (listener) => ({
    ask: (task) => void answer(task, (said) => listener.onAnswer(said)),
    end: () => undefined,
  })
}
