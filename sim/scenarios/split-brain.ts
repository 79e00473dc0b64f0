import { type Scenario, scenario } from './scenario.js'

const [LEFT, RIGHT] = [0, 2]

export const splitBrain: Scenario = scenario({
  name: 'split-brain',
  title: 'Split brain',
  tells:
    'The network falls into two halves, and both go on. Some work is then done on both sides at once; when they meet again, whoever had it first keeps it, and there is one result.',
  devices: 4,
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const before = await stage.submit(LEFT, '20m', {}, 'begun before the split')
    await simulation.advance('30s')
    simulation.partition([
      [0, 1],
      [2, 3],
    ])

    // Both sides are asked for the same, a minute apart.
    await simulation.advance('1m')
    const album = await stage.submit(LEFT, '15m', { key: 'album' }, 'album, on the left')
    const note = await stage.submit(LEFT, '30s', { key: 'note' }, 'note, on the left')
    await simulation.advance('1m')
    const sameAlbum = await stage.submit(RIGHT, '15m', { key: 'album' }, 'album, on the right')
    const sameNote = await stage.submit(RIGHT, '30s', { key: 'note' }, 'note, on the right')
    stage.expectThat(
      'one key makes one run on both sides',
      album.id === sameAlbum.id && note.id === sameNote.id,
    )

    await simulation.advance('3m')
    stage.expectThat('each side works on the album', stage.starts(album).length === 2, stage.starts(album))
    stage.expectThat('each side has done the note', stage.isDone(note, LEFT) && stage.isDone(note, RIGHT))
    const taker = stage.ownerOf(before, RIGHT)
    stage.expectThat('the right takes over what it thinks lost', taker === 2 || taker === 3, taker)
    stage.expectThat('the left goes on with it', stage.ownerOf(before, LEFT) === LEFT)

    simulation.heal()
    await simulation.advance('1m')
    for (const run of [before, album]) {
      const name = simulation.witness.nameOf(run.id)
      for (const { place } of simulation.devices)
        stage.expectThat(`${place} knows that the left has “${name}”`, stage.ownerOf(run, place) === LEFT)
      const [first, second] = stage.starts(run)
      stage.expectThat(
        `the left is not disturbed at “${name}”`,
        first?.place === LEFT && first.stopped === null,
      )
      stage.expectThat(`the right stops work on “${name}”`, second?.stopped?.reason === 'superseded', second)
      const held = stage.records(run).filter(({ kind }) => kind === 'held')
      stage.expectThat(
        `the left says that it held “${name}”`,
        held.some(({ author }) => stage.placeOf(author) === LEFT),
      )
      const fence = stage.view(run, RIGHT)?.fence ?? 0
      stage.expectThat(
        `its fence stands above all that was shown of “${name}”`,
        stage.starts(run).every((start) => start.place === LEFT || start.fence < fence),
      )
    }

    await stage.untilDone(RIGHT, [before, album])
    await stage.rest()
    stage.expectAllDone([before, album, note])
    for (const run of [before, album, note]) {
      const { result, conflicts } = run.view
      stage.expectThat('the result is the left’s', stage.placeOf(result?.device) === LEFT, result)
      stage.expectThat('that it was done twice is shown', conflicts.length > 0, conflicts)
    }
    stage.expectThat(
      'each was begun twice, never more',
      simulation.outcome().starts === 6,
      simulation.outcome().starts,
    )
  },
})
