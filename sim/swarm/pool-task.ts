/** What workers are asked, and what they answer: plain data that threads can send each other. */
import type { Outcome } from '../outcome.js'
import type { Script } from '../script/types.js'

export interface PoolTask {
  readonly script: Script
  /** Scripts that may be played to find a shorter one that goes wrong in the same way. 0: it is not shortened. */
  readonly shrinkTries: number
}

/** A shorter script that goes wrong in the same way, and what came of it. */
export interface Minimum {
  readonly script: Script
  readonly outcome: Outcome
  readonly lines: readonly string[]
  readonly tries: number
}

export interface PoolResult {
  readonly outcome: Outcome
  /** The last lines about what was violated. */
  readonly lines: readonly string[]
  /** Null if nothing was violated, or if nothing shorter was looked for. */
  readonly minimum: Minimum | null
}

/** A worker says first what came of a script, then, if it was asked to, what the shortest one is. */
export type PoolAnswer =
  | {
      readonly what: 'played'
      readonly outcome: Outcome
      readonly lines: readonly string[]
      readonly goesOn: boolean
    }
  | { readonly what: 'shrunk'; readonly minimum: Minimum }
