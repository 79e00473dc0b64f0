import { describe, expect, it } from 'vitest'
import { LOG_BOOK_BYTES, MAX_LOG_BOOKS } from '../../src/node/log-books.js'
import { MAX_LOG_LINES, MAX_LOGGED_RUNS, RunLogs } from '../../src/node/run-logs.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import { TestClock } from './outbox/kit.js'

class CountingStore extends MemoryStore {
  writes = 0
  isBroken = false

  override async putItem(name: string, value: Uint8Array | null): Promise<void> {
    if (this.isBroken) throw new Error('No disk.')
    this.writes++
    await super.putItem(name, value)
  }

  async bytes(): Promise<number> {
    return [...(await this.items('logs/')).values()].reduce((sum, { length }) => sum + length, 0)
  }
}

class Host {
  readonly store: CountingStore = new CountingStore()
  readonly clock: TestClock = new TestClock()

  open(): Promise<RunLogs> {
    return RunLogs.open({ store: this.store, clock: this.clock })
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
  }
}

async function messages(logs: RunLogs, run: string): Promise<readonly string[]> {
  return (await logs.read(run)).map(({ message }) => message)
}

const info = (message: string): { level: 'info'; message: string } => ({ level: 'info', message })

describe('the log of a run', () => {
  it('is there at once, and after a restart', async () => {
    const host = new Host()
    const logs = await host.open()
    const data = { path: ['a'], bytes: Uint8Array.of(1, 2) }
    logs.add('one', { level: 'warn', message: 'careful', data })
    data.path.push('b')
    logs.add('two', info('other'))
    const line = {
      line: 0,
      at: host.clock.nowMs,
      level: 'warn',
      message: 'careful',
      data: { path: ['a'], bytes: Uint8Array.of(1, 2) },
    }
    expect(await logs.read('one')).toEqual([line])
    await logs.close()
    const again = await host.open()
    expect(await again.read('one')).toEqual([line])
    again.add('one', info('back'))
    expect((await again.read('one')).map(({ line: number }) => number)).toEqual([0, 1])
    expect(await again.read('none')).toEqual([])
  })

  it('keeps the latest lines, and tells how many went', async () => {
    const host = new Host()
    const logs = await host.open()
    for (let i = 0; i < MAX_LOG_LINES + 7; i++) logs.add('run', info(`line ${i}`))
    await logs.flush()
    for (const kept of [logs, await host.open()]) {
      const lines = await kept.read('run')
      expect(lines).toHaveLength(MAX_LOG_LINES)
      expect(lines[0]).toMatchObject({ line: 7, message: 'line 7' })
    }
  })

  it('leaves out what is too long, too large or no plain data, and never throws', async () => {
    const host = new Host()
    const logs = await host.open()
    const trap = {
      get it(): never {
        throw new Error('Do not look.')
      },
    }
    for (const data of [() => {}, 'x'.repeat(5000), trap]) logs.add('run', { ...info('data'), data })
    logs.add('run', info('x'.repeat(5000)))
    logs.add('run', info('half \ud800 a pair'))
    logs.add('run', { level: 'loud' as 'info', message: 7 as unknown as string })
    const lines = await logs.read('run')
    expect(lines.slice(0, 4).map(({ cut, data }) => [cut, data])).toEqual(
      new Array(4).fill([true, undefined]),
    )
    expect(lines[3]?.message).toHaveLength(2000)
    expect(lines[4]?.message).toBe('half \ufffd a pair')
    expect(lines[5]).toMatchObject({ level: 'info', message: '[object Number]' })
    await logs.flush()
    expect(await (await host.open()).read('run')).toEqual(lines)
  })

  it('is gone when it is forgotten, also from disk', async () => {
    const host = new Host()
    const logs = await host.open()
    logs.add('one', info('a secret'))
    logs.add('two', info('other'))
    await logs.flush()
    logs.forget('one')
    expect(await logs.read('one')).toEqual([])
    await logs.flush()
    expect(await (await host.open()).read('one')).toEqual([])
    expect(await messages(await host.open(), 'two')).toEqual(['other'])
  })

  it('leaves no empty books behind', async () => {
    const host = new Host()
    const logs = await host.open()
    for (let i = 0; i < MAX_LOG_LINES; i++) logs.add('run', info('x'.repeat(1000)))
    await logs.flush()
    expect((await host.store.items('logs/')).size).toBeGreaterThan(10)
    logs.forget('run')
    await logs.flush()
    expect((await host.store.items('logs/')).size).toBeLessThanOrEqual(1)
  })
})

