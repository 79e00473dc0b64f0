import { describe, expect, test } from 'vitest'
import { runSeed } from '../../../sim/swarm/swarm.js'

/** Small groups, as each is to be quick. CI plays many more, of up to nine devices: `npm run swarm`. */
const SAMPLE = [1, 2, 3, 4, 5, 6]
const DEVICES = 3

describe('A sample of the swarm', () => {
  for (const seed of SAMPLE) {
    test(`seed ${seed} breaks no invariant`, { timeout: 300_000 }, async () => {
      const { outcome } = await runSeed({ seed, devices: DEVICES })
      expect(outcome.violations).toEqual([])
      expect(outcome.simulatedMs).toBeGreaterThanOrEqual(3_600_000)
    })
  }

  test('the same seed gives the same log and the same digest', { timeout: 300_000 }, async () => {
    const first = await runSeed({ seed: 11, devices: DEVICES })
    const second = await runSeed({ seed: 11, devices: DEVICES })
    expect(second.outcome).toEqual(first.outcome)
  })

  test('without a fault every run is begun once, and completed', { timeout: 300_000 }, async () => {
    const { outcome } = await runSeed({ seed: 5, devices: DEVICES, faults: [] })
    expect(outcome).toMatchObject({
      violations: [],
      failed: 0,
      cancelled: 0,
      waiting: 0,
      doubleExecutions: 0,
    })
    expect(outcome.starts).toBe(outcome.runs)
  })
})
