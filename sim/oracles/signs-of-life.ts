/** `heard-from`, `fences-grow`: what a device that is well does within a moment: it beats, and answers a contest. */
import type { RunId } from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import { isLive } from '../devices/execution.js'
import type { Oracle, Scene } from './oracle.js'

/** Milliseconds between two looks. If more pass with nothing happening, nothing is known of that time. */
const LOOK_MS = 1000
const UNKNOWN_MS = 6000

/** Milliseconds for which a device may put off what it has to do: a sync, a tick, a write that failed. */
const SLACK_MS = 20_000

export function signsOfLife(scene: Scene): Oracle {
  /** Since when each device could have sent a beacon, and sent none. */
  const silent = new Map<SimDevice, number>()
  /** Since when each device knows that another was granted a higher fence for what it works on. */
  const contested = new Map<string, number>()
  let lookedMs = 0

  const lookAt = (device: SimDevice): void => {
    if (!isWell(device)) {
      silent.set(device, scene.nowMs)
      return
    }
    const { intervalMs } = scene.heartbeat
    const silentMs = scene.nowMs - (silent.get(device) ?? scene.nowMs)
    if (silentMs > 1.5 * intervalMs + SLACK_MS / 4) {
      silent.set(device, Number.POSITIVE_INFINITY)
      scene.violated('heard-from', `it is well, and has sent no beacon for ${Math.round(silentMs)} ms`, {
        place: device.place,
      })
    }
    for (const execution of scene.executions.openOn(device.place))
      if (isLive(execution)) lookAtFence(device, execution.run, execution.assignment)
  }

  const lookAtFence = (device: SimDevice, run: RunId, assignment: string): void => {
    const { inside, id, place, disk } = device
    const view = inside?.book.view(run)
    const isContested = view?.contested === true && view.owner === id && view.assignment?.id === assignment
    const name = `${assignment}/${place}`
    if (!isContested || disk.isFull || inside?.engine.heldBackUntilMs !== null) {
      contested.delete(name)
      return
    }
    const sinceMs = contested.get(name) ?? scene.nowMs
    contested.set(name, sinceMs)
    if (scene.nowMs - sinceMs <= SLACK_MS + 8 * disk.slowMs) return
    contested.set(name, Number.POSITIVE_INFINITY)
    scene.violated('fences-grow', 'it works on, and does not rise above what another was granted', {
      run,
      place,
    })
  }

  return {
    onPublish(device, topic) {
      if (topic === 'beacons') silent.set(device, scene.nowMs)
    },
    onStep() {
      if (scene.nowMs < lookedMs + LOOK_MS) return
      if (scene.nowMs > lookedMs + UNKNOWN_MS) {
        silent.clear()
        contested.clear()
      }
      lookedMs = scene.nowMs
      for (const device of scene.devices) {
        if (!silent.has(device)) silent.set(device, scene.nowMs)
        lookAt(device)
      }
    },
  }
}

/** It is up and awake, and knows that it belongs to the group. */
function isWell({ isActive, isRevoked, isByzantine, isAdmitted, inside }: SimDevice): boolean {
  return isActive && !isRevoked && !isByzantine && isAdmitted && inside?.engine.mayWrite === true
}
