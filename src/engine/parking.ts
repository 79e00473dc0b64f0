/** Runs that nobody can take: looked at again after a while, longer each time, or at once when somebody can do more. */
import { MAX_NO_DEVICE_BACKOFF_MS, NO_DEVICE_BACKOFF_MS } from './constants.js'
import type { EngineState, Tracked } from './state.js'

export function park(state: EngineState, tracked: Tracked): void {
  const backoffMs = Math.max(NO_DEVICE_BACKOFF_MS, tracked.backoffMs * 2)
  tracked.backoffMs = Math.min(MAX_NO_DEVICE_BACKOFF_MS, backoffMs)
  tracked.parkedUntilMs = state.now.monoMs + tracked.backoffMs
  tracked.mayAskAgain = true
  state.parked.add(tracked)
}
