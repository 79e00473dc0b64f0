/** Times in which this device did not tick: a claim that lived through one longer than its timeout has lapsed. */
import { MAX_GAPS } from './constants.js'
import type { EngineState } from './state.js'

export function noteGap(state: EngineState, gapMs: number): void {
  state.gaps.push({ endMs: state.now.monoMs, gapMs })
  if (state.gaps.length > MAX_GAPS) state.gaps.shift()
}

/** The longest gap between two own ticks since a moment on the monotonic clock. */
export function gapSince(state: EngineState, sinceMs: number): number {
  let longest = Math.max(state.config.tickMs, state.now.monoMs - state.pulse.tick.monoMs)
  for (const { endMs, gapMs } of state.gaps) if (endMs >= sinceMs) longest = Math.max(longest, gapMs)
  return Math.ceil(longest)
}
