import { PACK_ENTRIES } from '../../store/constants.js'
import { contentsOf, StoreModel } from '../store-model.js'
import { codeOf, DAY, DURABLE, entriesOf, logOf, PASSING, readAll, readToEnd, using } from './kit.js'
import type { StoreSuiteOptions } from './options.js'
export function evicting({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('an evicted journal leaves its stub and nothing else; others stay', async () => {
    await using(create, async (store) => {
      await store.append([...entriesOf(logOf(1), 0, 400), ...entriesOf(logOf(2), 0, 3)], PASSING)
      await store.append(entriesOf(logOf(1, 'group'), 0, 2), PASSING)
      await store.compact()
      await store.evict(DAY, Uint8Array.of(1, 2))
      const model = new StoreModel()
      model.append(entriesOf(logOf(1, 'group'), 0, 2))
      model.evict(DAY, Uint8Array.of(1, 2))
      expect(await contentsOf(store)).toEqual(model.contents())
    })
  })

  it('an evicted journal may be fetched again from its first entry', async () => {
    await using(create, async (store) => {
      await store.append(entriesOf(logOf(1), 0, 10), PASSING)
      await store.evict(DAY, Uint8Array.of(1))
      await store.dropStub(DAY)
      expect((await store.stubs()).size).toBe(0)
      expect(await codeOf(store.append(entriesOf(logOf(1), 10, 1), PASSING))).toBe('ENTRY_OUT_OF_ORDER')
      await store.append(entriesOf(logOf(1), 0, 12), PASSING)
      expect((await readAll(store)).length).toBe(12)
    })
  })

  it('a stub may be replaced, may stand for a journal that was never there, and may be dropped twice', async () => {
    await using(create, async (store) => {
      await store.evict(DAY, Uint8Array.of(1))
      await store.evict(DAY, Uint8Array.of(2))
      expect([...(await store.stubs())]).toEqual([[DAY, Uint8Array.of(2)]])
      await store.dropStub(DAY)
      await store.dropStub(DAY)
      expect([...(await store.stubs())]).toEqual([])
    })
  })
}

export function items({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('items are put, replaced and taken away by name', async () => {
    await using(create, async (store) => {
      expect(await store.getItem('clock')).toBe(null)
      await store.putItem('clock', Uint8Array.of(1))
      await store.putItem('clock', Uint8Array.of(2, 3))
      await store.putItem('empty', new Uint8Array(0))
      expect(await store.getItem('clock')).toEqual(Uint8Array.of(2, 3))
      expect(await store.getItem('empty')).toEqual(new Uint8Array(0))
      await store.putItem('clock', null)
      await store.putItem('clock', null)
      expect(await store.getItem('clock')).toBe(null)
    })
  })

  it('items are listed by how their names begin, in order', async () => {
    await using(create, async (store) => {
      for (const name of ['peer/b', 'peer/a', 'peers', 'proof/1', 'peer/ä', '__proto__']) {
        await store.putItem(name, Uint8Array.of(name.length))
      }
      expect([...(await store.items('peer/')).keys()]).toEqual(['peer/a', 'peer/b', 'peer/ä'])
      expect([...(await store.items('__proto__'))]).toEqual([['__proto__', Uint8Array.of(9)]])
      expect((await store.items('')).size).toBe(6)
      expect((await store.items('nothing')).size).toBe(0)
    })
  })
}

export function compacting({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('compaction changes nothing that can be seen, and doing it again finds nothing to do', async () => {
    await using(create, async (store) => {
      for (const count of [1, PACK_ENTRIES - 1, PACK_ENTRIES, PACK_ENTRIES + 1, 3 * PACK_ENTRIES + 7]) {
        await store.append(entriesOf(logOf(count % 200), 0, count), PASSING)
      }
      const before = await contentsOf(store)
      await store.compact()
      expect(await contentsOf(store)).toEqual(before)
      expect(await store.compact()).toEqual({ entriesPacked: 0, packsWritten: 0 })
    })
  })

  it('appends, reads and evictions go on during compaction', async () => {
    await using(create, async (store) => {
      const model = new StoreModel()
      const first = entriesOf(logOf(1), 0, 8 * PACK_ENTRIES)
      const other = entriesOf(logOf(2, 'group'), 0, 4 * PACK_ENTRIES)
      await store.append([...first, ...other], PASSING)
      model.append(first)
      const more = Array.from({ length: 50 }, (_, i) => entriesOf(logOf(1), first.length + i, 1))
      for (const entries of more) model.append(entries)
      model.evict('group', Uint8Array.of(7))
      const compaction = store.compact()
      const reading = readAll(store)
      await Promise.all([
        compaction,
        ...more.map((entries) => store.append(entries, PASSING)),
        store.evict('group', Uint8Array.of(7)),
      ])
      expect((await reading).length >= first.length).toBe(true)
      expect(await contentsOf(store)).toEqual(model.contents())
      await store.compact()
      expect(await contentsOf(store)).toEqual(model.contents())
    })
  })
}

export function closing({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('after it was closed, every call says so; closing again is fine', async () => {
    const store = await create()
    await store.append(entriesOf(logOf(1), 0, 5), DURABLE)
    await store.close()
    await store.close()
    const calls: readonly (() => Promise<unknown>)[] = [
      () => store.heads(),
      () => store.append(entriesOf(logOf(1), 5, 1), DURABLE),
      () => store.append([], DURABLE),
      () => readAll(store),
      () => store.evict(DAY, Uint8Array.of(1)),
      () => store.stubs(),
      () => store.dropStub(DAY),
      () => store.putItem('clock', Uint8Array.of(1)),
      () => store.getItem('clock'),
      () => store.items(''),
      () => store.quarantined(),
      () => store.compact(),
    ]
    for (const call of calls) expect(await codeOf(call())).toBe('STORE_CLOSED')
  })

  it('closing waits for appends that were under way, and ends readers', async () => {
    const store = await create()
    await store.append(entriesOf(logOf(1), 0, 3000), PASSING)
    const reader = store.read(DAY)[Symbol.asyncIterator]()
    await reader.next()
    const appends = [0, 1, 2].map((i) => codeOf(store.append(entriesOf(logOf(2), i, 1), DURABLE)))
    await store.close()
    expect(await Promise.all(appends)).toEqual([null, null, null])
    const end = await codeOf(readToEnd(reader))
    expect(end === 'STORE_CLOSED' || end === null).toBe(true)
  })
}

export function reopening({ test: { it, expect }, create }: StoreSuiteOptions, reopen: Reopen): void {
  it('everything is there when it is opened again, packed or not', async () => {
    let store = await create()
    const model = new StoreModel()
    const entries = [...entriesOf(logOf(1), 0, 600), ...entriesOf(logOf(2, 'group'), 0, 10)]
    await store.append(entries, PASSING)
    model.append(entries)
    await store.putItem('clock', Uint8Array.of(1, 2))
    model.putItem('clock', Uint8Array.of(1, 2))
    await store.evict('2025-12-31', Uint8Array.of(3))
    model.evict('2025-12-31', Uint8Array.of(3))
    for (let round = 0; round < 3; round++) {
      await store.close()
      store = await reopen(store)
      expect(store.findings).toEqual([])
      expect(await contentsOf(store)).toEqual(model.contents())
      await store.compact()
      const next = entriesOf(logOf(1), model.next(logOf(1)), 1)
      await store.append(next, DURABLE)
      model.append(next)
    }
    await store.close()
  })
}

type Reopen = NonNullable<StoreSuiteOptions['reopen']>
