import { describe, expect, it, vi } from 'vitest'
import { checkLaws } from '../../src/engine/laws.js'
import type { EngineState } from '../../src/engine/state.js'
import type * as Step from '../../src/engine/step.js'
import { Swarm } from './swarm.js'

/** Steps of one engine at one moment. More is a decision that leads to itself. */
const MAX_STEPS_AT_ONCE = 3000

const broken: string[] = []
const steps = new WeakMap<EngineState, { atMs: number; count: number }>()

// The laws of the engine are checked after each of its steps, on every device.
vi.mock('../../src/engine/step.js', async (original) => {
  const real = await original<typeof Step>()
  const step: typeof Step.step = (state, event) => {
    const effects = real.step(state, event)
    checkProgress(state)
    try {
      checkLaws(state)
    } catch (error) {
      broken.push(`after ${event.type}: ${error}`)
    }
    return effects
  }
  return { ...real, step }
})

function checkProgress(state: EngineState): void {
  const atMs = state.now.monoMs
  const before = steps.get(state)
  const count = before?.atMs === atMs ? before.count + 1 : 0
  steps.set(state, { atMs, count })
  if (count > MAX_STEPS_AT_ONCE) throw new Error('An engine turns in circles: time does not pass.')
}

/** SWARM_SEEDS=200 plays so many, SWARM_SEED=17 that one. */
const { SWARM_SEEDS = '10', SWARM_SEED } = process.env
const SEEDS =
  SWARM_SEED === undefined
    ? Array.from({ length: Number(SWARM_SEEDS) }, (_, i) => i + 1)
    : [Number(SWARM_SEED)]

describe('a swarm without faults begins each run once and ends it well', () => {
  it.each(SEEDS.slice(0, 4))('seed %i', (seed) => play(seed, false), 300_000)
})

describe('a swarm in trouble loses nothing, and agrees when the trouble is over', () => {
  it.each(SEEDS)('seed %i', (seed) => play(seed, true), 300_000)
})

async function play(seed: number, hasFaults: boolean): Promise<void> {
  const swarm = new Swarm({ seed, hasFaults })
  await swarm.play()
  expect([...broken.splice(0).slice(0, 3), ...swarm.violations]).toEqual([])
}
