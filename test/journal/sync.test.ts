/** Sync as data: what is exchanged is little more than what differs. */
import { beforeEach, describe, expect, test } from 'vitest'
import { encodeCbor } from '../../protocol/cbor.js'
import { extendLog, signedHash, stampOf } from '../../protocol/index.js'
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_STRETCHES, SYNC_CHUNK_BYTES } from '../../src/journal/constants.js'
import { JournalError } from '../../src/journal/index.js'
import { Log } from '../../src/journal/log.js'
import { readMessage } from '../../src/journal/message.js'
import {
  admit,
  DAY_MS,
  Device,
  deliver,
  groupOf,
  headsText,
  START,
  signerOf,
  sync,
  viewsOf,
} from './devices.js'
import { JOB, Pen } from './forge.js'

let ana: Device
let ben: Device

beforeEach(async () => {
  ;[ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
})

async function newcomer(name = 'cid'): Promise<Device> {
  const device = new Device(name, await signerOf(name))
  await admit(ana, device)
  return device
}

describe('the cost of a sync', () => {
  test('devices that stand alike exchange one summary', async () => {
    await ana.take()
    await deliver(ana, ben)
    const { summaryBytes, headBytes, messages } = await sync(ana, ben)
    expect({ headBytes, messages }).toEqual({ headBytes: 0, messages: [] })
    expect(summaryBytes).toBeLessThan(80)
  })

  test('devices that differ by 10 records exchange little more than 10 records, whatever they share', async () => {
    for (let i = 0; i < 500; i++) await ana.take()
    await deliver(ana, ben)
    const shared = ana.published.length
    for (let i = 0; i < 10; i++) await ana.journals.commit((write) => void write(JOB))
    const needed = ana.published.slice(shared).reduce((sum, { length }) => sum + length, 0)
    const { summaryBytes, headBytes, messageBytes } = await sync(ben, ana)
    expect(summaryBytes + headBytes + messageBytes).toBeLessThan(needed + 400)
    expect(headsText(ana)).toBe(headsText(ben))
  })
})

test('a newcomer gets the group’s journal first, and everything after', async () => {
  await ana.take()
  await ben.take()
  await deliver(ben, ana)
  const cid = await newcomer()
  const { messages, outcomes } = await sync(cid, ana)
  expect(readMessage(messages[0] as Uint8Array).journal).toBe('group')
  expect(outcomes.every(({ status }) => status === 'applied')).toBe(true)
  expect(await viewsOf(cid)).toBe(await viewsOf(ana))
})

test('a chain of admissions comes in one sync, whatever the order of the logs', async () => {
  const chain = [ana]
  for (const name of ['c1', 'c2', 'c3', 'c4']) {
    const next = new Device(name, await signerOf(name))
    const admin = chain.at(-1) as Device
    await admit(admin, next, 'admin')
    await sync(next, admin)
    next.clock.advance(1000 * chain.length)
    chain.push(next)
  }
  const last = chain.at(-1) as Device
  await last.take()
  const cid = new Device('cid', await signerOf('cid'))
  await admit(last, cid)
  cid.clock.advance(10_000)
  await sync(cid, last)
  expect(headsText(cid)).toBe(headsText(last))
  expect(cid.journals.group.members.size).toBe(7)
})

test('a sync that breaks off is taken up where it stood', async () => {
  for (let i = 0; i < 60; i++) await ana.take({ input: 'x'.repeat(30_000) })
  const first = await sync(ben, ana, (index) => index >= 3)
  const second = await sync(ben, ana)
  expect(first.messages.length).toBeGreaterThan(5)
  expect(second.messages.length).toBe(first.messages.length - 3)
  expect(headsText(ana)).toBe(headsText(ben))
})

test('a message lost in the middle leaves a gap that the next sync fills', async () => {
  for (let i = 0; i < 60; i++) await ana.take({ input: 'x'.repeat(30_000) })
  const { outcomes } = await sync(ben, ana, (index) => index === 1)
  expect(outcomes.map(({ status }) => status)).toContain('gap')
  await sync(ben, ana)
  expect(headsText(ana)).toBe(headsText(ben))
})

describe('chunks', () => {
  test('are near their size, and a batch of the largest size still fits a message', async () => {
    for (let i = 0; i < 30; i++) await ana.take({ input: 'x'.repeat(50_000) })
    await ana.journals.commit((write) => {
      for (let i = 0; i < 16; i++) write({ ...JOB, input: 'y'.repeat(65_000) })
    })
    const { messages, outcomes } = await sync(ben, ana)
    for (const message of messages) expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
    const over = messages.filter(({ length }) => length > SYNC_CHUNK_BYTES + 1024)
    expect(over).toHaveLength(1)
    expect(outcomes.every(({ status }) => status === 'applied')).toBe(true)
  })

  test('hold no more logs than a receiver takes: a device restarted 1,100 times can still be synced', async () => {
    const group = ana.journals.group.id
    for (let i = 0; i < 1100; i++) {
      const pen = new Pen(ben.signer, group, { journal: 'group', incarnation: stampOf(START + 1 + i) })
      const record = pen.record({ kind: 'profiled', name: 'b', class: 'phone', capabilities: [] })
      expect(await ana.receive(await pen.write([record]))).toMatchObject({ status: 'applied' })
    }
    const cid = await newcomer()
    cid.clock.advance(DAY_MS)
    const { messages, outcomes } = await sync(cid, ana)
    expect(outcomes.every(({ status }) => status === 'applied')).toBe(true)
    expect(messages.map((message) => readMessage(message).stretches.length)).toContain(MAX_MESSAGE_STRETCHES)
    expect(headsText(cid)).toBe(headsText(ana))
  })

  test('cross the borders of segments', async () => {
    const pen = Pen.of(ben)
    for (let i = 0; i < 600; i++) await pen.write()
    for (let at = 0; at < 600; at += 100)
      expect(await ana.receive(pen.message(pen.signed.slice(at, at + 100), at))).toMatchObject({
        batches: 100,
      })
    const cid = await newcomer()
    await sync(cid, ana)
    expect(headsText(cid)).toBe(headsText(ana))
    const again = new Log(ana.journals.group.id, pen.log.key)
    for (const signed of pen.signed)
      again.head = extendLog(again.head, again.codec.decode(signed.subarray(64)), signedHash(signed))
    expect((await cid.journals.load(pen.log.key.journal)).byClient(pen.log.client)?.head).toEqual(again.head)
  })
})

describe('bytes of a peer that are no summary and no heads', () => {
  const garbage = [
    new Uint8Array(0),
    Uint8Array.of(0xff),
    encodeCbor(null),
    encodeCbor([2, []]),
    encodeCbor([1, [['2026-02-30', new Uint8Array(16)]]]),
    encodeCbor([1, [['group', [[1, 2, 3, 4]]]]]),
    encodeCbor([1, Array.from({ length: 5000 }, () => ['group', new Uint8Array(16)])]),
  ]

  test.each(garbage.map((bytes) => [bytes]))('are a typed error at every step', async (bytes) => {
    const { journals } = ana
    const isTyped = (error: unknown): boolean =>
      error instanceof JournalError && error.code === 'SYNC_MALFORMED'
    expect(() => journals.headsAgainst(bytes)).toThrow(JournalError)
    await expect(journals.headsToCatchUp(bytes)).rejects.toSatisfy(isTyped)
    await expect(journals.lacking(bytes).next()).rejects.toSatisfy(isTyped)
  })

  test('lists of logs that nobody has ask for nothing and change nothing', async () => {
    const before = headsText(ana)
    const stranger = [new Uint8Array(32).fill(3), 5, Number.MAX_SAFE_INTEGER, new Uint8Array(32)]
    const heads = encodeCbor([
      1,
      [
        ['group', [stranger]],
        ['1999-01-01', [stranger]],
      ],
    ])
    await ana.journals.headsToCatchUp(heads)
    for await (const message of ana.journals.lacking(heads)) expect(message).toBeInstanceOf(Uint8Array)
    expect(headsText(ana)).toBe(before)
  })
})
