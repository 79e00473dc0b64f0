/** Journals that are not in memory: at rest on disk, or dropped with a stub in their place. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord } from '../../protocol/index.js'
import { openJournals } from '../../src/journal/index.js'
import {
  copyOf,
  DAY_MS,
  type Device,
  deliver,
  groupOf,
  headsText,
  recordsOf,
  sync,
  TODAY,
  verifier,
  viewsOf,
} from './devices.js'
import { JOB } from './forge.js'

let ana: Device
let ben: Device

beforeEach(async () => {
  ;[ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
  await ana.take()
  await ben.take()
  await sync(ana, ben)
})

function loaded({ journals }: Device): readonly string[] {
  return journals.loaded.map(({ name }) => name).sort()
}

describe('a journal at rest', () => {
  test('is listed as before, and the same when it is loaded again', async () => {
    const [heads, views] = [headsText(ana), await viewsOf(ana)]
    await ana.journals.unload(TODAY)
    expect(loaded(ana)).toEqual(['group'])
    expect(headsText(ana)).toBe(heads)
    expect(await viewsOf(ana)).toBe(views)
  })

  test('stays at rest over a restart, and is loaded when something is asked of it', async () => {
    const heads = headsText(ana)
    await ana.reopen()
    expect(loaded(ana)).toEqual(['group'])
    expect(headsText(ana)).toBe(heads)
    await ana.take()
    expect(loaded(ana)).toEqual([TODAY, 'group'])
    await sync(ben, ana)
    expect(headsText(ben)).toBe(headsText(ana))
  })

  test('is loaded at the next start if the process ended without noting where it stood', async () => {
    await ana.reopen()
    await ana.take()
    await ana.crash()
    expect(loaded(ana)).toEqual([TODAY, 'group'])
  })

  test('does not make time go back: a record after a restart is later than all before', async () => {
    ben.clock.advance(50_000)
    const [theirs] = (await ben.take()) as [AnyRecord]
    await deliver(ben, ana)
    for (const restart of ['reopen', 'crash'] as const) {
      await ana.journals.unload(TODAY)
      await ana[restart]()
      const [ours] = (await ana.take()) as [AnyRecord]
      expect(ours.stamp).toBeGreaterThan(theirs.stamp)
    }
  })

  test('whose note cannot be read is loaded', async () => {
    await ana.journals.close()
    await ana.store.putItem(`heads/${TODAY}`, Uint8Array.of(1, 2, 3))
    await ana.crash()
    expect(loaded(ana)).toEqual([TODAY, 'group'])
    expect(headsText(ana)).toBe(headsText(ben))
  })

  test('the group’s journal never rests and is never dropped', async () => {
    await ana.journals.unload('group')
    expect(loaded(ana)).toContain('group')
    await expect(ana.journals.evict('group')).rejects.toMatchObject({ code: 'NEVER_EVICTED' })
  })
})

describe('a dropped journal', () => {
  test('leaves its heads, so that nobody sends it again', async () => {
    const heads = headsText(ana)
    await ana.journals.evict(TODAY)
    expect((await ana.store.heads()).map(({ journal }) => journal)).toEqual(['group'])
    expect(headsText(ana)).toBe(heads)
    expect((await sync(ana, ben)).messages).toEqual([])
    expect(await deliver(ben, ana)).toMatchObject([{ status: 'known' }])
    await ana.reopen()
    expect(headsText(ana)).toBe(heads)
    expect((await sync(ben, ana)).messages).toEqual([])
  })

  test('stays dropped when it is dropped again', async () => {
    const heads = headsText(ana)
    await ana.journals.evict(TODAY)
    await ana.journals.evict(TODAY)
    expect(headsText(ana)).toBe(heads)
    await expect(ana.journals.load(TODAY)).rejects.toMatchObject({ code: 'JOURNAL_EVICTED' })
  })

  test('is fetched again when a peer has more', async () => {
    await ana.reopen()
    await ana.journals.evict(TODAY)
    await ben.take()
    expect((await deliver(ben, ana)).at(-1)).toEqual({ status: 'gap', journal: TODAY })
    await sync(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect(await viewsOf(ana)).toBe(await viewsOf(ben))
  })

  test('takes no records, and its runs are unknown', async () => {
    const [created] = (await ana.take({ key: 'photo' })) as [AnyRecord & { run: string }]
    await ana.journals.evict(TODAY)
    const pause = ana.journals.commit((write) => void write({ kind: 'paused', run: created.run }))
    await expect(pause).rejects.toMatchObject({ code: 'UNKNOWN_RUN' })
    await expect(ana.take()).rejects.toMatchObject({ code: 'JOURNAL_EVICTED' })
    ana.clock.advance(DAY_MS)
    await ana.take({ key: 'photo' })
    expect(ana.journals.names).toContain('2026-01-02')
  })

  test('that is fetched again never makes this process fork its own log', async () => {
    // Ana's log in the journal is of this very process: she must have it back before she goes on with it.
    const [created] = (await ana.take()) as [AnyRecord & { run: string }]
    await sync(ana, ben)
    await ana.journals.evict(TODAY)
    await ben.take()
    const pause = (): Promise<readonly AnyRecord[]> =>
      ana.journals.commit((write) => void write({ kind: 'paused', run: created.run }))
    await sync(ana, ben, () => true)
    await expect(pause()).rejects.toMatchObject({ code: 'JOURNAL_EVICTED' })
    await sync(ana, ben)
    await pause()
    await sync(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect(await ben.journals.proofs()).toEqual([])
    expect((await ana.journals.verify(TODAY)).problems).toEqual([])
  })
})

describe('an old copy of a store', () => {
  test('written to again and then synced: no fork, and the tail that others have comes back', async () => {
    const copy = await copyOf(ana.store)
    // After the copy was made, ana writes on, and ben has it.
    for (let i = 0; i < 3; i++) await ana.take()
    await sync(ana, ben)
    const lost = recordsOf(await ana.journals.load(TODAY)).length

    await ana.reopen(copy)
    expect(recordsOf(await ana.journals.load(TODAY)).length).toBeLessThan(lost)
    await ana.journals.commit((write) => void write(JOB))
    await sync(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect(recordsOf(await ana.journals.load(TODAY))).toHaveLength(lost + 1)
    expect([...(await ana.journals.proofs()), ...(await ben.journals.proofs())]).toEqual([])
  })

  test('opened in the very millisecond of the start that wrote it: another incarnation', async () => {
    const first = ana.journals.incarnation
    const group = ana.journals.group.id
    const counter = first % 1024
    const again = await openJournals({
      store: ana.store,
      signer: ana.signer,
      verifier,
      clock: ana.clock,
      random: { bytes: (count) => new Uint8Array(count), number: () => (counter + 0.5) / 1024 },
      group,
    })
    expect(again.incarnation).not.toBe(first)
  })
})

describe('retention', () => {
  test('evicts days that are over it and whose runs have ended, and never the group', async () => {
    ana.clock.advance(10 * DAY_MS)
    await ana.take()
    const recent = ana.journals.names.find((name) => name !== TODAY && name !== 'group')
    const none = await ana.journals.evictExpired(10 * DAY_MS, () => false)
    const open = await ana.journals.evictExpired(9 * DAY_MS, () => true)
    const gone = await ana.journals.evictExpired(9 * DAY_MS, () => false)
    const again = await ana.journals.evictExpired(9 * DAY_MS, () => false)
    expect([none, open, gone, again]).toEqual([[], [], [TODAY], []])
    expect(loaded(ana)).toEqual([recent, 'group'])
    expect(ana.journals.names).toContain(TODAY)
  })
})
