/** What attacks on the journals once did to honest devices, and no longer do. */
import { expect, test } from 'vitest'
import { isTerminal, type RunId } from '../../../protocol/index.js'
import { OwnLog } from '../../../sim/byzantine/own-log.js'
import { type Device, groupOf, headsText, sync } from '../../journal/devices.js'
import { JOB, Pen } from '../../journal/forge.js'
import { HONEST, Town } from './town.js'

const UPKEEP_MS = 3_600_000

/** Each went on to count the branch that it saw first: a run was called off here, and waited there for its owner. */
test('devices that saw two branches of a forked log agree once its author is revoked', async () => {
  const town = await Town.of(7)
  const runs = await town.submit(6, 20_000)
  await town.advance(3000)
  await town.attack('equivocate')
  await town.revokeEvil()
  await town.advance(10 * 60_000)
  for (const place of HONEST) expect(town.views(place)).toEqual(town.views(0))
  await town.untilEnded(runs, 60_000)
})

/** Each sync lowered the place of the fork by one, and there is one sync with a device in a minute or so. */
test('a fork with long branches is found in one sync', async () => {
  const [ana, ben, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
  const [left, right] = [Pen.of(mallory), Pen.of(mallory)]
  const first = await left.write()
  right.record(JOB)
  right.adopt(left.signed[0] as Uint8Array)
  for (const device of [ana, ben]) await device.receive(first)
  for (let i = 0; i < 50; i++) {
    await ana.receive(await left.write([left.record({ ...JOB, input: 'left' })]))
    await ben.receive(await right.write([right.record({ ...JOB, input: 'right' })]))
  }
  await sync(ana, ben)
  expect(headsText(ana)).toBe(headsText(ben))
})

/** One about today's run in an old day's journal counted until upkeep dropped that day: on each device at another time. */
test('records in the journal of another day count alike before and after a restart', async () => {
  const town = await Town.of(7)
  const runs = await town.submit(6, 20_000)
  await town.advance(3000)
  await town.attack('stray')
  await town.untilEnded(runs)
  await town.advance(UPKEEP_MS + 60_000)
  await town.reopen(1)
  await town.advance(150_000)
  expect(town.views(1)).toEqual(town.views(0))
})

/** Honest devices wrote into the old day's journal, which upkeep dropped. */
test('the result of a run whose key was used in the journal of an old day is kept', async () => {
  const town = await Town.of(7)
  const [run] = (await town.submit(1, 30_000, { key: 'album' })) as [RunId]
  await town.advance(3000)
  await town.attack('squat')
  await town.advance(3000)
  for (const place of HONEST) await town.reopen(place)
  await town.untilEnded([run])
  const before = town.device(0).node.runs.view(run)?.result
  expect(before?.output).toMatch(/^done by/)
  await town.advance(UPKEEP_MS + 60_000)
  for (const place of HONEST) await town.reopen(place)
  await town.advance(60_000)
  expect(town.device(0).node.runs.view(run)?.result).toEqual(before)
})

test('a run is not lost when its key was used before, in the journal of an old day', async () => {
  const town = await Town.of(7)
  const { attacker } = town
  const log = new OwnLog(attacker, { journal: '2000-02-29' })
  const notBefore = town.world.nowMs + 10 * UPKEEP_MS
  const message = await log.write((write) =>
    write({ kind: 'created', type: 'work', key: 'album', notBefore }),
  )
  attacker.transport.publish('batches', message as Uint8Array)
  await town.advance(3000)
  const [run] = (await town.submit(1, 2000, { key: 'album' })) as [RunId]
  await town.advance(UPKEEP_MS + 60_000)
  await town.reopen(0)
  expect(town.stateOf(0, run)).toBe('completed')
})

test('the runs of these tests end when nobody does evil', async () => {
  const town = await Town.of(7)
  const runs = await town.submit(6, 30_000)
  await town.untilEnded(runs, 10 * 60_000)
  const views = town.inside(0).book.views
  expect(views.every(({ state }) => isTerminal(state))).toBe(true)
})
