/**
 * Times in which this device gave no sign of life: a claim that lived through one longer than its timeout has lapsed. They
 * are counted as the others count them, from beacon to beacon.
 */
import { MAX_GAPS, TICK_SLACK_MS } from './constants.js'
import type { EngineState } from './state.js'

/** How long this device has been silent by now, time that it slept through included. */
export function silenceOf({ now, pulse }: EngineState): number {
  return now.monoMs - pulse.beaconMs + pulse.frozenMs
}

/** A beacon goes out: if it comes late, the time since the one before was a gap. */
export function noteGap(state: EngineState): void {
  const { now, pulse, gaps } = state
  const gapMs = silenceOf(state)
  const isFirst = pulse.beaconMs === Number.NEGATIVE_INFINITY
  if (!isFirst && gapMs > Math.min(pulse.intervalMs + slackOf(state), pulse.timeoutMs)) {
    gaps.push({ endMs: now.monoMs, gapMs, frozenMs: pulse.frozenMs })
    if (gaps.length > MAX_GAPS) gaps.shift()
  }
  pulse.frozenMs = 0
}

/** By how much something may be late on a device that is merely busy. */
export function slackOf({ pulse }: EngineState): number {
  return Math.min(TICK_SLACK_MS, pulse.timeoutMs / 4)
}

/** The longest silence of this device since a moment on the monotonic clock; at least what is usual. */
export function gapSince(state: EngineState, sinceMs: number): number {
  const { now, pulse } = state
  const gap = (endMs: number, gapMs: number, frozenMs: number): number =>
    endMs < sinceMs ? 0 : Math.min(gapMs, endMs - sinceMs + frozenMs)
  let longest = Math.max(pulse.intervalMs, gap(now.monoMs, silenceOf(state), pulse.frozenMs))
  for (const { endMs, gapMs, frozenMs } of state.gaps)
    longest = Math.max(longest, gap(endMs, gapMs, frozenMs))
  return Math.ceil(longest)
}
