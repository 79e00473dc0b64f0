/** A process that plays the scripts it is sent, until whoever started it is gone. */
import type { PoolTask } from '../sim/swarm/pool-task.js'
import { answerTask } from '../sim/swarm/pool-worker.js'

process.on('message', (task: PoolTask) => {
  void answerTask(task, (answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
