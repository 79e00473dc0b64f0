import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const [DESK, GPU, GRUMPY, PRINTER, SCANNER] = [0, 1, 2, 3, 4]

export const happyPath: Scenario = scenario({
  name: 'happy-path',
  title: 'A run, from made to done',
  tells:
    'Nothing goes wrong. A device does its own work at once, gives away what it cannot do, asks another when the first declines, and lets work wait until somebody comes who can do it.',
  devices: [
    {},
    { capabilities: ['gpu'] },
    // The election prefers a server: it is asked first, and declines everything.
    { profile: 'always-on', capabilities: ['printer'], declines: 1 },
    { capabilities: ['printer'] },
    { capabilities: ['scanner'], joinsLater: true },
  ],
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('1m')

    const own = await stage.submit(DESK, '20s', {}, 'own')
    stage.expectThat(
      'own work is taken at once',
      own.state === 'claimed' || own.state === 'processing',
      own.state,
    )
    await stage.untilDone(DESK, [own])
    stage.expectThat('it is done where it was made', stage.doneBy(own, DESK) === DESK)
    const first = stage.written.filter(({ record }) => 'run' in record && record.run === own.id).slice(0, 3)
    stage.expectThat(
      'it was made, given and taken in one write',
      first.map(({ record }) => record.kind).join() === 'created,assigned,claimed' &&
        new Set(first.map(({ log, sequence }) => `${log.device}/${sequence}`)).size === 1,
      first.map(({ record, sequence }) => `${record.kind} in batch ${sequence}`),
    )
    expectStates('own work', own, 'created', 'assigned', 'claimed', 'processing', 'completed')

    const render = await stage.submit(DESK, '20s', { requires: ['gpu'] }, 'render')
    stage.expectThat(
      'what the desk cannot do is given away at once',
      render.state === 'assigned',
      render.state,
    )
    await stage.untilDone(DESK, [render])
    stage.expectThat('it is done by the one who can', stage.doneBy(render, DESK) === GPU)
    expectStates('delegated work', render, 'created', 'assigned', 'claimed', 'processing', 'completed')

    const poster = await stage.submit(DESK, '20s', { requires: ['printer'] }, 'poster')
    stage.expectThat(
      'the server is asked first',
      stage.ownerOf(poster, DESK) === GRUMPY,
      stage.ownerOf(poster, DESK),
    )
    await stage.untilDone(DESK, [poster])
    stage.expectThat('it declines, and another does it', stage.doneBy(poster, DESK) === PRINTER)
    expectStates(
      'declined work',
      poster,
      'created',
      'assigned',
      'reassigning',
      'assigned',
      'claimed',
      'processing',
      'completed',
    )
    stage.expectThat(
      'a refusal spends no attempt',
      poster.view.attemptsSpent === 0,
      poster.view.attemptsSpent,
    )
    stage.expectThat(
      'who declined is in its history',
      poster
        .history()
        .some(({ device, reason }) => stage.placeOf(device) === GRUMPY && reason === 'declined'),
      poster.history(),
    )

    const scan = await stage.submit(DESK, '20s', { requires: ['scanner'] }, 'scan')
    await simulation.advance('5m')
    stage.expectThat('what nobody can do waits', scan.state === 'created', scan.state)
    simulation.join(SCANNER)
    await stage.untilDone(DESK, [scan], '5m')
    stage.expectThat('it is done by the newcomer', stage.doneBy(scan, DESK) === SCANNER)
    expectStates('work that waited', scan, 'created', 'assigned', 'claimed', 'processing', 'completed')

    await stage.rest()
    stage.expectAllDone([own, render, poster, scan])
    stage.expectThat('each was begun once', simulation.outcome().starts === 4, simulation.outcome().starts)

    function expectStates(what: string, run: Run, ...states: readonly string[]): void {
      const found = stage.journey(run, DESK).join(' → ')
      stage.expectThat(`${what} goes ${states.join(' → ')}`, found === states.join(' → '), found)
    }
  },
})
