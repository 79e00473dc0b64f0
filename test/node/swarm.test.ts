import { describe, expect, it, vi } from 'vitest'
import type * as Step from '../../src/engine/step.js'
import { checkLaws } from '../engine/laws.js'
import { Swarm } from './swarm.js'

const broken: string[] = []

// The laws of the engine are checked after each of its steps, on every device.
vi.mock('../../src/engine/step.js', async (original) => {
  const real = await original<typeof Step>()
  const step: typeof Step.step = (state, event) => {
    const effects = real.step(state, event)
    try {
      checkLaws(state)
    } catch (error) {
      broken.push(`after ${event.type}: ${error}`)
    }
    return effects
  }
  return { ...real, step }
})

/** SWARM_SEEDS=200 plays so many, SWARM_SEED=17 that one. */
const { SWARM_SEEDS = '12', SWARM_SEED } = process.env
const SEEDS =
  SWARM_SEED === undefined
    ? Array.from({ length: Number(SWARM_SEEDS) }, (_, i) => i + 1)
    : [Number(SWARM_SEED)]

describe('a swarm without faults begins each run once and ends it well', () => {
  it.each(SEEDS.slice(0, 4))('seed %i', (seed) => play(seed, false), 60_000)
})

describe('a swarm in trouble loses nothing, and agrees when the trouble is over', () => {
  it.each(SEEDS)('seed %i', (seed) => play(seed, true), 60_000)
})

async function play(seed: number, hasFaults: boolean): Promise<void> {
  const swarm = new Swarm({ seed, hasFaults })
  await swarm.play()
  expect([...broken.splice(0).slice(0, 3), ...swarm.violations]).toEqual([])
}
