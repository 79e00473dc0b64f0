/** The queue before the commit: bounded, in order, and emptied when the journals close. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord } from '../../protocol/index.js'
import { MAX_PENDING_RECORDS, MAX_WAITING_COMMITS } from '../../src/journal/constants.js'
import { Device, recordsOf, signerOf, TODAY } from './devices.js'
import { JOB } from './forge.js'
import { HeldStore } from './held-store.js'

let ana: Device
let store: HeldStore

beforeEach(async () => {
  ana = new Device('ana', await signerOf('ana'))
  store = new HeldStore()
  ana.store = store
  await ana.found()
  store.hold()
})

function write(count: number): Promise<readonly AnyRecord[]> {
  return ana.journals.commit((record) => {
    for (let i = 0; i < count; i++) record(JOB)
  })
}

describe('back-pressure', () => {
  test('callers wait for room, go in order of their calls, and are told when too many wait', async () => {
    const pending = Array.from({ length: MAX_PENDING_RECORDS / 2048 }, () => write(2048))
    let filled = 0
    const waiting = Array.from({ length: MAX_WAITING_COMMITS }, () =>
      ana.journals.commit((record) => {
        filled++
        record(JOB)
      }),
    )
    expect(filled).toBe(0)
    await expect(write(1)).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    store.release()
    await Promise.all(pending)
    const stamps = (await Promise.all(waiting)).flat().map(({ stamp }) => stamp)
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    expect(stamps).toHaveLength(MAX_WAITING_COMMITS)
  })

  test('no more records wait than the limit and one call', async () => {
    const calls = Array.from({ length: 40 }, () => write(1000))
    await new Promise((resolve) => setImmediate(resolve))
    let filled = 0
    const late = ana.journals.commit(() => {
      filled++
    })
    expect(filled).toBe(0)
    store.release()
    await Promise.all([...calls, late])
    expect(filled).toBe(1)
  })
})

describe('closing', () => {
  test('writes what was asked for, refuses what still waited for room, and all that comes later', async () => {
    const accepted = Array.from({ length: MAX_PENDING_RECORDS / 2048 }, () => write(2048))
    const waiting = write(1)
    const closed = ana.journals.close()
    await expect(waiting).rejects.toMatchObject({ code: 'JOURNALS_CLOSED' })
    await expect(write(1)).rejects.toMatchObject({ code: 'JOURNALS_CLOSED' })
    store.release()
    await closed
    expect((await Promise.all(accepted)).flat()).toHaveLength(MAX_PENDING_RECORDS)
    expect(await ana.receive(new Uint8Array(3))).toMatchObject({ code: 'CLOSED' })
  })

  test('twice is one closing, and both wait for its end', async () => {
    const commit = write(1)
    const closings = [ana.journals.close(), ana.journals.close()]
    let isClosed = false
    void closings[1]?.then(() => {
      isClosed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    store.release()
    await Promise.all([commit, ...closings])
  })
})

test('a journal is put to rest only between commits: nothing that is being written is lost', async () => {
  const commit = write(1)
  const rest = ana.journals.unload(TODAY)
  await new Promise((resolve) => setImmediate(resolve))
  store.release()
  await Promise.all([commit, rest])
  await write(1)
  expect(recordsOf(await ana.journals.load(TODAY))).toHaveLength(2)
  expect((await ana.journals.verify(TODAY)).problems).toEqual([])
})
