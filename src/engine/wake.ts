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

/** After a start or a sleep nothing is gone on with before a sync: it may have moved on. */
export function waitsForSync(state: EngineState, tracked: Tracked): boolean {
  return waitsUntil(state, tracked, state.suspectUntilMs)
}

/** Nor is anything taken up, taken over or given away, or written by a clock that is in doubt. */
export function isHeldBack(state: EngineState, tracked: Tracked): boolean {
  return waitsUntil(state, tracked, state.heldBackUntilMs)
}

function waitsUntil(state: EngineState, tracked: Tracked, untilMs: number | null): boolean {
  if (untilMs !== null) wakeAt(state, tracked, untilMs)
  return untilMs !== null
}
