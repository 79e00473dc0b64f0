/** Batches from the future: kept aside in bounds, applied when their time has come. */
import { beforeEach, expect, test } from 'vitest'
import { MAX_DRIFT_MS, stampOf } from '../../protocol/index.js'
import { MAX_EARLY_BYTES, MAX_EARLY_MESSAGES } from '../../src/journal/constants.js'
import { EarlyMessages } from '../../src/journal/early.js'
import { DAY_MS, type Device, groupOf, START, snapshot, TODAY, VirtualClock } from './devices.js'
import { JOB, Pen } from './forge.js'

let ben: Device
let pen: Pen

beforeEach(async () => {
  const [, b, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
  ben = b
  pen = Pen.of(mallory)
})

test('a batch from the future is refused, and applied by itself when its time has come', async () => {
  const before = await snapshot(ben)
  const message = await pen.write([pen.record(JOB, stampOf(START + MAX_DRIFT_MS + 1))])
  expect(await ben.receive(message)).toMatchObject({ status: 'refused', code: 'STAMP_AHEAD' })
  expect(await snapshot(ben)).toEqual(before)
  ben.clock.advance(10_000)
  await ben.receive(message) // Waits its turn behind the retry.
  expect(ben.journals.names).toContain(TODAY)
})

test('a batch from the year 2200 stays aside and does not move this device’s clock', async () => {
  const far = stampOf(Date.UTC(2200, 0, 1))
  const message = await pen.write([pen.record(JOB, far)])
  await ben.receive(message)
  for (let i = 0; i < 3; i++) ben.clock.advance(DAY_MS)
  expect(await ben.receive(message)).toMatchObject({ code: 'STAMP_AHEAD' })
  const [record] = await ben.take()
  expect(record?.stamp).toBeLessThan(stampOf(START + 4 * DAY_MS))
})

test('a batch that begins now and ends in the future is refused whole', async () => {
  const records = [pen.record(JOB), pen.record(JOB, stampOf(START + DAY_MS))]
  expect(await ben.receive(await pen.write(records))).toMatchObject({ code: 'STAMP_AHEAD', batches: 0 })
})

test('a closed device keeps no timer for messages from the future', async () => {
  await ben.receive(await pen.write([pen.record(JOB, stampOf(START + DAY_MS))]))
  expect(ben.clock.timers).toBe(1)
  await ben.journals.close()
  expect(ben.clock.timers).toBe(0)
})

test('the same message again takes no more room', () => {
  const early = new EarlyMessages(new VirtualClock(), () => undefined)
  for (let i = 0; i < 10; i++) early.keep(Uint8Array.of(1, 2, 3), START)
  expect(early.size).toBe(1)
})

test('what is kept aside has a limit in messages and in bytes: those of the furthest future go', () => {
  const kept: Uint8Array[] = []
  const clock = new VirtualClock()
  const early = new EarlyMessages(clock, (message) => kept.push(message))
  const count = MAX_EARLY_MESSAGES + 44
  for (let i = 0; i < count; i++) early.keep(Uint8Array.of(i >> 8, i & 255), START + count - i)
  expect(early.size).toBe(MAX_EARLY_MESSAGES)
  early.retryAll()
  expect(kept[0]).toEqual(Uint8Array.of((count - 1) >> 8, (count - 1) & 255))
  expect(kept[MAX_EARLY_MESSAGES - 1]).toEqual(Uint8Array.of(0, 44))
  expect(clock.timers).toBe(0)
  for (let i = 0; i < 10; i++) early.keep(new Uint8Array(1024 * 1024).fill(i), START)
  expect(early.size).toBe(MAX_EARLY_BYTES / (1024 * 1024))
})

test('a message from the future is checked again when its time has come, and not before', () => {
  const tried: number[] = []
  const clock = new VirtualClock()
  const early = new EarlyMessages(clock, ([first]) => tried.push(first as number))
  early.keep(Uint8Array.of(2), START + 2 * DAY_MS)
  early.keep(Uint8Array.of(1), START + DAY_MS)
  clock.advance(DAY_MS - 1)
  expect(tried).toEqual([])
  clock.advance(60_000)
  expect(tried).toEqual([1])
  clock.advance(DAY_MS)
  expect(tried).toEqual([1, 2])
  expect(clock.timers).toBe(0)
})

test('what is kept aside does not change with the buffer it came in', () => {
  const kept: Uint8Array[] = []
  const early = new EarlyMessages(new VirtualClock(), (message) => kept.push(message))
  const buffer = Uint8Array.of(1)
  early.keep(buffer, START)
  buffer[0] = 9
  early.retryAll()
  expect(kept).toEqual([Uint8Array.of(1)])
})
