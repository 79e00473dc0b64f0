/** What handlers of simulated devices do: take their time, fail, hang, as their run's job says. */
import type { RunId } from '../../protocol/index.js'
import type { RunContext } from '../../src/node/context.js'
import type { Clock } from '../../src/platform/seams.js'
import type { Job } from '../script/types.js'

/** Does a job: a handler for runs whose input is one. */
export function doJob(clock: Clock, place: number, job: Job, context: RunContext): Promise<string> {
  const { signal, attempt } = context
  return new Promise<string>((resolve, reject) => {
    if (job.hangs && attempt === 1) return
    context.progress({ attempt })
    signal.addEventListener('abort', () => reject(signal.reason))
    clock.setTimer(job.ms, () =>
      attempt <= job.fails ? reject(new Error('no luck')) : resolve(`done by ${place}`),
    )
  })
}

/** Whether a device declines a run: always the same answer to the same question. */
export function declines(share: number, run: RunId, attempt: number, place: number): boolean {
  if (share === 0) return false
  let hash = 2166136261 ^ place
  for (const char of `${run}/${attempt}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32 < share
}
