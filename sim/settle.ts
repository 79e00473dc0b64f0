/** The end of a simulation: faults are taken back, and everything has to come to rest within a bound. */
import { equalBytes, isTerminal, type RunView } from '../protocol/index.js'
import type { SimDevice } from './devices/device.js'
import { isByEvil, isDoable, live } from './doable.js'
import { CONDITIONS } from './network/conditions.js'
import type { Simulation } from './simulation.js'

/** Milliseconds for syncs, backoffs of syncs and the exclusions that decay: whatever does not depend on the script. */
const REST_MS = 20 * 60_000

/** Beats of silence until the last of several owners in a row is given up. */
const TIMEOUTS = 6

/** Everything that was broken is mended, everyone who was away comes back, and who is evil is put out. */
export function takeFaultsBack(simulation: Simulation): void {
  simulation.heal()
  simulation.weather(CONDITIONS)
  simulation.witness.spans.end('weather', null, simulation.nowMs)
  for (const device of simulation.devices) {
    const { place, disk, spec } = device
    if (disk.isFull || disk.slowMs !== spec.diskMs)
      simulation.disk(place, { full: false, slowMs: spec.diskMs })
    simulation.wake(place)
    if (Math.abs(device.aheadMs) > 1000) simulation.skew(place, -Math.round(device.aheadMs))
    simulation.restart(place)
  }
  for (const { isByzantine, place } of simulation.devices) if (isByzantine) simulation.revoke(place)
}

/** A run that somebody paused waits for somebody: here, for this. True if there is such a run. */
function resumeAll({ node, inside }: SimDevice): boolean {
  let isAny = false
  for (const { view } of inside?.engine.runs.values() ?? []) {
    if (view.paused === null || isTerminal(view.state)) continue
    isAny = true
    void node.runs
      .get(view.run)
      ?.resume()
      .catch(() => undefined)
  }
  return isAny
}

/** Who was let in by an admin that was then put out may be out with it: somebody lets it in again. True if so. */
function readmitAll(first: SimDevice, devices: readonly SimDevice[]): boolean {
  const { members } = first.node.group.view
  if (first.place !== 0) return false
  const strangers = devices.filter(({ id }) => !members.has(id))
  for (const device of strangers) {
    device.wasOut = true
    void first.node.group.admit(device.id, { role: device.spec.role }).catch(() => undefined)
  }
  return strangers.length > 0
}

/** Milliseconds within which every run that a live device can do has ended, once faults are over. */
export function boundMs(simulation: Simulation): number {
  const { witness } = simulation
  let { timeoutMs } = witness.heartbeat
  let workMs = 0
  const seen = new Set<string>()
  for (const { isStarted, inside } of simulation.devices) {
    if (!isStarted) continue
    for (const view of inside?.book.views ?? []) {
      if (isTerminal(view.state) || seen.has(view.run)) continue
      seen.add(view.run)
      if (isByEvil(simulation.devices, view)) continue
      timeoutMs = Math.max(timeoutMs, view.created.heartbeat?.timeoutMs ?? 0)
      workMs += longestMs(simulation, view)
    }
  }
  return REST_MS + TIMEOUTS * timeoutMs + workMs + aheadMs(simulation)
}

/** All attempts of a run, one after the other, each as long as it may take. */
function longestMs({ witness, world }: Simulation, view: RunView): number {
  const job = witness.asked.find(({ acknowledged }) => acknowledged?.run === view.run)?.job ?? null
  const { timeoutMs = 3_600_000, notBefore = 0 } = view.created
  const onceMs = job === null || job.hangs ? timeoutMs : Math.min(timeoutMs, job.ms)
  return view.attemptsAllowed * (onceMs + witness.abortGraceMs) + Math.max(0, notBefore - world.nowMs)
}

/** What was written with a clock ahead of time is taken in by others only when time has caught up. */
function aheadMs({ witness, world }: Simulation): number {
  let aheadMs = 0
  for (const { record } of witness.records.all.values())
    aheadMs = Math.max(aheadMs, record.stamp / 1024 - world.nowMs)
  return aheadMs
}

/** Nothing is left to do, and all agree. */
export function isAtRest(simulation: Simulation): boolean {
  const devices = live(simulation.devices)
  if (simulation.devices.some((device) => device.isStarted && !device.isUp)) return false
  if (devices[0] !== undefined && (resumeAll(devices[0]) || readmitAll(devices[0], devices))) return false
  let first: Uint8Array | null = null
  for (const { inside } of devices) {
    if (inside === null || !inside.engine.isIdle) return false
    for (const { view } of inside.engine.runs.values())
      if (!isTerminal(view.state) && isDoable(simulation.devices, view)) return false
    const summary = inside.journals.summary()
    if (first === null) first = summary
    else if (!equalBytes(first, summary)) return false
  }
  return true
}
