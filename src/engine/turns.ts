/** Who acts when anyone may: everyone knows the line, and each waits its turn, so that one record is written and not N. */
import { type DeviceId, type Draft, reassignLine } from '../../protocol/index.js'
import { candidates } from './candidates.js'
import type { EngineState, Tracked } from './state.js'
import { isHeldBack, wakeAt } from './wake.js'

/**
 * How long this device waits before it acts for a run, in milliseconds; null if it may not. `first` goes first if it is
 * alive; the others follow in the order of the election.
 */
export function turnOf(state: EngineState, first: DeviceId, except: DeviceId | null): number | null {
  if (first === state.me && except !== state.me) return 0
  const line = reassignLine(
    {
      group: state.config.group,
      candidates: candidates(state, ''),
      assigner: first,
      except: except === null ? [] : [except],
    },
    state.config.choose,
  )
  return line.find(({ device }) => device === state.me)?.delayMs ?? null
}

/** Writes a record about a run when it is this device's turn, unless somebody did before. */
export function actInTurn(
  state: EngineState,
  tracked: Tracked,
  first: DeviceId,
  draft: Draft,
  sinceMs: number = tracked.sinceMs,
): void {
  if (isHeldBack(state, tracked)) return
  const turnMs = turnOf(state, first, null)
  if (turnMs === null) {
    // Not ours to say for now; whoever stands in the line may fall out of it.
    wakeAt(state, tracked, state.now.monoMs + state.config.heartbeat.timeoutMs)
    return
  }
  const dueMs = sinceMs + turnMs
  if (dueMs > state.now.monoMs) wakeAt(state, tracked, dueMs)
  else state.append(tracked, [draft])
}
