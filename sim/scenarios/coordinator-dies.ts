import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const [DESK, SERVER, LAPTOP] = [0, 2, 4]

export const coordinatorDies: Scenario = scenario({
  name: 'coordinator-dies',
  title: 'The coordinator dies',
  tells:
    'Nobody votes: all devices work out the same coordinator from what they know of each other. It dies with work in its hands; the next one in line is there at once for all of them, and the work goes on.',
  devices: [{}, {}, { profile: 'always-on' }, {}, { profile: 'laptop' }],
  async story(stage) {
    const { simulation } = stage
    const coordinators = (): readonly (number | null)[] =>
      simulation.devices.filter(({ isUp }) => isUp).map(({ node }) => stage.placeOf(node.devices.coordinator))
    const asked: Run[] = []
    const ask = async (place: number): Promise<Run> => {
      const run = await stage.submit(place, '5m', { coordinator: true })
      asked.push(run)
      return run
    }

    await simulation.advance('3m')
    stage.expectThat(
      'all see the same coordinator: the server',
      coordinators().every((place) => place === SERVER),
      coordinators(),
    )
    await ask(DESK)
    await ask(LAPTOP)
    await simulation.advance('1m')
    stage.expectThat(
      'it gets what asks for a coordinator',
      asked.every((run) => stage.ownerOf(run, DESK) === SERVER),
    )

    simulation.crash(SERVER)
    // Whoever still thinks that it lives may give it this one.
    await ask(LAPTOP)
    await simulation.advance('4m')
    const [next] = coordinators()
    stage.expectThat(
      'all agree on the next',
      next !== SERVER && coordinators().every((place) => place === next),
      coordinators(),
    )
    stage.expectThat('it is a desktop: laptops come after', next !== LAPTOP, next)
    stage.expectThat(
      'what the dead one had is in other hands',
      asked.every((run) => stage.ownerOf(run, DESK) !== SERVER),
    )
    const late = await ask(LAPTOP)
    await simulation.advance('10s')
    stage.expectThat(
      'the next one gets what asks for a coordinator',
      stage.ownerOf(late, DESK) === next,
      stage.ownerOf(late, DESK),
    )
    await stage.untilDone(DESK, asked)

    simulation.restart(SERVER)
    await simulation.advance('3m')
    stage.expectThat(
      'the server is coordinator again',
      coordinators().every((place) => place === SERVER),
      coordinators(),
    )

    await stage.rest()
    stage.expectAllDone(asked)
    const most = Math.max(...asked.map((run) => stage.starts(run).length))
    stage.expectThat(
      'what it had was begun once more, nothing else twice',
      most === 2 && stage.starts(late).length === 1,
      most,
    )
  },
})
