/** What the commands take from the process they run in. */
import type { Clock } from '../../src/platform/seams.js'
import type { StartWorker } from '../swarm/pool.js'

export interface Terminal {
  /** Arguments after `dibs sim`. */
  readonly args: readonly string[]
  /** Prints what was asked for. */
  readonly print: (text: string) => void
  /** Prints what is not part of it: progress, errors. */
  readonly tell: (text: string) => void
  /** Whether somebody looks at what is told, so that a line may be overwritten. */
  readonly isWatched: boolean
  /** Whether what is printed may be coloured. */
  readonly hasColour: boolean
  /** Real time. Simulations never see it. */
  readonly clock: Clock
  readonly startWorker: StartWorker
  /** Cores of this machine. */
  readonly cores: number
}