describe('the logs of a device', () => {
  it('are written once a second, all runs together', async () => {
    const host = new Host()
    const logs = await host.open()
    for (let i = 0; i < 100; i++) logs.add(`run ${i}`, info('hello'))
    await host.pass(999)
    expect(host.store.writes).toBe(0)
    await host.pass(1)
    expect(host.store.writes).toBe(1)
    await host.pass(10_000)
    expect(host.store.writes).toBe(1)
    logs.add('run 7', info('again'))
    await host.pass(1000)
    expect(host.store.writes).toBe(2)
    expect(await messages(await host.open(), 'run 7')).toEqual(['hello', 'again'])
  })

  it('a write that failed is done again', async () => {
    const host = new Host()
    const logs = await host.open()
    host.store.isBroken = true
    logs.add('run', info('hello'))
    await host.pass(1000)
    expect(logs.storeErrors).toBe(1)
    await expect(logs.flush()).rejects.toThrow('No disk.')
    host.store.isBroken = false
    await host.pass(1000)
    expect(await messages(await host.open(), 'run')).toEqual(['hello'])
  })

  it('hold so many runs; those that began first go', async () => {
    const host = new Host()
    const logs = await host.open()
    for (let i = 0; i < MAX_LOGGED_RUNS + 5; i++) {
      logs.add(`run ${i}`, info('hello'))
      host.clock.nowMs++
    }
    await logs.flush()
    for (const kept of [logs, await host.open()]) {
      expect(await messages(kept, 'run 4')).toEqual([])
      expect(await messages(kept, 'run 5')).toEqual(['hello'])
    }
  })

  it('one that logs without end does not push out the others, and fills no disk', async () => {
    const host = new Host()
    const logs = await host.open()
    logs.add('quiet', info('before'))
    for (let i = 0; i < 60_000; i++) {
      logs.add('noisy', info(`${i} ${'x'.repeat(100)}`))
      // About one in each book, and more books than may be kept.
      if (i % 150 === 0) logs.add('quiet', info(`at ${i}`))
      if (i % 5000 === 0) await logs.flush()
    }
    await logs.flush()
    for (const kept of [logs, await host.open()]) {
      const quiet = await messages(kept, 'quiet')
      expect(quiet).toHaveLength(401)
      expect(quiet[0]).toBe('before')
      expect(quiet[400]).toBe('at 59850')
      expect((await kept.read('noisy')).map(({ line }) => line)).toEqual(
        Array.from({ length: MAX_LOG_LINES }, (_, i) => 60_000 - MAX_LOG_LINES + i),
      )
    }
    expect((await host.store.items('logs/')).size).toBeLessThanOrEqual(MAX_LOG_BOOKS)
  })

  it('take no more room than they may; the oldest lines go', async () => {
    const host = new Host()
    const logs = await host.open()
    const message = 'x'.repeat(1900)
    for (let run = 0; run < 40; run++) {
      for (let i = 0; i < MAX_LOG_LINES; i++) logs.add(`run ${run}`, info(message))
      host.clock.nowMs++
    }
    await logs.flush()
    expect(await host.store.bytes()).toBeLessThan(LOG_BOOK_BYTES * MAX_LOG_BOOKS)
    for (const kept of [logs, await host.open()]) {
      expect(await kept.read('run 0')).toEqual([])
      expect(await kept.read('run 39')).toHaveLength(MAX_LOG_LINES)
    }
  })

  it('let go of what comes after the end', async () => {
    const host = new Host()
    const logs = await host.open()
    await logs.close()
    logs.add('run', info('too late'))
    expect(await logs.read('run')).toEqual([])
  })
})
