import type { Run } from '../../src/node/run.js'
import { type Scenario, scenario } from './scenario.js'

const [DESK, PHONE] = [0, 2]

export const phoneInTheBackground: Scenario = scenario({
  name: 'phone-in-the-background',
  title: 'A phone in the background',
  tells:
    'A phone is awake for half a minute at a time, and asleep for ten. It asks others for what takes long, and does in its moments what only it can do.',
  devices: [{}, {}, { profile: 'phone', capabilities: ['camera'] }],
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const [uploads, photos]: [Run[], Run[]] = [[], []]

    await stage.every('10m', '2h', async (turn) => {
      simulation.wake(PHONE)
      await simulation.advance('10s')
      if (turn % 2 === 0) uploads.push(await stage.submit(PHONE, '4m', {}, `upload-${uploads.length + 1}`))
      await simulation.advance('20s')
      simulation.sleep(PHONE)
      await simulation.advance('1m')
      if (turn % 2 === 1)
        photos.push(await stage.submit(DESK, '3s', { requires: ['camera'] }, `photo-${photos.length + 1}`))
    })
    simulation.wake(PHONE)
    await simulation.advance('1m')

    const byOthers = uploads.filter((run) => [0, 1].includes(stage.doneBy(run, DESK) ?? -1))
    stage.expectThat(
      'others finish what the phone began',
      byOthers.length === uploads.length,
      byOthers.length,
    )
    stage.expectThat(
      'the phone knows of it',
      uploads.every((run) => stage.isDone(run, PHONE)),
    )
    stage.expectThat(
      'the phone takes the photos',
      photos.every((run) => stage.doneBy(run, DESK) === PHONE),
    )
    const most = Math.max(...uploads.map((run) => stage.starts(run).length))
    stage.expectThat('nothing goes back and forth: the phone begins it, one other ends it', most === 2, most)
    const held = stage.written.filter(
      ({ record }) => record.kind === 'held' && (record.voids?.length ?? 0) > 0,
    )
    stage.expectThat('the phone takes nothing back', held.length === 0, held.length)

    await stage.rest()
    stage.expectAllDone([...uploads, ...photos])
    stage.expectThat('there were many of each', Math.min(uploads.length, photos.length) >= 5)
  },
})
