/** Batches in another's name, at another place, in another chain. */
import { beforeEach, describe, expect, test } from 'vitest'
import { stampOf } from '../../protocol/index.js'
import type { RefusalCode } from '../../src/journal/index.js'
import { writeMessage } from '../../src/journal/message.js'
import { type Device, deliver, groupOf, START, signerOf, snapshot, strangerTo, TODAY } from './devices.js'
import { JOB, Pen } from './forge.js'

let ana: Device
let ben: Device
let mallory: Device
let pen: Pen

beforeEach(async () => {
  ;[ana, ben, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
  await ana.take()
  await deliver(ana, ben)
  await deliver(ana, mallory)
  pen = Pen.of(mallory)
})

async function isRefused(message: Uint8Array, code: RefusalCode): Promise<void> {
  const before = await snapshot(ben)
  expect(await ben.receive(message)).toMatchObject({ status: 'refused', code, batches: 0 })
  expect(await snapshot(ben)).toEqual(before)
}

test('the same pen writes what is taken, if it is honest', async () => {
  expect(await ben.receive(await pen.write())).toMatchObject({ status: 'applied', batches: 1, records: 1 })
  expect(await ben.receive(await pen.write())).toMatchObject({ status: 'applied' })
})

describe('a forged author', () => {
  test('under the forger’s own client id', async () => {
    const forged = new Pen(mallory.signer, ben.journals.group.id, { device: ana.id })
    const signed = await forged.batch()
    const [stretch] = [{ client: pen.log.client, from: 0, root: `${forged.log.name}/0`, elements: [signed] }]
    await isRefused(writeMessage({ journal: TODAY, stretches: [stretch] }), 'FORGED')
  })

  test('under the victim’s client id, with the forger’s signature', async () => {
    const forged = new Pen(mallory.signer, ben.journals.group.id, { device: ana.id })
    await isRefused(await forged.write(), 'FORGED')
  })

  test('who continues the victim’s own log', async () => {
    const { incarnation } = ana.journals
    const forged = new Pen(mallory.signer, ben.journals.group.id, { device: ana.id, incarnation })
    forged.log.head = (await ben.journals.load(TODAY)).log(ana.id, incarnation).head
    await isRefused(forged.message(await forged.batch(), 1), 'FORGED')
  })
})

test('a log under a client id that belongs to another log', async () => {
  const theirs = (await ben.journals.load(TODAY)).log(ana.id, ana.journals.incarnation)
  const signed = await pen.batch()
  const stretch = { client: theirs.client, from: 0, root: `${pen.log.name}/0`, elements: [signed] }
  await isRefused(writeMessage({ journal: TODAY, stretches: [stretch] }), 'FORGED')
})

test('a segment under the name of another log or another segment', async () => {
  const signed = await pen.batch()
  for (const root of [`${pen.log.name}/1`, `${Pen.of(ana).log.name}/0`]) {
    const stretch = { client: pen.log.client, from: 0, root, elements: [signed] }
    await isRefused(writeMessage({ journal: TODAY, stretches: [stretch] }), 'FORGED')
  }
  const stretch = { client: pen.log.client, from: 0, root: '__proto__', elements: [signed] }
  await isRefused(writeMessage({ journal: TODAY, stretches: [stretch] }), 'MALFORMED')
})

describe('a replayed batch', () => {
  test('is known', async () => {
    const message = await pen.write()
    await ben.receive(message)
    const before = await snapshot(ben)
    for (let i = 0; i < 3; i++)
      expect(await ben.receive(message)).toEqual({ status: 'known', journal: TODAY })
    expect(await snapshot(ben)).toEqual(before)
  })

  test.each([
    ['journal', { journal: '2026-01-02' }],
    ['incarnation', { incarnation: stampOf(START, 8) }],
  ])('in another %s is refused: its chain begins elsewhere', async (_, place) => {
    await pen.write()
    const elsewhere = Pen.of(mallory, place)
    await isRefused(elsewhere.message(pen.signed, 0), 'BAD_CHAIN')
  })

  test('in another group is refused', async () => {
    const [stranger] = (await groupOf('mallory')) as [Device]
    const other = Pen.of(stranger)
    expect(other.log.client).not.toBe(pen.log.client)
    await other.write()
    await isRefused(other.whole(), 'FORGED')
    await isRefused(pen.message(other.signed, 0), 'BAD_CHAIN')
  })

  test('in another device’s log is refused', async () => {
    await pen.write()
    const elsewhere = new Pen(mallory.signer, ben.journals.group.id, { device: ana.id })
    await isRefused(elsewhere.message(pen.signed, 0), 'BAD_CHAIN')
  })

  test('rewritten for another journal keeps its old signature, which does not fit', async () => {
    await pen.write()
    const elsewhere = Pen.of(mallory, { journal: '2026-01-02' })
    const own = await elsewhere.batch()
    const spliced = Uint8Array.of(...(pen.signed[0] as Uint8Array).subarray(0, 64), ...own.subarray(64))
    await isRefused(elsewhere.message(spliced, 0), 'FORGED')
  })
})

describe('a wrong chain', () => {
  test('another predecessor, rightly signed', async () => {
    await ben.receive(await pen.write())
    const signed = await pen.batch([pen.record(JOB)], { previous: new Uint8Array(32) })
    await isRefused(pen.message(signed, 1), 'BAD_CHAIN')
  })

  test('another sequence than its place, rightly signed', async () => {
    await ben.receive(await pen.write())
    const signed = await pen.batch([pen.record(JOB)], { sequence: 5 })
    await isRefused(pen.message(signed, 1), 'BAD_CHAIN')
  })

  test('a batch no later than the one before', async () => {
    const stamp = stampOf(START + 5000)
    await ben.receive(await pen.write([pen.record(JOB, stamp)]))
    await isRefused(pen.message(await pen.batch([pen.record(JOB, stamp)]), 1), 'BAD_CHAIN')
    await isRefused(pen.message(await pen.batch([pen.record(JOB, stamp - 1)]), 1), 'BAD_CHAIN')
  })

  test('a mutated signature in the middle of a log, though the last one is right', async () => {
    for (let i = 0; i < 3; i++) await pen.write()
    const middle = (pen.signed[1] as Uint8Array).slice()
    middle[10] = (middle[10] as number) ^ 1
    await isRefused(
      pen.message([pen.signed[0] as Uint8Array, middle, pen.signed[2] as Uint8Array], 0),
      'BAD_CHAIN',
    )
    expect(await ben.receive(pen.whole())).toMatchObject({ status: 'applied', batches: 3 })
  })

  test('a mutated signature of a batch that is here already is no fork', async () => {
    await ben.receive(await pen.write())
    const mutated = (pen.signed[0] as Uint8Array).slice()
    mutated[10] = (mutated[10] as number) ^ 1
    await isRefused(pen.message(mutated, 0), 'FORGED')
  })
})

describe('the log of this very process', () => {
  test('is continued by nobody else, not even with its key', async () => {
    await ben.take()
    const { incarnation } = ben.journals
    const twin = Pen.of(ben, { incarnation })
    twin.log.head = (await ben.journals.load(TODAY)).log(ben.id, incarnation).head
    await isRefused(twin.message(await twin.batch(), 1), 'OWN_LOG')
  })

  test('comes back from others as known', async () => {
    await ben.take()
    expect(await ben.receive(ben.published.at(-1) as Uint8Array)).toMatchObject({ status: 'known' })
  })
})

test('a stranger’s batch is refused, and its journal is not opened for it', async () => {
  const eve = await strangerTo(ana)
  await isRefused(await Pen.of(eve).write(), 'NOT_A_MEMBER')
  await isRefused(await Pen.of(eve, { journal: '2026-01-02' }).write(), 'NOT_A_MEMBER')
  await isRefused(await Pen.of(eve, { journal: 'group' }).write(), 'NOT_A_MEMBER')
})

test('whoever founds another group founds nothing here', async () => {
  const eve = await strangerTo(ana)
  const own = Pen.of(eve, { journal: 'group' })
  await isRefused(
    await own.write([own.record({ kind: 'admitted', device: eve.id, role: 'admin' })]),
    'NOT_A_MEMBER',
  )
})

test('messages for a thousand days leave no journal behind', async () => {
  const before = await snapshot(ben)
  const eve = await signerOf('eve')
  for (let day = 0; day < 1000; day++) {
    const journal = new Date(day * 86_400_000).toISOString().slice(0, 10)
    const forged = new Pen(eve, ben.journals.group.id, { journal })
    expect(await ben.receive(await forged.write())).toMatchObject({ code: 'NO_SUCH_DAY' })
  }
  expect(await snapshot(ben)).toEqual(before)
  expect(ben.journals.loaded.map(({ name }) => name).sort()).toEqual([TODAY, 'group'])
})

test('one bad log does not hold up the good one beside it', async () => {
  const eve = await strangerTo(ana)
  const bad = Pen.of(eve)
  await bad.write()
  await pen.write()
  const stretches = [bad, pen].map(({ log, signed }) => ({
    client: log.client,
    from: 0,
    root: `${log.name}/0`,
    elements: signed,
  }))
  expect(await ben.receive(writeMessage({ journal: TODAY, stretches }))).toMatchObject({
    status: 'refused',
    code: 'NOT_A_MEMBER',
    batches: 1,
  })
  expect((await ben.journals.load(TODAY)).byClient(pen.log.client)?.head.sequence).toBe(0)
  expect((await ben.journals.load(TODAY)).byClient(bad.log.client)).toBeUndefined()
})
