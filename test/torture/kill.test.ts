import { afterAll, describe, expect, it } from 'vitest'
import { buildChild } from './build.js'
import { planDevice, ROUNDS_A_DEVICE } from './plan.js'
import { tortureDevice } from './round.js'

const SEED = 1
const DEVICES = [0, 1, 2, 3, 4, 5]

const child = buildChild()
afterAll(child.remove)

describe('a process that is killed while it commits', () => {
  it.each(DEVICES)(
    'loses nothing that it acknowledged (device %i)',
    async (device) => {
      const plans = planDevice(SEED, device, ROUNDS_A_DEVICE)
      let rounds = 0
      for await (const { plan, problems, acknowledged } of tortureDevice(child.program, plans)) {
        expect(problems, JSON.stringify(plan)).toEqual([])
        expect(acknowledged).toBeGreaterThan(0)
        rounds++
      }
      expect(rounds).toBe(ROUNDS_A_DEVICE)
    },
    300_000,
  )
})
