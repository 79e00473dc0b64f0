import { describe, expect, test } from 'vitest'
import { runSeed } from '../../sim/swarm/swarm.js'
import { SEEDS } from './seeds.js'

describe('Seeds that went wrong once', () => {
  for (const { seed, faults, was } of SEEDS) {
    test(`seed ${seed}: ${was}`, { timeout: 120_000 }, async () => {
      const { outcome } = await runSeed({ seed, faults })
      expect(outcome.violations).toEqual([])
    })
  }
})
