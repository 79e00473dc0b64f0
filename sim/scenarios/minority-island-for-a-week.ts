import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const MAIN = [0, 1, 2]
const ISLAND = [3, 4]

export const minorityIslandForAWeek: Scenario = scenario({
  name: 'minority-island-for-a-week',
  title: 'An island, for a week',
  tells:
    'Two of five devices are cut off for seven days. Both sides make work and do it, each alone; when they meet again, every device knows everything, and nothing is done again.',
  devices: 5,
  // A week of beacons every 30 s is more than a million things that happen; nothing here depends on their number.
  heartbeat: { intervalMs: 600_000, timeoutMs: 1_800_000 },
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('5m')
    const before = await stage.submit(3, '2h', { timeoutMs: 4 * 3_600_000 }, 'begun before')
    await simulation.advance('5m')
    simulation.partition([MAIN, ISLAND])

    const [mainland, island]: [Run[], Run[]] = [[], []]
    await stage.every('6h', '7d', async (turn) => {
      mainland.push(await stage.submit(turn % 3, '10m', {}, `mainland-${turn + 1}`))
      mainland.push(await stage.submit(turn % 3, '5m', { key: `daily-${turn}` }, `daily-${turn + 1}`))
      island.push(await stage.submit(3 + (turn % 2), '10m', {}, `island-${turn + 1}`))
      if (turn % 4 === 0)
        island.push(await stage.submit(3, '5m', { key: `daily-${turn}` }, `daily-${turn + 1}`))
    })
    stage.expectThat(
      'the mainland did its own',
      mainland.every((run) => stage.isDone(run, 0)),
    )
    stage.expectThat(
      'the island did its own',
      island.every((run) => stage.isDone(run, 3)),
    )
    const written = stage.written.length
    const starts = simulation.outcome().starts

    simulation.heal()
    await simulation.advance('5m')
    stage.expectThat(
      'five minutes later all know all',
      [...mainland, ...island, before].every((run) =>
        simulation.devices.every(({ place }) => stage.isDone(run, place)),
      ),
    )

    await stage.rest()
    stage.expectAllDone([...mainland, ...island, before])
    stage.expectThat('nothing is begun for it', simulation.outcome().starts === starts)
    stage.expectThat(
      'nothing is written for it',
      stage.written.length === written,
      stage.written.length - written,
    )
    const twice = new Set(island.map(({ id }) => id).filter((id) => mainland.some((run) => run.id === id)))
    const shown = [...twice].filter((id) =>
      stage.view({ id }, 4)?.conflicts.some(({ type }) => type === 'completed'),
    )
    stage.expectThat(
      'what both did is one run with one result, and shows the other',
      twice.size === 7 && shown.length === 7,
      [twice.size, shown.length],
    )
  },
})
