/** All classes of faults: each draws its steps. */
import { ATTACKS, type Attack } from '../byzantine/index.js'
import { PROFILES } from '../devices/profiles.js'
import type { Step } from '../script/types.js'
import type { Draw } from './draw.js'

export interface Fault {
  /** For people. */
  readonly what: string
  readonly steps: (draw: Draw) => Iterable<Step>
}

const MINUTE_MS = 60_000

/** Moments over the whole time: so many an hour, more or fewer by strength. */
function* moments({ random, lastsMs, strength }: Draw, anHour: number): Iterable<number> {
  const count = Math.ceil((lastsMs / 3_600_000) * anHour * (0.3 + strength))
  for (let i = 0; i < count; i++) yield Math.round(random.number() * lastsMs * 0.95)
}

/** How long a fault lasts: often short of the timeout, often beyond it. */
function span({ random, timeoutMs }: Draw): number {
  return Math.round(timeoutMs * random.pick([0.1, 0.4, 0.8, 1.2, 2, 5]) * (0.5 + random.number()))
}

function anyone({ random, devices }: Draw): number {
  return random.below(devices.length)
}

/** Anyone but the first, which the end needs; null if there is nobody. */
function another({ random, devices }: Draw): number | null {
  return devices.length < 2 ? null : 1 + random.below(devices.length - 1)
}

export type FaultName =
  | 'partitions'
  | 'links'
  | 'weather'
  | 'crashes'
  | 'sleep'
  | 'stalls'
  | 'clocks'
  | 'disks'
  | 'declines'
  | 'churn'
  | 'byzantine'

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  partitions: {
    what: 'the network is cut in two or three for a while',
    *steps(draw) {
      const { random, devices } = draw
      for (const at of moments(draw, 5)) {
        const sides: number[][] = Array.from({ length: 2 + random.below(2) }, () => [])
        for (let place = 0; place < devices.length; place++) random.pick(sides).push(place)
        yield { do: 'partition', at, sides: sides.filter(({ length }) => length > 0) }
        yield { do: 'heal', at: at + span(draw) }
      }
    },
  },
  links: {
    what: 'two devices lose each other, or one no longer hears the other',
    *steps(draw) {
      for (const at of moments(draw, 6)) {
        const [a, b] = [anyone(draw), anyone(draw)]
        if (a === b) continue
        if (draw.random.below(2) === 0) yield { do: 'sever', at, devices: [a, b] }
        else yield { do: 'deafen', at, from: a, to: b }
        yield { do: 'heal', at: at + span(draw) }
      }
    },
  },
  weather: {
    what: 'messages are slow, lost, doubled and out of order',
    *steps(draw) {
      const { random } = draw
      for (const at of moments(draw, 3)) {
        yield {
          do: 'network',
          at,
          latencyMs: random.pick([20, 200, 1500]),
          jitterMs: random.pick([10, 100, 800]),
          loss: random.pick([0, 0.05, 0.3]),
          duplicates: random.pick([0, 0.1]),
          reorder: random.pick([0, 0.2]),
          bytesPerSecond: random.pick([1_000_000, 20_000]),
        }
      }
    },
  },
  crashes: {
    what: 'processes die and start again, and what was not synced may be lost',
    *steps(draw) {
      for (const at of moments(draw, 8)) {
        const device = anyone(draw)
        yield { do: 'crash', at, device }
        yield { do: 'restart', at: at + Math.round(span(draw) * draw.random.pick([0.05, 1])), device }
      }
    },
  },
  sleep: {
    what: 'laptops and phones sleep, each as its kind does',
    *steps(draw) {
      const { random, lastsMs, devices } = draw
      for (let device = 0; device < devices.length; device++) {
        const { sleeps } = PROFILES[devices[device]?.profile ?? 'desktop']
        if (sleeps === null) continue
        for (let at = 0; ; ) {
          at += Math.round(random.number() * 2 * sleeps.everyMin * MINUTE_MS)
          if (at >= lastsMs) break
          const forMs = Math.round(random.number() * 2 * sleeps.forMin * MINUTE_MS)
          yield { do: 'sleep', at, device, for: forMs }
          at += forMs
        }
      }
    },
  },
  stalls: {
    what: 'event loops are blocked for seconds or minutes',
    *steps(draw) {
      for (const at of moments(draw, 6)) yield { do: 'stall', at, device: anyone(draw), for: span(draw) }
    },
  },
  clocks: {
    what: 'wall clocks are wrong, are set, and run too fast or too slow',
    *steps(draw) {
      const { random } = draw
      for (const at of moments(draw, 3))
        yield {
          do: 'skew',
          at,
          device: anyone(draw),
          ms: random.pick([-3_600_000, -30_000, 5_000, 45_000, 600_000]),
        }
    },
  },
  disks: {
    what: 'disks are slow, full, or have bad sectors',
    *steps(draw) {
      const { random } = draw
      for (const at of moments(draw, 4)) {
        const device = anyone(draw)
        const kind = random.below(3)
        if (kind === 0) {
          yield { do: 'disk', at, device, full: true }
          yield { do: 'disk', at: at + span(draw), device, full: false }
        } else if (kind === 1) yield { do: 'disk', at, device, slowMs: random.pick([0, 20, 900]) }
        else {
          yield { do: 'disk', at, device, damage: true }
          yield { do: 'crash', at: at + 1000, device }
          yield { do: 'restart', at: at + 2000, device }
        }
      }
    },
  },
  declines: {
    what: 'devices decline part of what they are offered',
    *steps() {
      // Told by the devices themselves.
    },
  },
  churn: {
    what: 'devices join, leave and come back; one is put out',
    *steps(draw) {
      for (const at of moments(draw, 4)) {
        const device = anyone(draw)
        yield { do: 'leave', at, device }
        yield { do: 'restart', at: at + span(draw), device }
      }
      const out = another(draw)
      if (out !== null && draw.random.below(2) === 0)
        yield { do: 'revoke', at: Math.round(draw.lastsMs * draw.random.number()), device: out }
    },
  },
  byzantine: {
    what: 'one member forges, replays, equivocates, floods and lies',
    *steps(draw) {
      const evil = another(draw)
      if (evil === null) return
      const kinds = Object.keys(ATTACKS) as Attack[]
      for (const at of moments(draw, 6))
        yield { do: 'attack', at, device: evil, kind: draw.random.pick(kinds) }
    },
  },
}
