import type { Run } from '../../src/node/run.js'
import type { Duration } from '../script/duration.js'
import { type Scenario, scenario } from './scenario.js'

const [DESK, LAPTOP] = [0, 1]

export const laptopLid: Scenario = scenario({
  name: 'laptop-lid',
  title: 'A laptop lid is shut',
  tells:
    'A laptop sleeps in the midst of its work. A nap costs it nothing; after a longer sleep another device has taken over, and the laptop lets it be.',
  devices: [{}, { profile: 'laptop' }, {}],
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')

    const mail = await stage.submit(LAPTOP, '5m', {}, 'mail')
    await nap('25s')
    await stage.untilDone(DESK, [mail])
    stage.expectThat('after a nap it goes on with its work', stage.doneBy(mail, DESK) === LAPTOP)
    stage.expectThat('nobody else began it', stage.starts(mail).length === 1, stage.starts(mail))

    // Its connections are gone after half a minute, so the others may suspect it early.
    const letter = await stage.submit(LAPTOP, '5m', {}, 'letter')
    await nap('45s')
    await stage.untilDone(DESK, [letter])
    stage.expectThat('whoever is back within the timeout keeps it', stage.doneBy(letter, DESK) === LAPTOP)
    stage.expectThat('without beginning anew', startsOn(letter, LAPTOP) === 1, stage.starts(letter))

    const film = await stage.submit(LAPTOP, '10m', {}, 'film')
    await simulation.advance('1m')
    simulation.sleep(LAPTOP)
    await simulation.advance('5m')
    const taker = stage.ownerOf(film, DESK)
    stage.expectThat('while it sleeps another takes over', taker !== null && taker !== LAPTOP, taker)

    simulation.wake(LAPTOP)
    await simulation.advance('30s')
    const [first, second] = stage.starts(film)
    stage.expectThat('awake, it stops what moved on', first?.stopped != null && first.place === LAPTOP, first)
    stage.expectThat('the other is not disturbed', second?.place === taker && second.stopped === null, second)
    stage.expectThat('the laptop knows who has it', stage.ownerOf(film, LAPTOP) === taker)
    stage.expectThat(
      'it does not say that it held it',
      !stage.records(film).some(({ kind }) => kind === 'held'),
    )

    await stage.untilDone(LAPTOP, [film])
    stage.expectThat('the other one’s result is taken', stage.doneBy(film, LAPTOP) === taker)

    const later = await stage.submit(LAPTOP, '10s', {}, 'later')
    await stage.untilDone(DESK, [later])
    stage.expectThat('the laptop works on as before', stage.doneBy(later, DESK) === LAPTOP)

    await stage.rest()
    stage.expectAllDone([mail, letter, film, later])
    stage.expectThat(
      'two devices began the film, and no more',
      stage.starts(film).length === 2,
      stage.starts(film),
    )

    async function nap(time: Duration): Promise<void> {
      await simulation.advance('1m')
      simulation.sleep(LAPTOP)
      await simulation.advance(time)
      simulation.wake(LAPTOP)
    }

    function startsOn(run: Run, on: number): number {
      return stage.starts(run).filter(({ place }) => place === on).length
    }
  },
})
