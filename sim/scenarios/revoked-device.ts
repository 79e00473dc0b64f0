import { type Scenario, scenario } from './scenario.js'

const [ADMIN, STOLEN, FAR] = [0, 3, 4]

export const revokedDevice: Scenario = scenario({
  name: 'revoked-device',
  title: 'A device is put out',
  tells:
    'Two devices are revoked in the midst of their work, one of them out of reach. Their work moves on to others, nothing that they write afterwards counts, and nobody talks to them any more.',
  devices: [{}, {}, {}, { capabilities: ['gpu'] }, { capabilities: ['gpu'] }],
  async story(stage) {
    const { simulation } = stage
    await simulation.advance('2m')
    const near = await stage.submit(STOLEN, '20m', {}, 'near')
    const far = await stage.submit(FAR, '10m', {}, 'far')
    await simulation.advance('1m')
    simulation.partition([[FAR], [ADMIN, 1, 2, STOLEN]])
    await simulation.advance('10s')
    simulation.revoke(STOLEN)
    simulation.revoke(FAR)
    const revokedMs = simulation.nowMs
    await simulation.advance('30s')

    const stopped = stage.starts(near)[0]
    stage.expectThat(
      'the one within reach stops',
      stopped?.place === STOLEN && stopped.stopped !== null,
      stopped,
    )
    const successor = stage.ownerOf(near, ADMIN)
    stage.expectThat('its work moves on at once', successor !== null && successor !== STOLEN, successor)
    stage.expectThat('nobody is connected with it', isCutOff(STOLEN))
    const refused = await simulation.during(
      stage.send(STOLEN, '1s', {}, 'made when out').then(
        () => 'taken',
        (error: { code?: string }) => error.code,
      ),
    )
    stage.expectThat('it can make no work', refused === 'NOT_A_MEMBER', refused)

    // The other does not know yet: it goes on, and ends its work.
    await simulation.advance('12m')
    stage.expectThat('the one out of reach has a result', stage.doneBy(far, FAR) === FAR)
    const vain = await stage.submit(FAR, '10s', {}, 'in vain')
    await simulation.advance('1m')
    simulation.heal()
    await simulation.advance('5m')
    stage.expectThat('nobody is connected with that one either', isCutOff(FAR))
    stage.expectThat('what it made then is known to nobody', stage.view(vain, ADMIN) === null)

    await stage.untilDone(ADMIN, [near, far])
    await stage.rest()
    stage.expectAllDone([near, far])
    for (const run of [near, far]) {
      const by = stage.doneBy(run, ADMIN)
      stage.expectThat('the result is by a member', by !== null && by !== STOLEN && by !== FAR, by)
    }
    const held = stage.members.flatMap(({ inside }) =>
      [near, far].flatMap(({ id }) => inside?.book.records(id) ?? []),
    )
    const late = held.filter(
      ({ id, author }) =>
        [STOLEN, FAR].includes(stage.placeOf(author) ?? -1) &&
        (simulation.witness.records.all.get(id)?.atMs ?? 0) > revokedMs + 1000,
    )
    stage.expectThat(
      'no member holds what they wrote afterwards',
      late.length === 0,
      late.map(({ kind }) => kind),
    )

    function isCutOff(place: number): boolean {
      const { id } = simulation.device(place)
      return stage.members.every((member) => !simulation.network.isOpen(member.id, id))
    }
  },
})
