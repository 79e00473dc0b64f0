/** Bounds within which scripts are drawn: small, so that a seed takes a second or two, and rough enough. */
import type { DrawOptions } from '../../sim/swarm/draw.js'
import type { FaultName } from '../../sim/swarm/faults.js'

export const SMALL: Omit<DrawOptions, 'seed'> = {
  devices: 4,
  runs: 25,
  hours: 0.5,
  heartbeat: { intervalMs: 5_000, timeoutMs: 15_000 },
}

/** Whatever breaks connections and processes. */
export const BREAKS: readonly FaultName[] = ['partitions', 'crashes', 'weather']

/** Nothing of consequence breaks, but people interfere, jobs fail and devices decline. */
export const CHORES: readonly FaultName[] = ['declines']
