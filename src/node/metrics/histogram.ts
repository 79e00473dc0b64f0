/** How a length of time is spread, in fixed buckets: a few hundred bytes, however much it has seen. */
import { BUCKETS_SECONDS } from './constants.js'

export interface HistogramSnapshot {
  readonly count: number
  /** Of all that was seen, in seconds. */
  readonly sum: number
  /** Null if nothing was seen. */
  readonly mean: number | null
  /** How many took up to `le` seconds, each with those before it. What took longer than the last is in `count` only. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[]
  /** Estimates: right about the bucket, evenly spread within it. Null if nothing was seen. */
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export class Histogram {
  readonly #counts = new Float64Array(BUCKETS_SECONDS.length + 1)
  #count = 0
  #sum = 0

  /** A stretch between two devices' clocks may come out negative: it counts as none. */
  observe(milliseconds: number): void {
    const seconds = milliseconds > 0 ? milliseconds / 1000 : 0
    let bucket = 0
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket++
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    this.#count++
    this.#sum += seconds
  }

  snapshot(): HistogramSnapshot {
    let below = 0
    const buckets = BUCKETS_SECONDS.map((le, i) => {
      below += this.#counts[i] as number
      return { le, count: below }
    })
    return {
      count: this.#count,
      sum: this.#sum,
      mean: this.#count === 0 ? null : this.#sum / this.#count,
      buckets,
      p50: this.#quantile(0.5),
      p90: this.#quantile(0.9),
      p99: this.#quantile(0.99),
    }
  }

  #quantile(share: number): number | null {
    if (this.#count === 0) return null
    const rank = share * this.#count
    let below = 0
    for (const [i, le] of BUCKETS_SECONDS.entries()) {
      const inBucket = this.#counts[i] as number
      if (inBucket > 0 && below + inBucket >= rank) {
        const from = i === 0 ? 0 : (BUCKETS_SECONDS[i - 1] as number)
        return from + (le - from) * ((rank - below) / inBucket)
      }
      below += inBucket
    }
    // Beyond the last bound there is nothing to measure by.
    return BUCKETS_SECONDS[BUCKETS_SECONDS.length - 1] ?? null
  }
}
