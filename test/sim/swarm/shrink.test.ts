import { describe, expect, test } from 'vitest'
import { scriptText } from '../../../sim/cli/script-text.js'
import { readScript } from '../../../sim/script/read.js'
import type { Script, Step } from '../../../sim/script/types.js'
import { shrink } from '../../../sim/swarm/shrink.js'
import { scriptOfSeed } from '../../../sim/swarm/swarm.js'

const drawn: Script = scriptOfSeed({
  seed: 5,
  devices: 8,
  runs: 60,
  hours: 2,
  faults: ['partitions', 'crashes', 'clocks'],
})

const has = (script: Script, kind: Step['do'], count = 1): boolean =>
  script.steps.filter((step) => step.do === kind).length >= count

describe('the shortest script that goes wrong in the same way', () => {
  test('has only the steps that it takes', async () => {
    const { script, isShortest } = await shrink(drawn, {
      goesWrong: async (candidate) => has(candidate, 'crash', 2) && has(candidate, 'partition'),
      tries: 500,
    })
    expect(script.steps.map((step) => step.do).sort()).toEqual(['crash', 'crash', 'partition'])
    expect(isShortest).toBe(true)
  })

  test('has only the devices that it takes, and those are ordinary', async () => {
    const goesWrong = async ({ devices, steps }: Script): Promise<boolean> =>
      devices.length >= 3 && steps.some((step) => step.do === 'submit' && step.device === 2)
    const { script } = await shrink(drawn, { goesWrong, tries: 500 })
    expect(script.devices).toHaveLength(3)
    expect(script.devices[2]).toEqual({
      profile: 'desktop',
      role: 'member',
      capabilities: [],
      skewMs: 0,
      drift: 0,
      declines: 0,
      diskMs: 0,
      joinsLater: false,
    })
    expect(script.steps).toMatchObject([{ do: 'submit', type: 'work', count: 1, options: {} }])
    expect(script.network).toEqual({})
  })

  test('ends soon after its last step', async () => {
    const { script } = await shrink(drawn, {
      goesWrong: async (candidate) => has(candidate, 'heal'),
      tries: 500,
    })
    const [heal] = script.steps
    expect(Number(script.lasts) - Number(heal?.at)).toBeLessThan(1000)
  })

  test('can be saved and read, whatever was dropped', async () => {
    let seen = 0
    await shrink(drawn, {
      goesWrong: async (candidate) => {
        expect(readScript(scriptText(candidate), 'candidate.json').steps).toEqual(candidate.steps)
        return ++seen % 3 === 0
      },
      tries: 60,
    })
    expect(seen).toBe(60)
  })

  test('is the same each time', async () => {
    const goesWrong = async (candidate: Script): Promise<boolean> => has(candidate, 'skew', 3)
    const [a, b] = [await shrink(drawn, { goesWrong }), await shrink(drawn, { goesWrong })]
    expect(a).toEqual(b)
  })

  test('is looked for no longer than allowed', async () => {
    let plays = 0
    const { tries, isShortest, script } = await shrink(drawn, {
      goesWrong: async () => {
        plays++
        return false
      },
      tries: 7,
    })
    expect({ plays, tries, isShortest }).toEqual({ plays: 7, tries: 7, isShortest: false })
    expect(script).toEqual(drawn)
  })
})
