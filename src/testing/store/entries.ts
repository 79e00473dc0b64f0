import { MAX_ENTRY_BYTES } from '../../store/constants.js'
import { seededRandom } from '../seeded.js'
import { contentsOf, StoreModel } from '../store-model.js'
import { codeOf, DAY, DURABLE, entriesOf, logOf, PASSING, readAll, sameBytes, using } from './kit.js'
import type { StoreSuiteOptions } from './options.js'
export function appending({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('a new store is empty and has nothing to complain about', async () => {
    await using(create, async (store) => {
      expect(store.findings).toEqual([])
      expect(await store.quarantined()).toEqual([])
      expect(await contentsOf(store)).toEqual({ logs: {}, stubs: {}, items: {} })
    })
  })

  it('entries come back byte for byte, in order, whether durable or not', async () => {
    await using(create, async (store) => {
      const model = new StoreModel()
      for (let i = 0; i < 20; i++) {
        const appended = entriesOf(logOf(1), i * 3, 3)
        await store.append(appended, { durable: i % 2 === 0 })
        model.append(appended)
      }
      expect(await contentsOf(store)).toEqual(model.contents())
    })
  })

  it('what a caller does to its bytes afterwards does not change what is kept', async () => {
    await using(create, async (store) => {
      const signed = Uint8Array.of(1, 2, 3)
      await store.append([{ log: logOf(1), sequence: 0, signed }], PASSING)
      signed.fill(9)
      expect(await readAll(store)).toEqual([Uint8Array.of(1, 2, 3)])
    })
  })

  it('one append may touch many logs, in any order of logs', async () => {
    await using(create, async (store) => {
      const logs = [logOf(3), logOf(1, 'group'), logOf(2), logOf(1)]
      const mixed = [0, 1, 2].flatMap((sequence) => logs.flatMap((log) => entriesOf({ ...log }, sequence, 1)))
      await store.append(mixed, DURABLE)
      const model = new StoreModel()
      model.append(mixed)
      expect(await contentsOf(store)).toEqual(model.contents())
    })
  })

  it('an append of nothing is fine', async () => {
    await using(create, async (store) => {
      await store.append([], DURABLE)
      expect(await store.heads()).toEqual([])
    })
  })

  it('an entry that skips, repeats or starts late is refused', async () => {
    await using(create, async (store) => {
      await store.append(entriesOf(logOf(1), 0, 3), DURABLE)
      for (const [log, sequence] of [
        [logOf(1), 4],
        [logOf(1), 2],
        [logOf(1), 0],
        [logOf(2), 1],
        [logOf(1), -1],
        [logOf(1), 3.5],
      ] as const) {
        expect(await codeOf(store.append(entriesOf(log, sequence, 1), PASSING))).toBe('ENTRY_OUT_OF_ORDER')
      }
      expect((await store.heads()).map(({ sequence }) => sequence)).toEqual([2])
    })
  })

  it('an append is all or nothing', async () => {
    await using(create, async (store) => {
      const before = await contentsOf(store)
      const bad = [...entriesOf(logOf(1), 0, 5), ...entriesOf(logOf(2), 1, 1)]
      expect(await codeOf(store.append(bad, DURABLE))).toBe('ENTRY_OUT_OF_ORDER')
      const large = { log: logOf(1), sequence: 2, signed: new Uint8Array(MAX_ENTRY_BYTES + 1) }
      expect(await codeOf(store.append([...entriesOf(logOf(1), 0, 2), large], DURABLE))).toBe(
        'ENTRY_TOO_LARGE',
      )
      expect(await contentsOf(store)).toEqual(before)
      await store.append(entriesOf(logOf(1), 0, 5), DURABLE)
    })
  })

  it('the largest entry fits', async () => {
    await using(create, async (store) => {
      const signed = seededRandom(1).bytes(MAX_ENTRY_BYTES)
      await store.append([{ log: logOf(1), sequence: 0, signed }], DURABLE)
      expect(sameBytes((await readAll(store))[0], signed)).toBe(true)
    })
  })

  it('appends to many logs may be under way at once, and those to one log keep the order of their calls', async () => {
    await using(create, async (store) => {
      const model = new StoreModel()
      const logs = Array.from({ length: 12 }, (_, i) => logOf(i, i % 2 === 0 ? DAY : 'group'))
      const appends: Promise<void>[] = []
      for (let sequence = 0; sequence < 25; sequence++) {
        for (const log of logs) {
          const entries = entriesOf(log, sequence, 1)
          model.append(entries)
          appends.push(store.append(entries, { durable: sequence % 5 === 0 }))
        }
      }
      await Promise.all(appends)
      expect(await contentsOf(store)).toEqual(model.contents())
    })
  })

  it('of two who append the same sequence at once, one is refused', async () => {
    await using(create, async (store) => {
      const codes = await Promise.all([
        codeOf(store.append(entriesOf(logOf(1), 0, 1), DURABLE)),
        codeOf(store.append(entriesOf(logOf(1), 0, 1), DURABLE)),
      ])
      expect(codes).toEqual([null, 'ENTRY_OUT_OF_ORDER'])
    })
  })
}

export function reading({ test: { it, expect }, create }: StoreSuiteOptions): void {
  it('a journal shows its own entries only, log by log', async () => {
    await using(create, async (store) => {
      // Names that begin alike, and devices whose keys sort both ways.
      for (const journal of ['2026-01-1', DAY, '2026-01-111', 'group']) {
        for (const device of [255, 0, 7]) await store.append(entriesOf(logOf(device, journal), 0, 3), PASSING)
      }
      const seen: string[] = []
      for await (const chunk of store.read(DAY)) {
        for (const { log, sequence } of chunk) seen.push(`${log.journal} ${log.device} ${sequence}`)
      }
      const logs = [...new Set(seen.map((line) => line.slice(0, line.lastIndexOf(' '))))]
      expect(logs.length).toBe(3)
      expect(seen).toEqual(logs.flatMap((log) => [0, 1, 2].map((sequence) => `${log} ${sequence}`)))
      expect(logs.every((log) => log.startsWith(`${DAY} `))).toBe(true)
    })
  })

  it('a journal that is not there has no entries', async () => {
    await using(create, async (store) => {
      expect(await readAll(store, '1999-12-31')).toEqual([])
    })
  })

  it('reading shows all that was there when it began, while appends go on', async () => {
    await using(create, async (store) => {
      await store.append(entriesOf(logOf(1), 0, 2000), PASSING)
      let next = 2000
      let seen = 0
      for await (const chunk of store.read(DAY)) {
        seen += chunk.length
        await store.append(entriesOf(logOf(1), next++, 1), PASSING)
        await store.append(entriesOf(logOf(2), next - 2001, 1), PASSING)
      }
      expect(seen >= 2000).toBe(true)
      expect((await readAll(store)).length).toBe(next + (next - 2000))
    })
  })

  it('a reader may stop early', async () => {
    await using(create, async (store) => {
      await store.append(entriesOf(logOf(1), 0, 3000), PASSING)
      for await (const chunk of store.read(DAY)) {
        expect(chunk[0]?.sequence).toBe(0)
        break
      }
    })
  })

  it('reading says how far it has come', async () => {
    await using(create, async (store) => {
      await store.append(entriesOf(logOf(1), 0, 700), PASSING)
      const steps: { done: number; total: number | null }[] = []
      for await (const _ of store.read(DAY, ({ done, total }) => steps.push({ done, total })));
      expect(steps[steps.length - 1]).toEqual({ done: 700, total: 700 })
    })
  })
}
