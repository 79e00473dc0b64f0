/** A scenario can fail: what is not as it was expected, and a story that breaks off, stand in its result. */
import { expect, test } from 'vitest'
import { SCENARIOS } from '../../../sim/scenarios/index.js'
import { scenario } from '../../../sim/scenarios/scenario.js'

const ABOUT = { name: 'test', title: 'A test', tells: 'Nothing.', devices: 2 }

test('what is not as it was expected is a failure, and the story goes on', async () => {
  const { expectations, failures } = await scenario({
    ...ABOUT,
    async story(stage) {
      const run = await stage.submit(0, '1m')
      stage.expectThat('it is done at once', run.state === 'completed', run.state)
      await stage.untilDone(1, [run])
      stage.expectAllDone([run])
    },
  }).play()
  expect(expectations).toHaveLength(2)
  expect(failures).toMatchObject([{ what: 'it is done at once', details: 'processing' }])
})

test('a story that breaks off is a failure', async () => {
  const { failures } = await scenario({
    ...ABOUT,
    async story(stage) {
      const run = await stage.submit(0, '1m', { requires: ['what nobody has'] })
      await stage.untilDone(0, [run], '5m')
    },
  }).play()
  expect(failures).toMatchObject([{ what: 'the story goes on to its end' }])
  expect(failures[0]?.details).toContain('1 runs did not end within 5m')
})

test('what the oracles find stands in the result', async () => {
  const { violations } = await scenario({
    ...ABOUT,
    async story({ simulation }) {
      simulation.witness.violated('cost', 'for a test')
    },
  }).play()
  expect(violations).toMatchObject([{ invariant: 'cost', message: 'for a test' }])
})

test('the same seed tells the same story, byte for byte', async () => {
  const [first] = SCENARIOS
  const digests = [await first?.play({ seed: 3 }), await first?.play({ seed: 3 })].map(
    (result) => result?.simulation.outcome().logDigest,
  )
  expect(digests[0]).toBe(digests[1])
})

test('every scenario has a name of its own and says what it tells', () => {
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length)
  for (const { name, title, tells } of SCENARIOS) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(title).not.toBe('')
    expect(tells).toMatch(/\.$/)
  }
})
