/**
 * Who has what, from the views: the truth about a device's slots is in the journals, fresher than any beacon. Also where
 * to look when a device falls silent.
 */
import { type DeviceId, type HeartbeatPolicy, heartbeatOf, type RunView } from '../../protocol/index.js'
import type { Tracked } from './state.js'

export interface Holding {
  /** Claimed or in process. */
  claimed: number
  /** Assigned and not claimed yet. */
  assigned: number
  readonly runs: Set<Tracked>
  /** How many of them have a heartbeat of their own. */
  special: number
  /** How many of them may be told to make room. */
  preemptible: number
}

export class Holdings {
  readonly #byDevice = new Map<DeviceId, Holding>()

  of(device: DeviceId): Holding | undefined {
    return this.#byDevice.get(device)
  }

  get devices(): Iterable<[DeviceId, Holding]> {
    return this.#byDevice
  }

  /**
   * The view of a tracked run changed. Null: it was not, or is no longer, tracked. Returns the device that has one less
   * than before, if any.
   */
  update(tracked: Tracked, before: RunView | null, after: RunView | null): DeviceId | null {
    const [was, is] = [holderOf(before), holderOf(after)]
    const isSame = stageOf(before) === stageOf(after) && isSpecial(before) === isSpecial(after)
    if (was === is && isSame && isPreemptible(before) === isPreemptible(after)) return null
    if (was !== null) this.#move(was, before as RunView, tracked, -1)
    if (is !== null) this.#move(is, after as RunView, tracked, 1)
    return was === is ? null : was
  }

  #move(device: DeviceId, view: RunView, tracked: Tracked, by: 1 | -1): void {
    let holding = this.#byDevice.get(device)
    if (holding === undefined) {
      holding = { claimed: 0, assigned: 0, runs: new Set(), special: 0, preemptible: 0 }
      this.#byDevice.set(device, holding)
    }
    if (stageOf(view) === 'assigned') holding.assigned += by
    else holding.claimed += by
    if (isSpecial(view)) holding.special += by
    if (isPreemptible(view)) holding.preemptible += by
    if (by > 0) holding.runs.add(tracked)
    else holding.runs.delete(tracked)
    if (holding.runs.size === 0) this.#byDevice.delete(device)
  }

  /** The shortest silence that any run of a device allows, and the shortest interval that any asks for. */
  heartbeatOf(device: DeviceId): HeartbeatPolicy {
    let { timeoutMs } = heartbeatOf()
    let intervalMs = Number.POSITIVE_INFINITY
    const holding = this.#byDevice.get(device)
    if (holding === undefined || holding.special === 0) return { timeoutMs, intervalMs }
    for (const { view } of holding.runs) {
      const { heartbeat } = view.created
      if (heartbeat === undefined) continue
      const own = heartbeatOf(heartbeat)
      timeoutMs = Math.min(timeoutMs, own.timeoutMs)
      intervalMs = Math.min(intervalMs, own.intervalMs)
    }
    return { timeoutMs, intervalMs }
  }
}

/** Whether a run has a heartbeat of its own. An earlier `created` of the same key can change that. */
function isPreemptible(view: RunView | null): boolean {
  return view?.created.preemptible === true
}

function isSpecial(view: RunView | null): boolean {
  return view?.created.heartbeat !== undefined
}

function stageOf(view: RunView | null): 'assigned' | 'claimed' | null {
  switch (view?.state) {
    case 'assigned':
      return 'assigned'
    case 'claimed':
    case 'processing':
      return 'claimed'
    default:
      return null
  }
}

function holderOf(view: RunView | null): DeviceId | null {
  return stageOf(view) === null ? null : (view?.assignment?.device ?? null)
}
