import type { Run } from '../../src/node/run.js'
import { ATTACKS, type Attack } from '../byzantine/attack.js'
import { type Scenario, scenario } from './scenario.js'

const EVIL = 4

export const byzantineMember: Scenario = scenario({
  name: 'byzantine-member',
  title: 'One of us is evil',
  tells:
    'A member tries every attack that we know, one after the other, while the others work. They go on; it is put out in the end, and all that is theirs is done.',
  devices: 5,
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const runs: Run[] = []
    for (const kind of Object.keys(ATTACKS) as Attack[]) {
      const turn = runs.length
      runs.push(await stage.submit(turn % 4, '20s', {}, `during ${kind}`))
      await simulation.advance('10s')
      const beacons = simulation.witness.published.beacons
      simulation.attack(EVIL, kind)
      await simulation.advance('50s')
      const sent = simulation.witness.published.beacons - beacons
      stage.expectThat(`nobody is driven to send beacons without end by “${kind}”`, sent < 5 * 4 * 50, sent)
      runs.push(await stage.submit((turn + 1) % 4, '5s', {}, `after ${kind}`))
      await simulation.advance('1m')
      const up = stage.members.filter(({ isUp }) => isUp).length
      stage.expectThat(`all others are up after “${kind}”`, up === 4, up)
    }
    const done = runs.filter((run) => stage.isDone(run, 0)).length
    stage.expectThat(
      'most of the work is done in spite of it',
      done > runs.length * 0.8,
      `${done} of ${runs.length}`,
    )

    simulation.revoke(EVIL)
    await stage.untilDone(0, runs)
    await stage.rest()
    stage.expectAllDone(runs)
    stage.expectThat(
      'nobody is connected with it any more',
      stage.members.every(({ id }) => !simulation.network.isOpen(id, simulation.device(EVIL).id)),
    )
    const members = simulation
      .node(0)
      .devices.list()
      .filter(({ revoked }) => !revoked)
    stage.expectThat('it alone is out, and no stranger is in', members.length === 4, members.length)
  },
})
