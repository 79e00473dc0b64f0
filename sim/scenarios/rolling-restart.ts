import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

export const rollingRestart: Scenario = scenario({
  name: 'rolling-restart',
  title: 'A rolling restart',
  tells:
    'Each device leaves for a minute and comes back, one after the other, while work comes in and goes on. What a device hands back as it leaves costs no attempt, and nothing is lost.',
  devices: 5,
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const runs: Run[] = []
    for (const leaver of simulation.devices) {
      await stage.every('20s', '1m', () => submitOn((leaver.place + 1) % 5))
      await submitOn(leaver.place)
      const hands = [...simulation.witness.executions.openOn(leaver.place)].length
      stage.expectThat(`${leaver.place} leaves in the midst of work`, hands > 0, hands)
      simulation.leave(leaver.place)
      await stage.every('20s', '1m', () => submitOn((leaver.place + 1) % 5))
      stage.expectThat(`${leaver.place} is gone`, !leaver.isStarted)
      simulation.restart(leaver.place)
      await simulation.until(() => leaver.isUp, '1m')
    }
    await stage.untilDone(0, runs)

    await stage.rest()
    stage.expectAllDone(runs)
    const views = runs.map((run) => stage.view(run, 0))
    const spent = views.filter((view) => view?.attemptsSpent !== 0 || view.assignment?.attempt !== 1)
    stage.expectThat(
      'no attempt was spent',
      spent.length === 0,
      spent.map((view) => view?.assignment),
    )
    const { timeout = 0, released = 0 } = simulation.outcome().decisions
    stage.expectThat('nobody was taken for lost', timeout === 0, timeout)
    stage.expectThat('work was handed back', released > 0, released)
    const failed = stage.written.filter(({ record }) => record.kind === 'failed')
    stage.expectThat('nothing failed on the way', failed.length === 0, failed.length)

    async function submitOn(place: number): Promise<void> {
      runs.push(await stage.submit(place, '50s'))
    }
  },
})
