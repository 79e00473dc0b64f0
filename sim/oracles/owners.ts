/** `one-owner`, `slots`: who works on what at once. */
import type { RunId } from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import { type Execution, isLive } from '../devices/execution.js'
import type { Oracle, Scene } from './oracle.js'

/** Milliseconds for which two may go on side by side though both could know better: a sync, a tick, a slow write. */
const SLACK_MS = 20_000

/** Milliseconds between two looks at what is done twice. */
const LOOK_MS = 1000

export function owners(scene: Scene): Oracle {
  /** Runs that several work on now, and since when those could know. */
  const doubled = new Map<RunId, number | null>()
  let lookedMs = 0

  const look = (run: RunId): void => {
    const live = scene.executions.of(run).filter(isLive)
    if (live.length < 2) {
      doubled.delete(run)
      return
    }
    const pair = knowing(scene, run, live)
    const sinceMs = pair === null ? null : (doubled.get(run) ?? scene.nowMs)
    doubled.set(run, sinceMs)
    if (pair === null || sinceMs === null || scene.nowMs - sinceMs <= SLACK_MS + pair.slowMs) return
    const [a, b] = pair.places
    doubled.delete(run)
    scene.violated(
      'one-owner',
      `${a} and ${b} are connected, have the same records, and have both worked on it for ${Math.round(scene.nowMs - sinceMs)} ms`,
      { run },
    )
  }

  return {
    onStart(execution, device) {
      const others = scene.executions.of(execution.run).filter(isLive)
      if (others.length > 1 && !doubled.has(execution.run)) doubled.set(execution.run, null)
      checkSlots(scene, device)
    },
    onStep() {
      if (doubled.size === 0 || scene.nowMs < lookedMs + LOOK_MS) return
      lookedMs = scene.nowMs
      for (const run of [...doubled.keys()]) look(run)
    },
    onEnd() {
      for (const { inside, place, isRevoked } of scene.devices)
        if (inside !== null && !isRevoked && inside.engine.used !== 0)
          scene.violated('slots', `${inside.engine.used} slots are in use though everything has ended`, {
            place,
          })
    },
  }
}

/** Two that work on a run, are connected, and have the same records of it. */
function knowing(
  scene: Scene,
  run: RunId,
  live: readonly Execution[],
): { readonly places: readonly [number, number]; readonly slowMs: number } | null {
  for (const one of live) {
    for (const other of live) {
      if (one.place >= other.place) continue
      const [a, b] = [scene.devices[one.place], scene.devices[other.place]]
      if (a === undefined || b === undefined || !isSound(a) || !isSound(b)) continue
      if (!scene.network.isOpen(a.id, b.id) || !haveSame(a, b, run)) continue
      return { places: [a.place, b.place], slowMs: 4 * (a.disk.slowMs + b.disk.slowMs) }
    }
  }
  return null
}

function isSound({ isActive, isRevoked, isByzantine, disk }: SimDevice): boolean {
  return isActive && !isRevoked && !isByzantine && !disk.isFull
}

function haveSame(a: SimDevice, b: SimDevice, run: RunId): boolean {
  const [ours, theirs] = [a.inside?.book.records(run) ?? [], b.inside?.book.records(run) ?? []]
  return ours.length === theirs.length && ours.every(({ id }, i) => id === theirs[i]?.id)
}

function checkSlots(scene: Scene, { place, inside }: SimDevice): void {
  const slots = inside?.engine.local?.slots ?? Number.POSITIVE_INFINITY
  let live = 0
  for (const execution of scene.executions.openOn(place)) if (isLive(execution)) live++
  if (live > slots)
    scene.violated('slots', `it works on ${live} runs at once, with ${slots} slots`, { place })
}
