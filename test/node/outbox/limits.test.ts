import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_FAULT_LENGTH } from '../../../src/node/fault.js'
import { Aside } from '../../../src/node/outbox/aside.js'
import { backoffAfter } from '../../../src/node/outbox/backoff.js'
import {
  BACKOFF_MS,
  MAX_ASIDE,
  MAX_BACKOFF_MS,
  MAX_DEAD,
  MAX_UNDECIDED,
  UNDECIDED_MS,
} from '../../../src/node/outbox/constants.js'
import { DeadLetters } from '../../../src/node/outbox/dead-letters.js'
import type { OutboxEvent } from '../../../src/node/outbox/index.js'
import { MemoryStore } from '../../../src/store/memory-store.js'
import { seededRandom } from '../../../src/testing/seeded.js'
import { ana, ben } from '../../protocol/story.js'
import { Host, TestClock, TODAY } from './kit.js'

const FAULT = { code: 'X', message: 'x' }
const backoff = { backoffMs: BACKOFF_MS, maxBackoffMs: MAX_BACKOFF_MS }

function eventAt(index: number): OutboxEvent {
  const id = String(index).padStart(8, '0')
  const data = { state: 'created', round: 0, attempt: 0, priority: 0 } as const
  return {
    id,
    key: id,
    type: 'run.created',
    run: id,
    runType: 'job',
    at: index,
    device: ana,
    data,
  } as OutboxEvent
}

let host: Host
beforeEach(() => {
  host = new Host()
})

describe('limits of the outbox', () => {
  it('a wait doubles, up to its cap and a little more', () => {
    const waits = [0, 1, 2, 3, 9, 50, 1000].map((attempts) =>
      backoffAfter(attempts, backoff, { ...seededRandom(1), number: () => 0 }),
    )
    expect(waits).toEqual([0, 1000, 2000, 4000, 256_000, MAX_BACKOFF_MS, MAX_BACKOFF_MS])
    const longest = backoffAfter(1000, backoff, { ...seededRandom(1), number: () => 0.999 })
    expect(longest).toBeLessThanOrEqual(1.25 * MAX_BACKOFF_MS)
  })

  it('of too many dead letters the oldest goes, and is counted', async () => {
    const store = new MemoryStore()
    const clock = new TestClock()
    const aside = new Aside(store, clock, seededRandom(1), backoff)
    const deadLetters = new DeadLetters(store, clock, aside, () => undefined)
    for (let i = 0; i < MAX_DEAD + 3; i++) await deadLetters.bury(eventAt(i), 1, FAULT)
    expect(deadLetters).toMatchObject({ size: MAX_DEAD, dropped: 3 })
    expect((await store.items('outbox/dead/')).size).toBe(MAX_DEAD)
    expect([2, 3].map((index) => deadLetters.has(eventAt(index).id))).toEqual([false, true])
  })

  it('no more dead letters are redriven than there is room for', async () => {
    const store = new MemoryStore()
    const clock = new TestClock()
    const aside = new Aside(store, clock, seededRandom(1), backoff)
    const deadLetters = new DeadLetters(store, clock, aside, () => undefined)
    for (let i = 0; i < MAX_ASIDE - 2; i++) await aside.put(eventAt(i), 1, FAULT)
    for (let i = 0; i < 5; i++) await deadLetters.bury(eventAt(MAX_ASIDE + i), 1, FAULT)
    expect(await deadLetters.redriveAll()).toBe(2)
    expect(deadLetters.size).toBe(3)
    await expect(deadLetters.redrive(eventAt(MAX_ASIDE + 2).id)).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    expect(deadLetters.size).toBe(3)
  })

  it('records in masses that make no sense hold the others up for a while, and lose none of them', async () => {
    const outbox = await host.listen()
    const claims = Array.from({ length: MAX_UNDECIDED + 10 }, () =>
      host.story.claimed(ana, host.story.assigned(ana, ana, host.story.created(ana))),
    )
    const late = host.story.created(ben)
    // Of what they claim nothing ever arrives.
    host.arrive(claims)
    host.arrive([late])
    await outbox.flush()
    expect(outbox.pending()).toMatchObject({ undecided: MAX_UNDECIDED, unread: 1 })
    expect(host.heard).toEqual([])
    await host.pass(UNDECIDED_MS)
    expect(host.heardIds).toEqual([late.id])
    await host.pass(UNDECIDED_MS)
    expect(host.heardIds).toEqual([late.id])
    expect(outbox.pending()).toMatchObject({ undecided: 0, unread: 0 })
    expect(outbox.isSettled(TODAY)).toBe(true)
  })

  it('what a listener throws is kept up to a length', async () => {
    const outbox = await host.open()
    const faults: unknown[] = [new Error('x'.repeat(1_000_000)), Object.create(null)]
    await outbox.start(() => Promise.reject(faults.shift()))
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    expect(outbox.list()[0]?.lastError).toMatchObject({ code: 'LISTENER_ERROR' })
    expect(outbox.list()[0]?.lastError?.message).toHaveLength(MAX_FAULT_LENGTH)
    await host.pass(2000)
    expect(outbox.list()[0]?.lastError?.message).toBe('Something was thrown that cannot be shown.')
  })

  it.each([0, 1001, 1.5])('a list does not have %d entries', async (limit) => {
    const outbox = await host.open()
    expect(() => outbox.list({ limit })).toThrow('A limit is an integer from 1 to 1000.')
  })

  it.each([
    [{ concurrency: 1001 }, 'concurrency'],
    [{ maxAttempts: 0 }, 'maxAttempts'],
    [{ maxBackoffMs: 2 ** 53 }, 'maxBackoffMs'],
    [{ deliveryTimeoutMs: 0 }, 'deliveryTimeoutMs'],
  ])('it does not open with %o', async (settings, field) => {
    await expect(host.open(settings)).rejects.toMatchObject({ code: 'INVALID_OPTIONS', details: { field } })
  })

  it('it does not open with an option that it does not know', async () => {
    const settings = { timeoutMs: 1 } as object
    await expect(host.open(settings)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      details: { option: 'timeoutMs' },
    })
  })
})
