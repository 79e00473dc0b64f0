/** Starts another process of this program, that plays scripts. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PoolListener, PoolWorker } from '../sim/swarm/pool.js'
import type { PoolAnswer } from '../sim/swarm/pool-task.js'

/** In a clone this runs as TypeScript, and so have its workers to. */
const IS_SOURCE = import.meta.url.endsWith('.ts')

/** Nearly all that a simulation makes is short-lived: with room for it a tenth of the time is saved. */
const YOUNG = ['--max-semi-space-size=64']

export function startWorker(listener: PoolListener): PoolWorker {
  const file = fileURLToPath(new URL(IS_SOURCE ? './sim-worker.ts' : './sim-worker.js', import.meta.url))
  const child = fork(file, [], {
    execArgv: [...YOUNG, ...(IS_SOURCE ? ['--import', import.meta.resolve('tsx')] : [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let isEnded = false
  child.on('message', (answer) => listener.onAnswer(answer as PoolAnswer))
  child.on('exit', (code, signal) => {
    if (!isEnded) listener.onEnd(`Its process ended with ${signal ?? code}.`)
  })
  return {
    ask: (task) => child.send(task),
    end: () => {
      isEnded = true
      child.kill('SIGKILL')
    },
  }
}
