/** `looked-at-again`: the laws of the engine, checked from outside, and that its one timer is armed. */
import { checkLaws } from '../../src/engine/laws.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'

/** Every so many things that happen, one device is looked at. */
const EVERY = 40

/** Milliseconds by which a timer may be late on a device that is well. */
const LATE_MS = 2000

export function engineLaws(scene: Scene): Oracle {
  let steps = 0
  let next = 0
  const broken = new Set<number>()

  const look = (device: SimDevice | undefined): void => {
    if (device?.inside == null || !device.isActive || broken.has(device.place)) return
    const fault = faultOf(device, device.inside.engine)
    if (fault === null) return
    broken.add(device.place)
    scene.violated('looked-at-again', fault, { place: device.place })
  }

  return {
    onStep() {
      if (++steps % EVERY !== 0) return
      look(scene.devices[next++ % scene.devices.length])
    },
    onCheck() {
      for (const device of scene.devices) look(device)
    },
    onEnd() {
      for (const device of scene.devices) look(device)
    },
  }
}

type Engine = NonNullable<SimDevice['inside']>['engine']

function faultOf({ clock }: SimDevice, engine: Engine): string | null {
  try {
    checkLaws(engine)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const monoMs = clock.monotonicMs()
  const { timerMs } = engine.pulse
  if (timerMs > monoMs + engine.config.tickMs + LATE_MS)
    return `its timer is set for ${Math.round(timerMs - monoMs)} ms from now only`
  const isLate = timerMs < monoMs - LATE_MS && !clock.wasBlocked(LATE_MS)
  return isLate ? `its timer was due ${Math.round(monoMs - timerMs)} ms ago` : null
}
