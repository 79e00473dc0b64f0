/** Yjs updates that hurt a plain Y.Doc: here they never get to one. */
import * as encoding from 'lib0/encoding'
import { beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import type { Log } from '../../src/journal/log.js'
import { rootName } from '../../src/journal/names.js'
import { type Device, deliver, groupOf, snapshot, TODAY } from './devices.js'
import { wrapped } from './forge.js'
import { bytesInUse } from './heap.js'

let ana: Device
let victim: Device
let log: Log

beforeEach(async () => {
  ;[ana, victim] = (await groupOf('ana', 'ben')) as [Device, Device]
  for (let i = 0; i < 3; i++) await ana.take()
  await deliver(ana, victim)
  const journal = await victim.journals.load(TODAY)
  log = journal.log(ana.id, ana.journals.incarnation)
  expect(log.head.sequence).toBe(2)
})

/** Bytes of small numbers and of varUints. */
function bytesOf(...numbers: readonly number[]): Uint8Array {
  return encoding.encode((encoder) => {
    for (const number of numbers) encoding.writeVarUint(encoder, number)
  })
}

/** The doc that a device without any checks would have. */
function plainDoc(): Y.Doc {
  const doc = new Y.Doc({ gc: false })
  Y.applyUpdate(
    doc,
    Y.encodeStateAsUpdate((victim.journals.loaded.find((j) => j.name === TODAY) as { doc: Y.Doc }).doc),
  )
  return doc
}

async function isRefused(update: Uint8Array, journal = TODAY): Promise<void> {
  const before = await snapshot(victim)
  const inUse = bytesInUse()
  expect(await victim.receive(wrapped(update, journal))).toMatchObject({
    status: 'refused',
    code: 'MALFORMED',
  })
  expect(await snapshot(victim)).toEqual(before)
  expect(bytesInUse() - inUse).toBeLessThan(4_000_000)
}

describe('a foreign delete set', () => {
  test('erases another device’s records from a plain doc, and nothing here', async () => {
    // No structs; one client; one range: clock 1, length 1. Six bytes where the client is a small number.
    expect(bytesOf(0, 1, 5, 1, 1, 1)).toHaveLength(6)
    const update = bytesOf(0, 1, log.client, 1, 1, 1)
    const doc = plainDoc()
    Y.applyUpdate(doc, update)
    expect(doc.getArray(rootName(log.key, 0)).length).toBe(2)
    await isRefused(update)
  })

  test('is refused beside a valid append, too', async () => {
    await ana.take()
    const journal = await ana.journals.load(TODAY)
    const append = Y.encodeStateAsUpdate(journal.doc, Y.encodeStateVector(plainDoc()))
    expect(append.at(-1)).toBe(0)
    await isRefused(Uint8Array.of(...append.subarray(0, -1), ...bytesOf(1, log.client, 1, 0, 3)))
  })
})

test('a GC struct under the victim’s client mutes it in a plain doc, and nothing here', async () => {
  // One client, one struct, clock 3, info 0 (GC), length 1.
  const update = bytesOf(1, 1, log.client, 3, 0, 1, 0)
  const doc = plainDoc()
  Y.applyUpdate(doc, update)
  expect(Y.getState(doc.store, log.client)).toBe(4)
  await isRefused(update)
})

test('skip structs are refused', async () => {
  await isRefused(bytesOf(1, 1, log.client, 3, 10, 1, 0))
  await isRefused(bytesOf(1, 1, log.client, 3, 10, 2 ** 50, 0))
})

describe('an update of format V2', () => {
  test('is refused even if it says what a V1 update would', async () => {
    await ana.take()
    const journal = await ana.journals.load(TODAY)
    await isRefused(Y.encodeStateAsUpdateV2(journal.doc, Y.encodeStateVector(plainDoc())))
  })

  test('that claims 85 million structs in 21 bytes takes no memory', async () => {
    const bomb = Uint8Array.of(...new Uint8Array(10), ...bytesOf(1, 85_000_000), ...new Uint8Array(6))
    expect(bomb).toHaveLength(21)
    await isRefused(bomb)
  })
})

describe('numbers out of all bounds', () => {
  const HUGE = Number.MAX_SAFE_INTEGER

  test.each([
    ['clients', [HUGE]],
    ['structs', [1, HUGE, 5, 0]],
    ['elements', [1, 1, 5, 0, 8, 1, 1, 97, HUGE]],
    ['the length of a name', [1, 1, 5, 0, 8, 1, HUGE]],
    ['the length of an element', [1, 1, 5, 0, 8, 1, 1, 97, 1, 116, HUGE]],
    ['deletions', [0, HUGE, 5, HUGE, 0, HUGE]],
  ])('%s', async (_, numbers) => {
    await isRefused(bytesOf(...numbers))
  })

  test('a clock of 2^53 − 1 under a known client is a gap: nothing is kept', async () => {
    const before = await snapshot(victim)
    const last = HUGE - 1
    const place = last % 256 === 0 ? last - 1 : last
    const update = Uint8Array.of(
      ...bytesOf(1, 1, log.client, place),
      0x88,
      ...bytesOf(log.client, place - 1, 1, 116, 1, 7, 0),
    )
    expect(await victim.receive(wrapped(update))).toEqual({ status: 'gap', journal: TODAY })
    expect(await snapshot(victim)).toEqual(before)
  })
})

describe('other content than appended bytes', () => {
  test('a map, a text, a nested type, a doc', async () => {
    for (const write of [
      (doc: Y.Doc) => doc.getMap('m').set('__proto__', 1),
      (doc: Y.Doc) => doc.getText('t').insert(0, 'x'),
      (doc: Y.Doc) => doc.getArray(rootName(log.key, 0)).push([new Y.Map()]),
      (doc: Y.Doc) => doc.getArray(rootName(log.key, 0)).push([new Y.Doc()]),
      (doc: Y.Doc) => doc.getArray(rootName(log.key, 0)).push(['text']),
      (doc: Y.Doc) => doc.getArray(rootName(log.key, 0)).push([{ a: 1 }]),
    ]) {
      const doc = new Y.Doc()
      doc.clientID = log.client
      write(doc)
      await isRefused(Y.encodeStateAsUpdate(doc))
    }
  })

  test('an element inserted before another', async () => {
    const doc = plainDoc()
    doc.clientID = log.client
    const before = Y.encodeStateVector(doc)
    doc.getArray(rootName(log.key, 0)).insert(0, [new Uint8Array(100)])
    await isRefused(Y.encodeStateAsUpdate(doc, before))
  })
})

test('2,000 updates that begin too late are gaps, and nothing is parked', async () => {
  const late: Uint8Array[] = []
  await ana.take()
  for (let i = 0; i < 2000; i++) await ana.take({ input: 'x'.repeat(200) })
  late.push(...ana.newFor(victim).slice(1))
  expect(late).toHaveLength(2000)
  const before = await snapshot(victim)
  const inUse = bytesInUse()
  const outcomes = await Promise.all(late.slice(0, 1000).map((message) => victim.receive(message)))
  for (const message of late.slice(1000)) outcomes.push(await victim.receive(message))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['gap']))
  expect(await snapshot(victim)).toEqual(before)
  expect(bytesInUse() - inUse).toBeLessThan(8_000_000)
})
