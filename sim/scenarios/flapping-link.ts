import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const [DESK, FLAKY] = [0, 3]

export const flappingLink: Scenario = scenario({
  name: 'flapping-link',
  title: 'A flapping link',
  tells:
    'For half an hour a device loses all others every few seconds, and finds them again. Work goes on where it is: nobody is taken for lost, and little more is written than in good weather.',
  devices: 4,
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const runs: Run[] = []
    await stage.every('1s', '30m', async (turn) => {
      if (turn % 4 === 0) runs.push(await stage.submit((turn / 4) % 4, turn % 8 === 0 ? '3m' : '20s'))
      simulation.partition([[FLAKY], [0, 1, 2]])
      await simulation.advance(2000 + simulation.random.number() * 5000)
      simulation.heal()
      await simulation.advance(1000 + simulation.random.number() * 4000)
    })
    await stage.untilDone(DESK, runs)

    await stage.rest()
    stage.expectAllDone(runs)
    const { decisions, doubleExecutions } = simulation.outcome()
    const { created = 0, ...again } = decisions
    stage.expectThat('everything is given once', created === runs.length, { created, runs: runs.length })
    const reassigned = Object.values(again).reduce((sum, count) => sum + count, 0)
    stage.expectThat('next to nothing is given again', reassigned <= runs.length / 10, again)
    stage.expectThat('nothing is done twice', doubleExecutions === 0, doubleExecutions)
    const most = Math.max(...runs.map((run) => stage.records(run).length))
    stage.expectThat('no run has more records than it takes', most <= 12, most)
  },
})
