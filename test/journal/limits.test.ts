/** What is too large, and keys that are names of JavaScript’s own. */
import { beforeEach, expect, test } from 'vitest'
import { encodeCbor } from '../../protocol/cbor.js'
import { BATCH_VERSION, MAX_BATCH_BYTES, stampOf } from '../../protocol/index.js'
import { MAX_MESSAGE_BYTES, MAX_WAITING_BYTES, MAX_WAITING_MESSAGES } from '../../src/journal/constants.js'
import { type Device, groupOf, START, snapshot } from './devices.js'
import { Pen, wrapped } from './forge.js'
import { bytesInUse } from './heap.js'

let ben: Device
let pen: Pen

beforeEach(async () => {
  const [, b, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
  ben = b
  pen = Pen.of(mallory)
})

/** A batch of records given as the values they have on the wire, rightly signed. */
function raw(...records: readonly (readonly unknown[])[]): Promise<Uint8Array> {
  return pen.sign(encodeCbor([BATCH_VERSION, 0, pen.log.id, stampOf(START + 1000), records]))
}

async function isRefused(message: Uint8Array, code: string): Promise<void> {
  const before = await snapshot(ben)
  expect(await ben.receive(message)).toMatchObject({ status: 'refused', code })
  expect(await snapshot(ben)).toEqual(before)
}

test('a message over its limit', async () => {
  await isRefused(new Uint8Array(MAX_MESSAGE_BYTES + 1), 'TOO_LARGE')
  await isRefused(wrapped(new Uint8Array(MAX_MESSAGE_BYTES)), 'TOO_LARGE')
})

test('a batch over its limit, in a message within its own', async () => {
  const text = 'x'.repeat(1024)
  const records = Array.from({ length: 1003 }, (_, i) => [11, i === 0 ? 0 : 1, new Uint8Array(16), 1, text])
  const signed = await raw(...records)
  expect(signed.length).toBeGreaterThan(MAX_BATCH_BYTES)
  expect(signed.length).toBeLessThan(MAX_MESSAGE_BYTES)
  await isRefused(pen.message(signed, 0), 'BAD_BATCH')
})

test('a batch of 5,000 records, of nested lists, of nothing', async () => {
  await isRefused(
    pen.message(await raw(...Array.from({ length: 5000 }, (_, i) => [99, Math.min(i, 1)])), 0),
    'BAD_BATCH',
  )
  let deep: unknown = 1
  for (let i = 0; i < 100; i++) deep = [deep]
  await isRefused(pen.message(await raw([1, 0, 'test.job', deep]), 0), 'BAD_BATCH')
  await isRefused(pen.message(await raw(), 0), 'BAD_BATCH')
  await isRefused(pen.message(new Uint8Array(64), 0), 'BAD_BATCH')
  await isRefused(pen.message(new Uint8Array(0), 0), 'BAD_BATCH')
})

test('a payload with the key __proto__ is refused, and pollutes nothing', async () => {
  for (const payload of [
    Object.fromEntries([['__proto__', { polluted: true }]]),
    { a: Object.fromEntries([['__proto__', 1]]) },
  ]) {
    await isRefused(pen.message(await raw([1, 0, 'test.job', payload]), 0), 'BAD_BATCH')
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('a payload with the keys constructor and prototype is plain data', async () => {
  const payload = { constructor: { prototype: { polluted: true } }, toString: 1 }
  expect(await ben.receive(pen.message(await raw([1, 0, 'test.job', payload]), 0))).toMatchObject({
    status: 'applied',
  })
  expect(ben.eventsOf('records').at(-1)?.records[0]).toMatchObject({ input: payload })
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('an unknown record is kept as it is, and changes no view', async () => {
  const before = (await snapshot(ben)) as { views: string }
  const outcome = await ben.receive(pen.message(await raw([999, 0, { constructor: 1 }, [1, 2]]), 0))
  expect(outcome).toMatchObject({ status: 'applied', records: 1 })
  expect((await snapshot(ben)) as { views: string }).toMatchObject({ views: before.views })
  expect(ben.eventsOf('records').at(-1)?.records[0]).toMatchObject({ kind: 'unknown', code: 999 })
})

test('an unknown record with the key __proto__ pollutes nothing', async () => {
  const value = Object.fromEntries([['__proto__', { polluted: true }]])
  const outcome = await ben.receive(pen.message(await raw([999, 0, value]), 0))
  expect(['applied', 'refused']).toContain(outcome.status)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  for await (const line of ben.journals.exportLines('2026-01-01')) expect(line).toBeTypeOf('string')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('who sends faster than it can be checked is told, at a number of messages and of bytes', async () => {
  const small = Array.from({ length: MAX_WAITING_MESSAGES + 100 }, () => ben.receive(new Uint8Array(10)))
  const codes = (await Promise.all(small)).map((outcome) => outcome.status === 'refused' && outcome.code)
  expect(codes.filter((code) => code === 'BUSY')).toHaveLength(100)
  const large = new Uint8Array(1024 * 1024)
  const inUse = bytesInUse()
  const many = Array.from({ length: 64 }, () => ben.receive(large))
  const busy = (await Promise.all(many)).filter(
    (outcome) => outcome.status === 'refused' && outcome.code === 'BUSY',
  )
  expect(busy).toHaveLength(64 - MAX_WAITING_BYTES / large.length)
  expect(bytesInUse() - inUse).toBeLessThan(8_000_000)
  expect(await ben.receive(await pen.write())).toMatchObject({ status: 'applied' })
})
