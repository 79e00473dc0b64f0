/** Verification from the bytes that the store has. */
import { expect, test } from 'vitest'
import { verifyJournal } from '../../src/journal/index.js'
import type { StoredBatch } from '../../src/store/store.js'
import { type Device, groupOf, TODAY, verifier } from './devices.js'

async function device(): Promise<Device> {
  const [ana] = (await groupOf('ana')) as [Device]
  for (let i = 0; i < 5; i++) await ana.take()
  return ana
}

/** The report on a store that gives back one batch with one bit of one byte changed. */
async function reportWith(ana: Device, sequence: number, byte: number): Promise<readonly number[]> {
  const { store } = ana
  const flipped = Object.create(store, {
    read: {
      value: async function* (journal: string): AsyncGenerator<readonly StoredBatch[]> {
        for await (const chunk of store.read(journal))
          yield chunk.map((stored) => {
            if (stored.sequence !== sequence) return stored
            const signed = stored.signed.slice()
            signed[byte] = (signed[byte] as number) ^ 1
            return { ...stored, signed }
          })
      },
    },
  })
  const groupId = ana.journals.group.id
  const { problems } = await verifyJournal({ store: flipped, verifier, groupId }, TODAY)
  return problems.map((problem) => problem.sequence)
}

test('a whole journal has no problems, and is counted', async () => {
  const ana = await device()
  expect(await ana.journals.verify(TODAY)).toEqual({
    journal: TODAY,
    logs: 1,
    batches: 5,
    records: 15,
    problems: [],
  })
})

test('a flipped bit is found, wherever it is', async () => {
  const ana = await device()
  const size = (await ana.journals.load(TODAY)).logs[0] as { head: { sequence: number } }
  expect(size.head.sequence).toBe(4)
  for (const byte of [0, 31, 63, 64, 65, 70, 100, 120]) {
    for (const sequence of [0, 2, 4]) expect((await reportWith(ana, sequence, byte))[0]).toBe(sequence)
  }
})

test('in the middle of a log even a flipped signature breaks the chain after it', async () => {
  expect(await reportWith(await device(), 2, 5)).toEqual([2, 3, 4])
})
