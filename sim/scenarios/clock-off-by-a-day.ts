import { msOf, type Stamp } from '../../protocol/index.js'
import type { Run } from '../../src/node/run.js'
import { START_MS } from '../constants.js'
import type { Noted } from '../record-book.js'
import { type Scenario, scenario } from './scenario.js'

const DAY_MS = 86_400_000
const [AHEAD, BEHIND] = [3, 4]

/** Milliseconds by which a record's stamp may be off: what is corrected at all is corrected to within this. */
const CLOSE_MS = 5000

export const clockOffByADay: Scenario = scenario({
  name: 'clock-off-by-a-day',
  title: 'A clock that is off by a day',
  tells:
    'One device believes that it is tomorrow, another that it is yesterday. As soon as they hear the others they write with the time that most have; nobody else is drawn along, and all work is done.',
  // A day is waited out: beacons every 30 s would be most of what happens in it.
  heartbeat: { intervalMs: 300_000, timeoutMs: 900_000 },
  devices: [{}, {}, {}, { skewMs: DAY_MS }, { skewMs: -DAY_MS }],
  async story(stage) {
    const { simulation } = stage
    const told = new Map<number, number>()
    for (const place of [AHEAD, BEHIND])
      simulation
        .node(place)
        .addEventListener('node:skew', ({ detail }) => void told.set(place, detail.skewMs))
    await simulation.advance('2m')

    const runs: Run[] = []
    await stage.every('1m', '10m', async (turn) => runs.push(await stage.submit(turn % 5, '30s')))
    stage.expectThat('the one ahead is told so', near(told.get(AHEAD), -DAY_MS), told.get(AHEAD))
    stage.expectThat('the one behind is told so', near(told.get(BEHIND), DAY_MS), told.get(BEHIND))
    await stage.untilDone(0, runs, '10m')
    stage.expectThat(
      'both do their own work',
      [AHEAD, BEHIND].every((place) => runs.some((run) => stage.doneBy(run, 0) === place)),
    )
    const wrong = aboutRuns().filter((noted) => Math.abs(offMs(noted)) > CLOSE_MS)
    stage.expectThat(
      'everything is stamped with the right time',
      wrong.length === 0,
      wrong.map(({ record }) => record.kind),
    )

    // Alone, it has nobody to go by.
    simulation.partition([[AHEAD], [0, 1, 2, BEHIND]])
    simulation.crash(AHEAD)
    await simulation.advance('1m')
    simulation.restart(AHEAD)
    await simulation.until(() => simulation.device(AHEAD).isUp, '1m')
    await simulation.advance('1m')
    const lonely = await stage.submit(AHEAD, '30s', {}, 'made alone, tomorrow')
    await stage.untilDone(AHEAD, [lonely], '10m')
    const ahead = aboutRuns().filter((noted) => offMs(noted) > DAY_MS / 2)
    stage.expectThat('alone with a wrong clock it writes ahead of time', ahead.length > 0)

    simulation.heal()
    await simulation.advance('5m')
    const others: Run[] = []
    await stage.every('1m', '5m', async (turn) =>
      others.push(await stage.submit([0, 1, 2, BEHIND][turn % 4] ?? 0, '30s')),
    )
    await stage.untilDone(0, others, '10m')
    const drawn = aboutRuns().filter(
      (noted) => stage.placeOf(noted.record.author) !== AHEAD && Math.abs(offMs(noted)) > CLOSE_MS,
    )
    stage.expectThat(
      'nobody is drawn along',
      drawn.length === 0,
      drawn.map(({ record }) => record.kind),
    )
    stage.expectThat('what it wrote ahead of time waits aside', stage.view(lonely, 0) === null)

    await simulation.advance('1d')
    stage.expectThat('a day later its time has come', stage.isDone(lonely, 0), stage.state(lonely, 0))
    await stage.rest()
    stage.expectAllDone([...runs, lonely, ...others])

    /** What was written about runs so far. */
    function aboutRuns(): readonly Noted[] {
      return stage.written.filter(({ record }) => 'run' in record)
    }
  },
})

/** How far a record's stamp is ahead of the time at which it was written. */
function offMs({ record, atMs }: Noted): number {
  return msOf(record.stamp as Stamp) - (START_MS + atMs)
}

function near(found: number | undefined, wanted: number): boolean {
  return found !== undefined && Math.abs(found - wanted) < CLOSE_MS
}
