/** `right-time`: whoever corrects its clock by the others' is not further off than the worst of them. */
import { START_MS } from '../constants.js'
import type { Oracle, Scene } from './oracle.js'

/** Milliseconds between two looks. */
const LOOK_MS = 5000

/** Milliseconds that beacons under way, each a little late, may put a clock off, one correction after the other. */
const SLACK_MS = 120_000

/** A clock may be set right after it was corrected, and others may go by it meanwhile. */
const TIMES = 3

export function clocks(scene: Scene): Oracle {
  let lookedMs = 0
  /** How far any clock was ever off by itself. */
  let worstMs = 0
  const told = new Set<number>()

  return {
    onStep() {
      if (scene.nowMs < lookedMs + LOOK_MS) return
      lookedMs = scene.nowMs
      if (scene.devices.some(({ isByzantine }) => isByzantine)) return
      const up = scene.devices.filter(({ isUp }) => isUp)
      const offMs = up.map(({ clock }) => clock.wallMs() - START_MS - scene.nowMs)
      for (const ms of offMs) worstMs = Math.max(worstMs, Math.abs(ms))
      for (const [i, { inside, place }] of up.entries()) {
        const ms = (offMs[i] ?? 0) + (inside?.engine.pulse.skewMs ?? 0)
        if (Math.abs(ms) <= TIMES * worstMs + SLACK_MS || told.has(place)) continue
        told.add(place)
        scene.violated(
          'right-time',
          `its clock is ${Math.round(ms / 1000)} s off after its correction, and none was off by more than ${Math.round(worstMs / 1000)} s`,
          { place },
        )
      }
    },
  }
}
