/**
 * The law for stores, as tests: whatever passes may be handed to a node.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from 'vitest'
 * import { storeSuite } from 'dibs/testing'
 *
 * storeSuite({ name: 'my store', test: { describe, it, expect }, create: () => new MyStore() })
 * ```
 */
import { type DeviceId, deviceOfKey } from '../../protocol/index.js'
import { MAX_ENTRY_BYTES, PACK_ENTRIES } from '../store/constants.js'
import { StoreError } from '../store/errors.js'
import type { LogKey, Store, StoredBatch } from '../store/store.js'
import { type SeededRandom, seededRandom } from './seeded.js'
import { contentsOf, StoreModel } from './store-model.js'
import type { TestApi } from './test-api.js'

export interface StoreSuiteOptions {
  /** What the tests call the store. */
  readonly name: string
  readonly test: TestApi
  /** A new, empty store. The suite closes it. */
  readonly create: () => Store | Promise<Store>
  /** Opens a closed store again. Leave it out for stores that forget. */
  readonly reopen?: (closed: Store) => Store | Promise<Store>
  /**
   * How many random stories to compare with the model.
   *
   * @default 200
   */
  readonly stories?: number
}

const DEFAULT_STORIES = 200
const STORY_STEPS = 30
const STORIES_TIMEOUT_MS = 120_000

const DURABLE = { durable: true }
const PASSING = { durable: false }

export function storeSuite(options: StoreSuiteOptions): void {
  const { name, test } = options
  test.describe(`${name} is a store`, () => {
    appending(options)
    reading(options)
    evicting(options)
    items(options)
    compacting(options)
    closing(options)
    if (options.reopen !== undefined) reopening(options, options.reopen)
    stories(options)
  })
}

function appending({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function reading({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function evicting({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function items({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function compacting({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function closing({ test: { it, expect }, create }: StoreSuiteOptions): void {
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

function reopening({ test: { it, expect }, create }: StoreSuiteOptions, reopen: Reopen): void {
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

function stories({
  test: { it, expect },
  create,
  reopen,
  stories = DEFAULT_STORIES,
}: StoreSuiteOptions): void {
  it(
    `behaves like the simplest store there could be, in ${stories} random stories`,
    async () => {
      for (let seed = 1; seed <= stories; seed++) {
        const model = new StoreModel()
        let store = await create()
        try {
          const random = seededRandom(seed)
          for (let step = 0; step < STORY_STEPS; step++) {
            if (reopen !== undefined && random.below(15) === 0) {
              await store.close()
              store = await reopen(store)
            } else {
              await act(store, model, random)
            }
          }
          // The seed stands in what is compared, so that a failure names it.
          expect({ seed, ...(await contentsOf(store)), findings: store.findings }).toEqual({
            seed,
            ...model.contents(),
            findings: [],
          })
        } finally {
          await store.close()
        }
      }
    },
    STORIES_TIMEOUT_MS,
  )
}

// Does one random thing to both.
async function act(store: Store, model: StoreModel, random: SeededRandom): Promise<void> {
  const journal = random.pick([DAY, '2026-01-12', 'group'])
  const name = random.pick(['clock', 'peer/a', 'peer/b'])
  const value = random.bytes(random.below(40))
  switch (random.below(12)) {
    case 0:
      await store.evict(journal, value)
      return model.evict(journal, value)
    case 1:
      await store.dropStub(journal)
      return model.dropStub(journal)
    case 2:
      await store.putItem(name, value)
      return model.putItem(name, value)
    case 3:
      await store.putItem(name, null)
      return model.putItem(name, null)
    case 4:
      await store.compact()
      return
    case 5: {
      const log = logOf(random.below(3), journal)
      const code = await codeOf(store.append(entriesOf(log, model.next(log) + 1, 2), PASSING))
      if (code !== 'ENTRY_OUT_OF_ORDER') throw new Error(`A gap was answered with ${code}.`)
      return
    }
    default: {
      const log = logOf(random.below(3), journal)
      const count = random.pick([1, 1, 2, 17, PACK_ENTRIES])
      const entries = entriesOf(log, model.next(log), count, random)
      await store.append(entries, { durable: random.below(4) === 0 })
      return model.append(entries)
    }
  }
}

const DAY = '2026-01-11'

function logOf(device: number, journal: string = DAY): LogKey {
  return { journal, device: deviceNumber(device), incarnation: 4096 + device }
}

function deviceNumber(number: number): DeviceId {
  return deviceOfKey(new Uint8Array(32).fill(number))
}

/** So many entries from this sequence on, each unlike the others. */
function entriesOf(log: LogKey, from: number, count: number, random?: SeededRandom): StoredBatch[] {
  return Array.from({ length: count }, (_, i) => {
    const seed = from + i + log.incarnation * 1009
    const signed = random?.bytes(random.below(50)) ?? seededRandom(seed).bytes(64 + (seed % 30))
    return { log, sequence: from + i, signed }
  })
}

async function readAll(store: Store, journal: string = DAY): Promise<Uint8Array[]> {
  const entries: Uint8Array[] = []
  for await (const chunk of store.read(journal)) for (const { signed } of chunk) entries.push(signed)
  return entries
}

async function readToEnd(reader: AsyncIterator<unknown>): Promise<void> {
  while (!(await reader.next()).done);
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a?.length === b.length && a.every((byte, i) => byte === b[i])
}

/** The code of the `StoreError` that this fails with; `null` if it does not fail. */
async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  }
}

async function using(
  create: StoreSuiteOptions['create'],
  body: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await create()
  try {
    await body(store)
  } finally {
    await store.close()
  }
}
