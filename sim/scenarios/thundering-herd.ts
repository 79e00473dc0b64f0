import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const DEVICES = 20
const RUNS = 500
/** What each does if all do the same. */
const FAIR = RUNS / DEVICES

export const thunderingHerd: Scenario = scenario({
  name: 'thundering-herd',
  title: 'A thundering herd',
  tells:
    'Five hundred runs come in at one device, at once. Twenty devices share them, nobody idles while others queue, and each is done once.',
  devices: Array.from({ length: DEVICES }, () => ({ slots: 4 })),
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const runs: readonly Run[] = await simulation.during(
      Promise.all(Array.from({ length: RUNS }, () => stage.send(0, '1m'))),
    )
    const begunMs = simulation.nowMs
    await simulation.advance('15s')
    const idle = new Map<number, number>()
    const isWaiting = (run: Run): boolean => run.state === 'created' || run.state === 'reassigning'
    // Every second, for as long as there is more than a slot for each.
    while (runs.filter(isWaiting).length > DEVICES) {
      for (const { place } of simulation.devices)
        if ([...simulation.witness.executions.openOn(place)].length === 0)
          idle.set(place, (idle.get(place) ?? 0) + 1)
      await simulation.advance('1s')
    }
    stage.expectThat(
      'nobody is idle for long while others queue',
      [...idle.values()].every((seconds) => seconds <= 5),
      [...idle],
    )
    await stage.untilDone(0, runs)

    const took = (simulation.nowMs - begunMs) / 60_000
    // 500 runs of a minute on 80 slots are 6.25 minutes of work.
    stage.expectThat('all of it takes little longer than the work itself', took < 9, took)
    await stage.rest()
    stage.expectAllDone(runs)
    const doers = runs.map((run) => stage.doneBy(run, 0))
    const shares = simulation.devices.map(({ place }) => doers.filter((doer) => doer === place).length)
    stage.expectThat(
      'each does its share',
      shares.every((share) => share > FAIR / 2 && share < FAIR * 2),
      shares,
    )
    const { starts, doubleExecutions, decisions } = simulation.outcome()
    stage.expectThat('each is begun once', starts === RUNS && doubleExecutions === 0, {
      starts,
      doubleExecutions,
    })
    stage.expectThat('each is given once', decisions['created'] === RUNS, decisions)
  },
})
