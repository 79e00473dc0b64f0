/** Attacks that nothing may come of: whoever worked on a run goes on, and does it once. */
import { describe, expect, test } from 'vitest'
import { FLOOD_BATCHES } from '../../../sim/byzantine/constants.js'
import { ATTACKS, type Attack, WITHIN_THE_RULES } from '../../../sim/byzantine/index.js'
import { isWhole, played } from './story.js'
import { HONEST } from './town.js'

const WITHOUT_EFFECT = (Object.keys(ATTACKS) as Attack[]).filter((kind) => !WITHIN_THE_RULES.has(kind))

/** Batches that a node writes by itself in such a story: its profile, and what it was given to do. */
const OF_ITS_NODE = 20

describe.each(WITHOUT_EFFECT)('%s', (kind) => {
  test('everyone goes on', async () => {
    const story = await played(kind)
    const { town, open, owners } = story
    await town.untilEnded(open)
    for (const [i, run] of open.entries()) {
      const view = town.device(0).node.runs.view(run)
      expect(view).toMatchObject({ state: 'completed', starts: 1 })
      expect(view?.result?.device).toBe(owners[i])
    }
    await isWhole(story)
    for (const place of HONEST) {
      const { members } = town.device(place).node.group.view
      expect([...members.keys()]).toEqual(town.devices.map(({ id }) => id))
      expect([...members.values()].every(({ revokedAt }) => revokedAt === null)).toBe(true)
      // Of an attack no more is kept than what is right in every respect.
      const stored = await town.storedOf(town.evil, place)
      expect(stored.length).toBeLessThan(OF_ITS_NODE + FLOOD_BATCHES)
    }
  })
})

test('what speaks for others is listed as rejected, and why', async () => {
  const { town, open } = await played('complete-all')
  const rejected = town.device(0).node.runs.view(open[0] as string)?.rejected ?? []
  expect(rejected).toHaveLength(7)
  expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['NOT_TARGET']))
})

test('a flood leaves as many batches as were right in it, and nothing else', async () => {
  const { town } = await played('flood')
  const day = (await town.storedOf(town.evil, 0)).filter(({ log }) => log.journal !== 'group')
  const old = day.filter(({ log }) => log.incarnation < town.evil.incarnation)
  expect(old).toHaveLength(FLOOD_BATCHES)
})

test('what comes from the future waits aside, and is taken when its time has come', async () => {
  const { town } = await played('future')
  const taken = async (): Promise<number> =>
    (await town.storedOf(town.evil, 0)).filter(({ log }) => log.incarnation < town.evil.incarnation).length
  await town.advance(30_000)
  expect(await taken()).toBe(2)
  await town.advance(60_000)
  expect(await taken()).toBe(2)
})

test('who is spoken for by false beacons is heard as before, and so is who sends them', async () => {
  const { town } = await played('fake-beacon')
  await town.advance(60_000)
  for (const { node } of town.honest)
    expect(node.devices.list().filter(({ isOnline }) => !isOnline)).toEqual([])
})
