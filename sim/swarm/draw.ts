/** Draws a script by chance: who takes part, what they do, and all that goes wrong meanwhile. */
import { type SeededRandom, seededRandom } from '../../src/testing/seeded.js'
import { PROFILES, type ProfileName } from '../devices/profiles.js'
import type { DeviceSpec, Heartbeat, Script, Step } from '../script/types.js'
import { DEVICE_SPEC } from '../simulation.js'
import { drawWork } from './draw-work.js'
import { FAULTS, type FaultName } from './faults.js'

export interface DrawOptions {
  readonly seed: number
  /** @default 2 to 9, by chance: small groups more often, as most bugs need but a few devices and large ones take long */
  readonly devices?: number | undefined
  /** @default 10 to 60, by chance */
  readonly runs?: number | undefined
  /** @default 1 or 1.5, by chance */
  readonly hours?: number | undefined
  /** Which faults there may be. @default each or not, by chance */
  readonly faults?: readonly FaultName[] | undefined
  readonly heartbeat?: Heartbeat | undefined
}

const RHYTHMS: readonly Heartbeat[] = [
  { intervalMs: 30_000, timeoutMs: 90_000 },
  { intervalMs: 30_000, timeoutMs: 90_000 },
  { intervalMs: 30_000, timeoutMs: 90_000 },
  { intervalMs: 10_000, timeoutMs: 30_000 },
]

const HOUR_MS = 3_600_000

/** What faults are drawn from: chance, time, and who is there. */
export interface Draw {
  readonly random: SeededRandom
  readonly lastsMs: number
  readonly devices: readonly DeviceSpec[]
  /** How much goes wrong, 0 to 1. */
  readonly strength: number
  readonly timeoutMs: number
}

export function drawScript(options: DrawOptions): Script {
  const { seed } = options
  const random = seededRandom(seed * 2_654_435 + 17)
  const heartbeat = options.heartbeat ?? random.pick(RHYTHMS)
  const count = options.devices ?? 2 + Math.min(random.below(8), random.below(8))
  const hours = options.hours ?? random.pick([1, 1, 1, 1.5])
  const runs = options.runs ?? 10 + random.below(51)
  const drawn = (Object.keys(FAULTS) as FaultName[]).filter(() => random.below(5) < 2)
  const faults = options.faults ?? drawn
  const lastsMs = Math.round(hours * HOUR_MS)
  const devices = Array.from({ length: count }, (_, place) => drawDevice(random, place, faults))
  const draw: Draw = { random, lastsMs, devices, strength: random.number(), timeoutMs: heartbeat.timeoutMs }
  const steps: Step[] = [...drawWork(draw, runs, faults.length > 0)]
  for (const name of faults) steps.push(...FAULTS[name].steps(draw))
  for (let place = 1; place < count; place++)
    if (devices[place]?.joinsLater === true)
      steps.push({ do: 'join', device: place, at: Math.round(random.number() * 0.7 * lastsMs) })
  return {
    title: `seed ${seed}: ${faults.length === 0 ? 'no faults' : faults.join(', ')}`,
    seed,
    devices,
    network: { latencyMs: random.pick([2, 20, 150]), jitterMs: random.pick([1, 10, 60]) },
    signatures: 'virtual',
    heartbeat,
    abortGraceMs: 10_000,
    steps: steps.filter(({ at }) => Number(at) <= lastsMs).sort((a, b) => Number(a.at) - Number(b.at)),
    lasts: lastsMs,
  }
}

/** The first device can do everything, and stays: whatever is asked for, somebody can do it in the end. */
function drawDevice(random: SeededRandom, place: number, faults: readonly FaultName[]): DeviceSpec {
  const names = Object.keys(PROFILES) as ProfileName[]
  const has = (name: FaultName): boolean => faults.includes(name)
  const isFirst = place === 0
  return {
    ...DEVICE_SPEC,
    profile: isFirst ? 'desktop' : random.pick(names),
    role: isFirst || random.below(6) === 0 ? 'admin' : random.below(12) === 0 ? 'observer' : 'member',
    capabilities: ['gpu', 'disk'].filter(() => isFirst || random.below(2) === 0),
    skewMs: has('clocks') ? random.pick([0, 0, 0, -20_000, 25_000, -600_000, 50_000]) : 0,
    drift: has('clocks') ? random.pick([0, 0, 0.0001, -0.0002]) : 0,
    declines: has('declines') && !isFirst ? random.pick([0, 0.3, 1]) : 0,
    diskMs: has('disks') ? random.pick([0, 0, 5, 40]) : 0,
    joinsLater: has('churn') && !isFirst && random.below(4) === 0,
  }
}
