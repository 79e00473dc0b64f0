/** When a run is looked at again, if nothing happens to it before. */
import { isTerminal } from '../../protocol/index.js'
import type { EngineState, Tracked } from './state.js'

/** At this time, or at its deadline if that comes first. Null: at its deadline only. */
export function wakeAt(state: EngineState, tracked: Tracked, atMs: number | null): void {
  const { deadline } = tracked.view.created
  const hasDeadline = deadline !== undefined && !isTerminal(tracked.view.state) && deadline > state.now.wallMs
  const endMs = hasDeadline ? state.monoOf(deadline) : Number.POSITIVE_INFINITY
  state.timers.set(tracked.timer, Math.min(atMs ?? Number.POSITIVE_INFINITY, endMs))
}
