/** Runs that make room for more urgent ones: one for each, and the slot is then for that one. */
import type { DeviceId, RunNeeds, RunView } from '../../protocol/index.js'
import type { EngineState, Tracked } from './state.js'
import { stopWork } from './work.js'

/** Tells something less urgent to stop. True if a slot will be free for the run soon. */
export function makeRoom(state: EngineState, needs: RunNeeds, urgent: Tracked): boolean {
  if (isRoomComing(state, needs)) return true
  const victim = ownVictim(state, needs)
  if (victim === null) return false
  state.preempting.set(victim.run, urgent)
  stopWork(state, victim, 'preempted')
  return true
}

/** Whether something was told to make room for this run already. */
export function isRoomComing({ preempting }: EngineState, { run }: RunNeeds): boolean {
  for (const urgent of preempting.values()) if (urgent.run === run) return true
  return false
}

/** What could make room here for a run; null if nothing can, or it would not help. */
export function ownVictim(state: EngineState, needs: RunNeeds): Tracked | null {
  const { local, used, usedByType, config } = state
  if (local === null) return null
  const { priority, type } = needs
  const usable = priority >= config.choose.reservedFromPriority ? local.slots : local.slots - local.reserved
  if (used > usable) return null
  const isTypeFull = (usedByType.get(type) ?? 0) >= (local.handles.get(type) ?? 0)
  return victimOf(state, state.me, priority, ({ run, work, view }) => {
    const isFree = work !== null && work.stopping === null && work.outcome === null
    return isFree && !state.preempting.has(run) && (!isTypeFull || view.created.type === type)
  })
}

/** Whether another device, which has no free slot, would make room for a run. One run at a time is given to it like this. */
export function wouldMakeRoom(state: EngineState, device: DeviceId, priority: number): boolean {
  const pending = (state.holdings.of(device)?.assigned ?? 0) + (state.promised.get(device) ?? 0)
  return pending === 0 && victimOf(state, device, priority) !== null
}

/** The least urgent run of a device that may be preempted for one of this priority; of equals the latest. */
function victimOf(
  state: EngineState,
  device: DeviceId,
  priority: number,
  isEligible: (held: Tracked) => boolean = () => true,
): Tracked | null {
  const holding = state.holdings.of(device)
  if (holding === undefined || holding.preemptible === 0) return null
  let victim: Tracked | null = null
  for (const held of holding.runs) {
    const { view } = held
    if (view.created.preemptible !== true || view.priority >= priority || view.state === 'assigned') continue
    if (isEligible(held) && (victim === null || isLess(view, victim.view))) victim = held
  }
  return victim
}

function isLess(a: RunView, b: RunView): boolean {
  if (a.priority !== b.priority) return a.priority < b.priority
  return (a.assignment?.startedAt ?? 0) > (b.assignment?.startedAt ?? 0)
}
