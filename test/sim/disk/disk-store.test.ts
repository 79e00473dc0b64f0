import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/index.js'
import { storeSuite } from '../../../src/testing/index.js'
import { codeOf, DAY, DURABLE, entriesOf, logOf, PASSING, readAll } from '../../../src/testing/store/kit.js'
import { Drive, namesIn, OWNER } from './kit.js'

const drives = new WeakMap<Store, Drive>()

function open(drive: Drive): Store {
  const store = drive.open()
  drives.set(store, drive)
  return store
}

storeSuite({
  name: 'the simulated disk',
  test: { describe, it, expect },
  stories: 50,
  create: () => open(new Drive()),
  reopen: (closed) => open(drives.get(closed) as Drive),
})

const LOG = logOf(OWNER)

describe('a process that died', () => {
  it('writes nothing, reads nothing, and what it wrote stays', async () => {
    const drive = new Drive()
    const store = drive.open()
    await store.append(entriesOf(LOG, 0, 2), DURABLE)
    store.shut()
    const calls: readonly (() => Promise<unknown>)[] = [
      () => store.append(entriesOf(LOG, 2, 1), DURABLE),
      () => store.append(entriesOf(LOG, 2, 1), PASSING),
      () => store.putItem('name', Uint8Array.of(1)),
      () => store.evict(DAY, Uint8Array.of(1)),
      () => store.dropStub(DAY),
      () => store.heads(),
      () => store.getItem('name'),
      () => readAll(store),
    ]
    for (const call of calls) expect(await codeOf(call())).toBe('STORE_CLOSED')
    const next = drive.open()
    expect(await readAll(next)).toHaveLength(2)
    expect(await next.getItem('name')).toBe(null)
    expect((await next.stubs()).size).toBe(0)
  })

  it('has not written what was under way to a slow disk', async () => {
    const drive = new Drive()
    drive.disk.slowMs = 100
    const store = drive.open()
    const writing = [
      codeOf(store.append(entriesOf(LOG, 0, 1), DURABLE)),
      codeOf(store.putItem('name', Uint8Array.of(1))),
    ]
    await drive.book.advance(99)
    store.shut()
    await drive.book.advance(1)
    expect(await Promise.all(writing)).toEqual(['STORE_CLOSED', 'STORE_CLOSED'])
    expect(drive.stored).toEqual([])
    expect(await drive.open().getItem('name')).toBe(null)
  })
})

describe('a slow disk', () => {
  it('takes its time for what must be durable, and none for the rest', async () => {
    const drive = new Drive()
    drive.disk.slowMs = 100
    const store = drive.open()
    await store.append(entriesOf(logOf(2), 0, 1), PASSING)
    let isWritten = false
    const writing = store.append(entriesOf(LOG, 0, 1), DURABLE).then(() => {
      isWritten = true
    })
    await drive.book.advance(99)
    expect([isWritten, drive.stored.length]).toEqual([false, 1])
    await drive.book.advance(1)
    expect([isWritten, drive.stored.length]).toEqual([true, 2])
    await writing
  })
})

describe('writes', () => {
  it('come in the order of their calls, though one takes longer than the next', async () => {
    const drive = new Drive()
    const store = drive.open()
    const log = logOf(2)
    drive.disk.slowMs = 100
    const writing = [store.append(entriesOf(log, 0, 1), DURABLE)]
    drive.disk.slowMs = 10
    writing.push(store.append(entriesOf(log, 1, 1), DURABLE), store.append(entriesOf(log, 2, 1), PASSING))
    await drive.book.advance(99)
    expect(drive.stored).toEqual([])
    await drive.book.advance(1)
    await Promise.all(writing)
    expect(drive.stored.map(({ batch }) => batch.sequence)).toEqual([0, 1, 2])
  })

  it('go on after one that was refused', async () => {
    const drive = new Drive()
    const store = drive.open()
    const writing = [store.append(entriesOf(LOG, 5, 1), DURABLE), store.append(entriesOf(LOG, 0, 1), DURABLE)]
    expect(await Promise.all(writing.map(codeOf))).toEqual(['ENTRY_OUT_OF_ORDER', null])
  })
})

describe('a full disk', () => {
  it('refuses every write, keeps nothing of it, and goes on once there is room', async () => {
    const drive = new Drive()
    const store = drive.open()
    await store.append(entriesOf(LOG, 0, 1), DURABLE)
    const { bytes } = drive.disk
    drive.disk.isFull = true
    expect(await codeOf(store.append(entriesOf(LOG, 1, 3), DURABLE))).toBe('STORE_FULL')
    expect(await codeOf(store.append(entriesOf(logOf(2), 0, 3), PASSING))).toBe('STORE_FULL')
    expect(await codeOf(store.putItem('name', Uint8Array.of(1)))).toBe('STORE_FULL')
    expect(await namesIn(store)).toEqual(new Set([`${DAY}/${LOG.incarnation}/0`]))
    expect([drive.disk.bytes, drive.stored.length, await store.getItem('name')]).toEqual([bytes, 1, null])
    drive.disk.isFull = false
    expect(await codeOf(store.append(entriesOf(LOG, 1, 3), DURABLE))).toBe(null)
    expect(await readAll(store)).toHaveLength(4)
  })

  it('refuses a slow write that was under way when it filled up', async () => {
    const drive = new Drive()
    drive.disk.slowMs = 100
    const writing = codeOf(drive.open().append(entriesOf(LOG, 0, 1), DURABLE))
    drive.disk.isFull = true
    await drive.book.advance(100)
    expect(await writing).toBe('STORE_FULL')
    expect(drive.stored).toEqual([])
  })

  it('can still be read and made smaller', async () => {
    const drive = new Drive()
    const store = drive.open()
    await store.append(entriesOf(LOG, 0, 3), DURABLE)
    drive.disk.isFull = true
    await store.evict(DAY, Uint8Array.of(7))
    expect(await readAll(store)).toEqual([])
    expect([...(await store.stubs()).keys()]).toEqual([DAY])
  })
})
