/** Draws runs, and what people do to them. */
import type { Job, JobOptions, Step } from '../script/types.js'
import type { Draw } from './draw.js'

const TYPES = ['render', 'mail', 'index'] as const
const ABILITIES = ['gpu', 'disk'] as const
const COMMANDS = ['cancel', 'pause', 'resume', 'retry', 'release', 'reassign'] as const

/** `isRough`: jobs fail and hang, keys collide, people interfere. */
export function* drawWork(draw: Draw, runs: number, isRough: boolean): Iterable<Step> {
  const { random, lastsMs, devices } = draw
  for (let i = 1; i <= runs; i++) {
    const at = Math.round(random.number() * lastsMs * 0.95)
    const device = random.below(devices.length)
    const count = isRough && random.below(15) === 0 ? 1 + random.below(12) : 1
    yield {
      do: 'submit',
      at,
      device,
      run: `run-${i}`,
      type: random.pick(TYPES),
      count,
      job: drawJob(draw, isRough),
      options: drawOptions(draw, isRough),
    }
    if (!isRough || random.below(6) > 0) continue
    const about = { at: Math.round(at + random.number() * 240_000), device: random.below(devices.length) }
    const run = count === 1 ? `run-${i}` : `run-${i}.1`
    if (random.below(6) === 0) yield { do: 'expedite', ...about, run, priority: random.below(41) - 20 }
    else yield { do: random.pick(COMMANDS), ...about, run }
  }
  if (!isRough) return
  for (let i = random.below(6); i > 0; i--)
    yield {
      do: 'pull',
      at: Math.round(random.number() * lastsMs),
      device: random.below(devices.length),
      forgets: random.below(3) === 0,
    }
}

function drawJob({ random }: Draw, isRough: boolean): Job {
  return {
    ms: Math.round(random.number() ** 3 * random.pick([5_000, 60_000, 400_000])),
    fails: isRough ? random.pick([0, 0, 0, 0, 1, 9]) : 0,
    hangs: isRough && random.below(20) === 0,
  }
}

function drawOptions({ random }: Draw, isRough: boolean): JobOptions {
  return {
    ...(isRough && random.below(6) === 0 && { key: `key-${random.below(4)}` }),
    ...(random.below(5) === 0 && { requires: [random.pick(ABILITIES)] }),
    ...(random.below(2) === 0 && { priority: random.pick(['high', 'normal', 'low'] as const) }),
    ...(random.below(3) === 0 && { preemptible: true }),
    ...(random.below(8) === 0 && { coordinator: true }),
    ...(random.below(8) === 0 && { reconcile: 'latest' as const }),
    ...(random.below(8) === 0 && { delayMs: random.below(60_000) }),
    ...(isRough && random.below(12) === 0 && { deadlineInMs: 1000 + random.below(600_000) }),
    ...(isRough && random.below(10) === 0 && { heartbeat: { intervalMs: 5000, timeoutMs: 15_000 } }),
    timeoutMs: 500_000,
  }
}
