/** Records where they do not belong, and journals of days that are none of the group's. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type RunId, stampOf } from '../../protocol/index.js'
import type { RefusalCode } from '../../src/journal/index.js'
import { DAY_MS, type Device, deliver, groupOf, START, snapshot } from './devices.js'
import { JOB, Pen } from './forge.js'

const TOMORROW = '2026-01-02'
const LATER = START + 3 * DAY_MS

let ana: Device
let ben: Device
let mallory: Device

beforeEach(async () => {
  ;[ana, ben, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
})

async function isRefused(message: Uint8Array, code: RefusalCode): Promise<void> {
  const before = await snapshot(ben)
  expect(await ben.receive(message)).toMatchObject({ status: 'refused', code, batches: 0 })
  expect(await snapshot(ben)).toEqual(before)
}

describe('a journal of a day', () => {
  test('that has not come is refused, and nothing is kept of it', async () => {
    await isRefused(await Pen.of(mallory, { journal: '2026-01-03' }).write(), 'NO_SUCH_DAY')
    await isRefused(await Pen.of(mallory, { journal: '2100-01-01' }).write(), 'NO_SUCH_DAY')
    expect(ben.clock.timers).toBe(0)
  })

  test('that was over before the group was founded is refused', async () => {
    await isRefused(await Pen.of(mallory, { journal: '2025-12-31' }).write(), 'NO_SUCH_DAY')
    await isRefused(await Pen.of(mallory, { journal: '1970-01-01' }).write(), 'NO_SUCH_DAY')
  })

  test('long ago is taken, if the group was there: devices come back after weeks', async () => {
    const pen = Pen.of(mallory)
    ben.clock.advance(300 * DAY_MS)
    expect(await ben.receive(await pen.write())).toMatchObject({ status: 'applied' })
  })

  test('that comes just now is taken: clocks differ', async () => {
    const midnight = START + DAY_MS / 2
    ben.clock.advance(midnight - 30_000 - START)
    const pen = Pen.of(mallory, { journal: TOMORROW })
    expect(await ben.receive(await pen.write([pen.record(JOB, stampOf(midnight))]))).toMatchObject({
      status: 'applied',
    })
  })
})

describe('a record is refused', () => {
  let run: RunId

  beforeEach(async () => {
    const [created] = await ana.take()
    run = (created as unknown as { run: RunId }).run
    await deliver(ana, ben)
    for (const { clock } of [ben, mallory]) clock.advance(LATER - START)
  })

  test('in the journal of another day than its run’s', async () => {
    const pen = Pen.of(mallory, { journal: TOMORROW })
    const record = pen.record({ kind: 'expedited', run, priority: 3 }, stampOf(LATER))
    await isRefused(await pen.write([record]), 'MISPLACED')
  })

  test('about a run in the group’s journal, about a device in a day’s', async () => {
    const inGroup = Pen.of(mallory, { journal: 'group' })
    await isRefused(
      await inGroup.write([inGroup.record({ kind: 'expedited', run, priority: 3 })]),
      'MISPLACED',
    )
    const inDay = Pen.of(mallory)
    const profile = inDay.record({ kind: 'profiled', name: 'm', class: 'server', capabilities: [] })
    await isRefused(await inDay.write([profile]), 'MISPLACED')
  })

  test('that makes a run in the journal of another day, with a key and without', async () => {
    for (const draft of [JOB, { ...JOB, key: 'album' }]) {
      const pen = Pen.of(mallory, { journal: TOMORROW })
      await isRefused(await pen.write([pen.record(draft, stampOf(LATER))]), 'MISPLACED')
    }
  })

  test('about a run with a key in the journal of a day that had not come', async () => {
    const pen = Pen.of(mallory, { journal: TOMORROW })
    const { run: keyed } = pen.record({ ...JOB, key: 'album' }) as unknown as { run: RunId }
    await isRefused(await pen.write([pen.record({ kind: 'paused', run: keyed })]), 'MISPLACED')
  })

  test('and where it belongs it is taken', async () => {
    const pen = Pen.of(mallory)
    const message = await pen.write([pen.record({ kind: 'expedited', run, priority: 3 }, stampOf(LATER))])
    expect(await ben.receive(message)).toMatchObject({ status: 'applied' })
  })
})
