/** A mended fault that took thousands of journals to show: here a device lists fewer, so that it would show in a second. */
import { expect, test, vi } from 'vitest'
import type { RunId } from '../../../protocol/index.js'
import { BURIED_JOURNALS } from '../../../sim/byzantine/constants.js'
import { Town } from './town.js'

const LISTED = vi.hoisted(() => 150)

vi.mock('../../../src/journal/constants.js', async (original) => ({
  ...(await original<typeof import('../../../src/journal/constants.js')>()),
  MAX_LISTED_JOURNALS: LISTED,
}))

/** They pushed today's out of what a device lists, and what gossip lost was lost. */
test('journals of days to come do not keep today’s from being synced', async () => {
  expect(BURIED_JOURNALS).toBeGreaterThan(LISTED)
  const town = await Town.of(7)
  await town.attack('bury')
  await town.advance(5_000)
  town.network.partition([[0, 1].map((place) => town.device(place).id), [town.device(2).id]])
  const [run] = (await town.submit(1, 500)) as [RunId]
  await town.advance(5_000)
  town.network.heal()
  await town.advance(90_000)
  expect(town.stateOf(2, run)).toBe('completed')
})
