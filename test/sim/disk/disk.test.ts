import { describe, expect, it } from 'vitest'
import type { StoredBatch } from '../../../src/store/index.js'
import { seededRandom } from '../../../src/testing/index.js'
import { DAY, DURABLE, entriesOf, logOf, PASSING } from '../../../src/testing/store/kit.js'
import { Drive, nameOf, namesIn, OWNER } from './kit.js'

const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1)

/** Logs of this device and of others, in two journals. */
const LOGS = [logOf(OWNER), logOf(2), logOf(3), logOf(2, '2026-01-12')]

interface Written {
  readonly drive: Drive
  readonly order: readonly StoredBatch[]
  /** How many of them were safe before the crash. */
  readonly safe: number
}

/** Writes a random story, and says what was written, in order. */
async function writtenBy(seed: number): Promise<Written> {
  const drive = new Drive(seed)
  const store = drive.open()
  const random = seededRandom(seed * 7)
  const next = LOGS.map(() => 0)
  const order: StoredBatch[] = []
  let safe = 0
  for (let i = 0; i < 20; i++) {
    const which = random.below(LOGS.length)
    const log = LOGS[which]
    if (log === undefined) continue
    const entries = entriesOf(log, next[which] ?? 0, 1 + random.below(3))
    next[which] = (next[which] ?? 0) + entries.length
    const isDurable = random.below(6) === 0
    await store.append(entries, isDurable ? DURABLE : PASSING)
    order.push(...entries)
    if (isDurable) safe = order.length
  }
  return { drive, order, safe }
}

describe('a crash', () => {
  it.each(SEEDS)('takes only what was not safe, and only from the end (seed %i)', async (seed) => {
    const { drive, order, safe } = await writtenBy(seed)
    order.forEach(({ log, sequence }, i) => {
      expect(drive.disk.isSafe(log, sequence)).toBe(i < safe)
    })
    await drive.disk.crash()
    const kept = await namesIn(drive.open())
    expect(kept.size).toBeGreaterThanOrEqual(safe)
    expect(kept).toEqual(new Set(order.slice(0, kept.size).map(nameOf)))
    expect(drive.disk.lost).toBe(order.length - kept.size)
    order.forEach(({ log, sequence }, i) => {
      expect(drive.disk.isSafe(log, sequence)).toBe(i < kept.size)
    })
  })

  it('takes sometimes all of it, sometimes none, and sometimes a part', async () => {
    const kept = new Set<number>()
    for (const seed of SEEDS) {
      const drive = new Drive(seed)
      await drive.open().append(entriesOf(logOf(2), 0, 2), PASSING)
      await drive.disk.crash()
      kept.add((await namesIn(drive.open())).size)
    }
    expect([...kept].sort()).toEqual([0, 1, 2])
  })

  it('leaves a log to be gone on with where it was cut', async () => {
    for (const seed of SEEDS.slice(0, 10)) {
      const drive = new Drive(seed)
      const log = logOf(2)
      await drive.open().append(entriesOf(log, 0, 5), PASSING)
      await drive.disk.crash()
      const next = drive.open()
      const { size } = await namesIn(next)
      await next.append(entriesOf(log, size, 5 - size), DURABLE)
      expect((await namesIn(next)).size).toBe(5)
      expect(drive.disk.isSafe(log, 4)).toBe(true)
    }
  })

  it('keeps items and stubs: they were durable', async () => {
    for (const seed of SEEDS.slice(0, 10)) {
      const drive = new Drive(seed)
      const store = drive.open()
      await store.append(entriesOf(logOf(3, '2026-01-10'), 0, 2), PASSING)
      await store.evict('2026-01-10', Uint8Array.of(9))
      await store.putItem('name', Uint8Array.of(1, 2))
      await store.append(entriesOf(logOf(2), 0, 9), PASSING)
      await drive.disk.crash()
      const next = drive.open()
      expect(await next.getItem('name')).toEqual(Uint8Array.of(1, 2))
      expect([...(await next.stubs()).keys()]).toEqual(['2026-01-10'])
    }
  })
})

describe('what a device wrote itself', () => {
  it('counts as safe only once it is, byte for byte', async () => {
    const drive = new Drive()
    const store = drive.open()
    const [first, second] = entriesOf(logOf(OWNER), 0, 2) as [StoredBatch, StoredBatch]
    const [others] = entriesOf(logOf(2), 0, 1) as [StoredBatch]
    await store.append([first], PASSING)
    expect(drive.disk.isOwnSafe(first.signed)).toBe(false)
    await store.append([others, second], DURABLE)
    expect([first, second, others].map(({ signed }) => drive.disk.isOwnSafe(signed))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('a bad sector', () => {
  it.each(SEEDS.slice(0, 20))(
    'cuts one log of another device at the next crash, never its own (seed %i)',
    async (seed) => {
      const drive = new Drive(seed)
      const all = LOGS.map((log) => entriesOf(log, 0, 6))
      for (const entries of all) await drive.open().append(entries, DURABLE)
      drive.disk.damage()
      expect((await namesIn(drive.open())).size).toBe(24)
      await drive.disk.crash()
      const kept = await namesIn(drive.open())
      const counts = all.map((entries) => entries.filter((entry) => kept.has(nameOf(entry))).length)
      expect(counts[0]).toBe(6)
      expect(counts.filter((count) => count < 6)).toHaveLength(1)
      all.forEach((entries, i) => {
        const count = counts[i] as number
        expect(entries.slice(0, count).every((entry) => kept.has(nameOf(entry)))).toBe(true)
        for (const { log, sequence } of entries)
          expect(drive.disk.isSafe(log, sequence)).toBe(sequence < count)
      })
      expect(drive.disk.lost).toBe(24 - kept.size)
      await drive.disk.crash()
      expect((await namesIn(drive.open())).size).toBe(kept.size)
    },
  )

  it('harms nothing where there is nothing of others', async () => {
    const drive = new Drive()
    await drive.open().append(entriesOf(logOf(OWNER), 0, 3), DURABLE)
    drive.disk.damage()
    await drive.disk.crash()
    expect((await namesIn(drive.open())).size).toBe(3)
  })
})

describe('a disk that begins with what another holds', () => {
  it('has all of it, safe, and tells of it', async () => {
    const [from, to] = [new Drive(), new Drive(2)]
    for (const log of LOGS) await from.open().append(entriesOf(log, 0, 2), PASSING)
    await to.disk.copyFrom(from.disk)
    await to.disk.crash()
    expect(await namesIn(to.open())).toEqual(await namesIn(from.open()))
    expect(to.stored.map(({ batch }) => nameOf(batch))).toHaveLength(8)
    expect(to.stored.every(({ isDurable }) => isDurable)).toBe(true)
    expect([...new Set(to.stored.map(({ batch }) => batch.log.journal))]).toContain(DAY)
  })
})
