/** Attacks come out the same each time: chance and time are the attacker's own. */
import { expect, test } from 'vitest'
import { ATTACKS, type Attack } from '../../../sim/byzantine/index.js'
import { EVIL, HONEST, Town } from './town.js'

/** What they leave behind makes all that follows slow. */
const LAST: readonly Attack[] = ['odd-runs', 'bury', 'flood', 'future']

function inOrder(): readonly Attack[] {
  const kinds = Object.keys(ATTACKS) as Attack[]
  return [...kinds.filter((kind) => !LAST.includes(kind)), ...LAST]
}

async function play(seed: number): Promise<unknown> {
  const town = await Town.of(seed)
  const log: unknown[] = []
  await town.submit(4, 1000)
  await town.submit(4, 60_000)
  await town.submit(1, 60_000, { key: 'album' })
  for (const kind of inOrder()) {
    await town.attack(kind)
    await town.advance(500)
    log.push([kind, town.world.happened, town.network.traffic, town.heads(0)])
  }
  const views = [...HONEST, EVIL].map((place) => [...town.views(place)])
  return { log, views, faults: town.faults }
}

test('all of them, one after the other, come out the same for the same seed, and nobody crashes', async () => {
  const first = await play(3)
  expect(first).toMatchObject({ faults: [] })
  expect(await play(3)).toEqual(first)
}, 300_000)
