/** When a device was really heard from, as the world saw it: what its own claims are held against. */

/** Silences that are remembered of one process. */
const MAX_SILENCES = 256

export class DevicePulse {
  #lastMs: number | null = null
  /** Times between two beacons, the longest kept, in order. */
  readonly #silences: { readonly fromMs: number; readonly toMs: number }[] = []
  published = 0

  /** A new process: nothing of the one before counts. */
  reset(): void {
    this.#lastMs = null
    this.#silences.length = 0
  }

  beat(atMs: number): void {
    this.published++
    if (this.#lastMs !== null && atMs - this.#lastMs > 1000) {
      this.#silences.push({ fromMs: this.#lastMs, toMs: atMs })
      if (this.#silences.length > MAX_SILENCES) this.#silences.shift()
    }
    this.#lastMs = atMs
  }

  /** The longest time without a beacon since a moment; what lies before it does not count. */
  longestSilence(sinceMs: number, nowMs: number): number {
    let longest = nowMs - Math.max(sinceMs, this.#lastMs ?? sinceMs)
    for (const { fromMs, toMs } of this.#silences)
      if (toMs > sinceMs) longest = Math.max(longest, toMs - Math.max(fromMs, sinceMs))
    return longest
  }
}
