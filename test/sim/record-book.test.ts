import { beforeAll, describe, expect, it } from 'vitest'
import { createSimulation, type Simulation } from '../../sim/index.js'
import { RecordBook } from '../../sim/record-book.js'
import type { StoredBatch } from '../../src/store/index.js'

let simulation: Simulation
let run: string

/** Everything on a device's disk, in the order of its logs. */
async function batchesOf(place: number): Promise<readonly StoredBatch[]> {
  const { store } = simulation.device(place).disk
  const batches: StoredBatch[] = []
  for (const journal of new Set((await store.heads()).map((head) => head.journal)))
    for await (const chunk of store.read(journal)) batches.push(...chunk)
  return batches
}

/** A book that has read the disks of these devices. */
async function bookOf(...places: readonly number[]): Promise<RecordBook> {
  const book = new RecordBook()
  for (const place of places)
    for (const batch of await batchesOf(place))
      book.take(simulation.group, batch, simulation.device(place).id, place)
  return book
}

beforeAll(async () => {
  simulation = await createSimulation({ devices: 2 })
  simulation.handle('greet', async () => 'hello')
  run = (await simulation.submit(0, 'greet')).id
  await simulation.advance('1m')
})

describe('the book of records', () => {
  it('has every record of a disk, by its id and by its run, as it was written', async () => {
    const book = await bookOf(0)
    expect(book.byRun.get(run)?.map(({ kind }) => kind)).toEqual([
      'created',
      'assigned',
      'claimed',
      'started',
      'completed',
    ])
    for (const record of book.byRun.get(run) ?? []) expect(book.all.get(record.id)?.record).toBe(record)
  })

  it('takes each record once, from whichever disk it stood on first', async () => {
    const book = await bookOf(0, 1)
    const { all } = await bookOf(0)
    for (const id of all.keys()) expect(book.all.get(id)?.atMs).toBe(0)
    expect(book.byRun.get(run)).toHaveLength(5)
  })

  it('tells what is new in a batch, and nothing the second time', async () => {
    const book = new RecordBook()
    const [first] = await batchesOf(0)
    if (first === undefined) throw new Error('The disk is empty.')
    const { id } = simulation.device(0)
    expect(book.take(simulation.group, first, id, 0).length).toBeGreaterThan(0)
    expect(book.take(simulation.group, first, id, 0)).toEqual([])
    expect(book.take(simulation.group, first, simulation.device(1).id, 0)).toEqual([])
  })

  it('knows what each device has of its own hand on its own disk, whoever’s disk came first', async () => {
    const [ana, ben] = [simulation.device(0).id, simulation.device(1).id]
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const book = await bookOf(...order)
      const own = [...(book.own.get(ana) ?? [])].map((id) => book.all.get(id)?.record)
      expect(own.every((record) => record?.author === ana)).toBe(true)
      expect(own.filter((record) => record !== undefined && 'run' in record)).toHaveLength(5)
      for (const id of book.own.get(ben) ?? []) expect(book.all.get(id)?.record.author).toBe(ben)
    }
    expect((await bookOf(1)).own.get(ana)).toBe(undefined)
  })

  it('has what the witness of the simulation has', async () => {
    const book = await bookOf(0, 1)
    const { records } = simulation.witness
    expect([...book.all.keys()].sort()).toEqual([...records.all.keys()].sort())
  })
})
