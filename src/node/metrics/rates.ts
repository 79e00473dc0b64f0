/** How often something happens, over the last minutes: a ring of minute counters on the monotonic clock. */
import type { Clock } from '../../platform/seams.js'
import { RATE_MINUTES, RATE_STEP_MS } from './constants.js'

/** Per minute, over the last 1, 5 and 15 minutes; over the time the node is up while that is shorter. */
export interface Rate {
  readonly last1: number
  readonly last5: number
  readonly last15: number
}

export const RATED = ['claimed', 'completed', 'failed'] as const
export type Rated = (typeof RATED)[number]

// The minute that runs, the whole ones before it, and the one of which a part still counts.
const STEPS = Math.max(...RATE_MINUTES) + 1

export class Rates {
  readonly #clock: Clock
  readonly #startMs: number
  readonly #rings: { readonly [R in Rated]: Float64Array } = {
    claimed: new Float64Array(STEPS),
    completed: new Float64Array(STEPS),
    failed: new Float64Array(STEPS),
  }
  /** The minute that runs, counted from the start. */
  #minute = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startMs = clock.monotonicMs()
  }

  count(what: Rated): void {
    this.#advance()
    const ring = this.#rings[what]
    const at = this.#minute % STEPS
    ring[at] = (ring[at] as number) + 1
  }

  rate(what: Rated): Rate {
    const [last1, last5, last15] = RATE_MINUTES
    return {
      last1: this.#perMinute(what, last1),
      last5: this.#perMinute(what, last5),
      last15: this.#perMinute(what, last15),
    }
  }

  /** The share of runs that failed among those that ended by themselves; null if none did. */
  failureShare(): { readonly [P in keyof Rate]: number | null } {
    const [completed, failed] = [this.rate('completed'), this.rate('failed')]
    const share = (of: keyof Rate): number | null => {
      const ended = completed[of] + failed[of]
      return ended === 0 ? null : failed[of] / ended
    }
    return { last1: share('last1'), last5: share('last5'), last15: share('last15') }
  }

  /** The minute that runs counts as far as it has come, and of the oldest as much as it lacks: no jump on the minute. */
  #perMinute(what: Rated, minutes: number): number {
    const nowMs = this.#advance()
    const ring = this.#rings[what]
    const passed = (nowMs % RATE_STEP_MS) / RATE_STEP_MS
    let sum = 0
    for (let back = 0; back <= minutes && back <= this.#minute; back++) {
      const count = ring[(this.#minute - back) % STEPS] as number
      sum += back === minutes ? count * (1 - passed) : count
    }
    return sum / Math.min(minutes, Math.max(1, nowMs / RATE_STEP_MS))
  }

  /** Empties the minutes that went by since, and answers how long it has been up. */
  #advance(): number {
    const nowMs = this.#clock.monotonicMs() - this.#startMs
    const minute = Math.floor(nowMs / RATE_STEP_MS)
    // After a long pause once round is enough.
    const from = Math.max(this.#minute + 1, minute - STEPS + 1)
    for (let passed = from; passed <= minute; passed++) {
      for (const what of RATED) this.#rings[what][passed % STEPS] = 0
    }
    this.#minute = minute
    return nowMs
  }
}
