/** Group commit: what waits goes together; durable first, then seen. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type AnyRecord,
  BatchError,
  type Draft,
  type Kind,
  type Payload,
  RecordError,
  splitSigned,
} from '../../protocol/index.js'
import { verifyJournal } from '../../src/journal/index.js'
import { nodePlatform } from '../../src/platform/node/index.js'
import { draftsOf } from '../protocol/arbitraries.js'
import { DAY_MS, Device, deliver, groupOf, recordsOf, signerOf, TODAY, verifier } from './devices.js'
import { JOB } from './forge.js'
import { HeldStore } from './held-store.js'

let ana: Device
let store: HeldStore

beforeEach(async () => {
  ana = new Device('ana', await signerOf('ana'))
  store = new HeldStore()
  ana.store = store
  await ana.found()
  store.asked.length = 0
  ana.published.length = 0
})

async function head(journal: string = TODAY): Promise<number> {
  return (await ana.journals.load(journal)).log(ana.id, ana.journals.incarnation).head.sequence
}

/** Lets everything happen that does not wait for the store. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    settle().then(() => false),
  ])
}

describe('batches', () => {
  test('created, assigned and claimed by oneself is one batch, one write, one message', async () => {
    const records = await ana.take()
    expect(records.map(({ kind }) => kind)).toEqual(['created', 'assigned', 'claimed'])
    expect(store.asked).toMatchObject([{ durable: true, entries: [{ sequence: 0 }] }])
    expect(ana.published).toHaveLength(1)
    expect(await head()).toBe(0)
  })

  test('a thousand commits at once make few batches, in order', async () => {
    const commits = Array.from({ length: 1000 }, (_, i) => ana.take({ input: String(i) }))
    const all = (await Promise.all(commits)).flat()
    expect(store.asked.length).toBeLessThanOrEqual(4)
    const stamps = all.map(({ stamp }) => stamp)
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    expect(recordsOf(await ana.journals.load(TODAY))).toEqual(all)
  })

  test('what comes while a commit is written goes together in the next', async () => {
    store.hold()
    const first = ana.take()
    await settle()
    const later = [ana.take(), ana.take(), ana.take()]
    store.release()
    await Promise.all([first, ...later])
    expect(store.asked).toHaveLength(2)
  })

  test('a commit without records writes nothing', async () => {
    expect(await ana.journals.commit(() => undefined)).toEqual([])
    expect(store.asked).toEqual([])
  })
})

describe('durability', () => {
  test('nobody sees a record, nor is its caller answered, before the store has it', async () => {
    store.hold()
    const commit = ana.take()
    expect(await isSettled(commit)).toBe(false)
    expect(ana.published).toEqual([])
    expect(await head()).toBe(-1)
    expect(ana.eventsOf('records').filter(({ journal }) => journal === TODAY)).toEqual([])
    store.release()
    await commit
    expect(ana.published).toHaveLength(1)
    expect(await head()).toBe(0)
  })

  test('if the store fails, exactly its callers are told, and the next commit takes the same place', async () => {
    await ana.take()
    store.failure = new Error('disk full')
    const failing = [ana.take(), ana.take()]
    for (const commit of failing) await expect(commit).rejects.toThrow('disk full')
    expect(ana.published).toHaveLength(1)
    expect(await head()).toBe(0)
    store.failure = null
    const records = await ana.take()
    expect(store.asked.at(-1)?.entries[0]?.sequence).toBe(1)
    expect(recordsOf(await ana.journals.load(TODAY)).slice(-3)).toEqual(records)
    expect((await ana.journals.verify(TODAY)).problems).toEqual([])
  })

  test('who waits behind a failed commit is not affected', async () => {
    store.hold()
    store.failure = new Error('disk full')
    const failing = ana.take()
    await settle()
    const next = ana.take()
    store.release()
    await expect(failing).rejects.toThrow('disk full')
    store.failure = null
    await expect(next).resolves.toHaveLength(3)
  })

  test('a transport that throws does not make a durable commit look failed', async () => {
    const thrown: unknown[] = []
    const keep = (error: unknown): void => void thrown.push(error)
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', keep)
    ana.published.push = () => {
      throw new Error('no network')
    }
    await expect(ana.take()).resolves.toHaveLength(3)
    await settle()
    process.off('uncaughtException', keep)
    for (const listener of listeners) process.on('uncaughtException', listener)
    expect(thrown).toEqual([new Error('no network')])
    expect(await head()).toBe(0)
  })
})

describe('what cannot be written', () => {
  test('a fill that throws writes nothing', async () => {
    const commit = ana.journals.commit((write) => {
      write(JOB)
      throw new Error('changed my mind')
    })
    await expect(commit).rejects.toThrow('changed my mind')
    await expect(ana.journals.commit((write) => void write({ ...JOB, type: '' }))).rejects.toBeInstanceOf(
      RecordError,
    )
    expect(store.asked).toEqual([])
  })

  test('an input that holds itself, even twice over, is refused', async () => {
    const circle: Record<string, unknown> = {}
    circle['one'] = circle
    circle['two'] = [circle, circle]
    const commit = ana.journals.commit((write) => void write({ ...JOB, input: circle as Payload }))
    await expect(commit).rejects.toBeInstanceOf(RecordError)
    expect(store.asked).toEqual([])
  })

  const fill = (count: number, input: Payload) =>
    ana.journals.commit((write) => {
      for (let i = 0; i < count; i++) write({ ...JOB, input })
    })

  test('too large together is split; every caller gets its own', async () => {
    const input = 'x'.repeat(60_000)
    const commits = await Promise.all(Array.from({ length: 40 }, () => fill(1, input)))
    expect(commits.every((records) => records.length === 1)).toBe(true)
    expect(store.asked.length).toBeGreaterThan(2)
    expect(await head()).toBe(store.asked.length - 1)
  })

  test('too large alone is refused, and the others are not affected', async () => {
    const input = 'x'.repeat(60_000)
    const [before, large, after] = await Promise.allSettled([fill(1, 'a'), fill(20, input), fill(1, 'b')])
    expect(before.status).toBe('fulfilled')
    expect(after.status).toBe('fulfilled')
    expect(large.status === 'rejected' && large.reason instanceof BatchError && large.reason.code).toBe(
      'BATCH_TOO_LARGE',
    )
    await expect(fill(4097, null)).rejects.toMatchObject({ code: 'BATCH_TOO_LARGE' })
    expect(recordsOf(await ana.journals.load(TODAY))).toHaveLength(2)
  })
})

describe('journals of days', () => {
  test('a record about a run of yesterday goes to yesterday’s journal', async () => {
    const [created, assigned] = (await ana.take()) as [AnyRecord & { run: string }, AnyRecord]
    ana.clock.advance(DAY_MS)
    await ana.journals.commit((write) => {
      write({ kind: 'completed', run: created.run, assignment: assigned.id })
      write(JOB)
    })
    expect(recordsOf(await ana.journals.load(TODAY)).map(({ kind }) => kind)).toContain('completed')
    expect(recordsOf(await ana.journals.load('2026-01-02')).map(({ kind }) => kind)).toEqual(['created'])
    expect(store.asked.at(-1)?.entries.map(({ log }) => log.journal)).toEqual([TODAY, '2026-01-02'])
  })

  test('a keyed run is named by the records of its own commit, and by later ones from its own day', async () => {
    const [created] = (await ana.take({ key: 'photo-17' })) as [AnyRecord & { run: string }]
    ana.clock.advance(DAY_MS)
    await ana.journals.commit((write) => void write({ kind: 'paused', run: created.run }))
    expect(await head()).toBe(1)
    expect(ana.journals.names).toEqual([TODAY, 'group'])
  })

  test('a key that is used again makes the journal of that day the one for what follows', async () => {
    const [created] = (await ana.take({ key: 'photo-17' })) as [AnyRecord & { run: string }]
    ana.clock.advance(DAY_MS)
    await ana.take({ key: 'photo-17' })
    await ana.reopen()
    await ana.journals.load('2026-01-02')
    await ana.journals.load(TODAY)
    await ana.journals.commit((write) => void write({ kind: 'paused', run: created.run }))
    const kinds = recordsOf(await ana.journals.load('2026-01-02')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'created' || kind === 'paused')).toEqual(['created', 'paused'])
    expect(recordsOf(await ana.journals.load(TODAY)).map(({ kind }) => kind)).not.toContain('paused')
  })

  test('a run that nobody created is unknown to its caller alone', async () => {
    const [other] = (await groupOf('zoe')) as [Device]
    const [created] = (await other.take({ key: 'photo-17' })) as [AnyRecord & { run: string }]
    const pause = ana.journals.commit((write) => void write({ kind: 'paused', run: created.run }))
    const [good, bad, more] = await Promise.allSettled([ana.take(), pause, ana.take()])
    expect([good.status, more.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(bad).toMatchObject({ reason: { code: 'UNKNOWN_RUN' } })
  })

  test('a keyed run whose commit failed stays unknown', async () => {
    store.failure = new Error('disk full')
    let run = ''
    const failing = ana.journals.commit((write) => {
      run = write({ ...JOB, key: 'photo-17' }).run
    })
    await expect(failing).rejects.toThrow('disk full')
    store.failure = null
    const pause = ana.journals.commit((write) => void write({ kind: 'paused', run }))
    await expect(pause).rejects.toMatchObject({ code: 'UNKNOWN_RUN' })
  })
})

describe('an app that changes its data after it committed', () => {
  test('changes nothing of what is written, not even by what commit gave back', async () => {
    const input = { file: 'a.jpg', tags: ['x'], bytes: Uint8Array.of(1) }
    let given: unknown
    const commit = ana.journals.commit((write) => {
      given = write({ ...JOB, input })
    })
    input.file = 'b.jpg'
    input.tags.push('y')
    input.bytes[0] = 9
    expect(() => Object.assign(given as object, { type: 'other' })).toThrow(TypeError)
    await commit
    const [record] = recordsOf(await ana.journals.load(TODAY))
    expect(record).toMatchObject({ input: { file: 'a.jpg', tags: ['x'], bytes: Uint8Array.of(1) } })
  })

  test('cannot make its own log one that others refuse', async () => {
    const [zoe, ben] = (await groupOf('zoe', 'ben')) as [Device, Device]
    const input: { size: number } = { size: 1 }
    const commit = zoe.journals.commit((write) => void write({ ...JOB, input }))
    input.size = Number.NaN
    await commit
    expect((await deliver(zoe, ben)).map(({ status }) => status)).toEqual(['applied'])
  })
})

describe('what is told of a commit', () => {
  test('is what others will read from its bytes, whatever was written', async () => {
    const kinds: readonly Kind[] = ['assigned', 'progressed', 'failed', 'completed', 'approved']
    const lives = fc.tuple(draftsOf('created'), fc.array(fc.oneof(...kinds.map(draftsOf)), { maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(lives, async ([created, more]) => {
        const before = (await head()) + 1
        const records = await ana.journals.commit((write) => {
          const { run } = write(created as Draft<'created'>)
          for (const draft of more) write({ ...draft, run } as Draft)
        })
        const journal = await ana.journals.load(TODAY)
        const log = journal.log(ana.id, ana.journals.incarnation)
        const signed = journal.elements(log, before, 1)[0] as Uint8Array
        const read = log.codec.decode(splitSigned(signed).bytes).records
        expect(records).toEqual(read)
        expect(ana.eventsOf('records').at(-1)?.records).toEqual(read)
      }),
      { numRuns: 150 },
    )
  })

  test('cannot be changed by whoever is told', async () => {
    await ana.journals.commit((write) => void write({ ...JOB, input: { sizes: [1] } }))
    const [record] = ana.eventsOf('records').at(-1)?.records ?? []
    const { input } = record as AnyRecord & { readonly input: { readonly sizes: number[] } }
    expect(() => Object.assign(record as object, { type: 'other' })).toThrow(TypeError)
    expect(() => input.sizes.push(2)).toThrow(TypeError)
  })
})

test('a hash of the platform’s own gives the same log as the one in JavaScript', async () => {
  const ben = new Device('ben', await signerOf('ben'))
  const { sha256 } = nodePlatform
  await ben.found({ sha256 })
  await ben.take()
  await ben.take()
  const groupId = ben.journals.group.id
  const { problems, batches } = await verifyJournal({ store: ben.store, verifier, groupId }, TODAY)
  expect([batches, problems]).toEqual([2, []])
  const { hash } = (await ben.journals.load(TODAY)).log(ben.id, ben.journals.incarnation).head
  expect(Object.getPrototypeOf(hash)).toBe(Uint8Array.prototype)
  expect((await ben.journals.verify(TODAY)).problems).toEqual([])
})
