/** Seeds that went wrong once, and what was wrong: each is played in every test run. */
import type { FaultName } from '../../sim/swarm/faults.js'

const ALL: readonly FaultName[] = [
  'partitions',
  'crashes',
  'sleep',
  'stalls',
  'disks',
  'churn',
  'links',
  'weather',
  'clocks',
  'declines',
]

export interface KnownSeed {
  readonly seed: number
  readonly faults: readonly FaultName[]
  /** What was wrong. */
  readonly was: string
}

export const SEEDS: readonly KnownSeed[] = [
  {
    seed: 116,
    faults: ALL,
    was: 'a clock that was set right kept the correction it had needed before, and wrote 48 minutes ahead of time',
  },
  {
    seed: 153,
    faults: ALL,
    was: 'runs that no longer count after a change of membership were given away again and again',
  },
  {
    seed: 13,
    faults: ['clocks'],
    was: 'a timer that was due by less than a rounding error was set again for ever',
  },
  {
    seed: 33,
    faults: ['clocks', 'crashes', 'sleep'],
    was: 'an oracle held claims against a device that could not know of them yet',
  },
  {
    seed: 130,
    faults: ALL,
    was: 'an oracle took work that was given back to its first owner for a double start',
  },
  {
    seed: 155,
    faults: ALL,
    was: 'the calm was over before messages that were ahead of time had been taken in',
  },
]
