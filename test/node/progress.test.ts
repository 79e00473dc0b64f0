import { describe, expect, it } from 'vitest'
import type { Payload } from '../../protocol/index.js'
import { ProgressWriter } from '../../src/node/progress.js'
import { TestClock } from './outbox/kit.js'

class Reports {
  readonly clock: TestClock = new TestClock()
  readonly written: Payload[] = []
  /** How many writes are under way, and were at most. */
  under = 0
  most = 0
  /** What the next write waits for. */
  gate: () => Promise<void> | void = () => {}
  readonly writer: ProgressWriter = new ProgressWriter({
    clock: this.clock,
    write: async (data) => {
      this.most = Math.max(this.most, ++this.under)
      try {
        await this.gate()
        this.written.push(data)
      } finally {
        this.under--
      }
    },
  })

  async pass(ms: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.clock.advance(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('progress', () => {
  it('is written at once the first time, then the latest once a second', async () => {
    const { writer, written, ...reports } = new Reports()
    const { clock } = reports
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    for (let step = 0; step < 100; step++) writer.set({ step })
    await turn()
    expect(written).toEqual([{ step: 0 }])
    clock.advance(999)
    await turn()
    expect(written).toHaveLength(1)
    clock.advance(1)
    await turn()
    expect(written).toEqual([{ step: 0 }, { step: 99 }])
    clock.advance(10_000)
    await turn()
    expect(written).toHaveLength(2)
    writer.set('later')
    await turn()
    expect(written[2]).toBe('later')
  })

  it('is never written twice at a time, however slow the disk', async () => {
    const reports = new Reports()
    let release = (): void => {}
    reports.gate = () =>
      new Promise((resolve) => {
        release = resolve
      })
    reports.writer.set(1)
    await reports.pass(5000)
    reports.writer.set(2)
    reports.writer.set(3)
    await reports.pass(5000)
    expect(reports.under).toBe(1)
    release()
    await reports.pass(5000)
    release()
    await reports.pass(0)
    expect(reports.written).toEqual([1, 3])
    expect(reports.most).toBe(1)
  })

  it('a flush writes the last report without waiting for its time', async () => {
    const reports = new Reports()
    for (const step of [1, 2, 3]) reports.writer.set(step)
    await reports.writer.flush()
    await reports.writer.flush()
    expect(reports.written).toEqual([1, 3])
    expect(reports.most).toBe(1)
  })

  it('a report that could not be written is tried again, unless a later one took its place', async () => {
    const reports = new Reports()
    reports.gate = () => {
      throw new Error('No disk.')
    }
    reports.writer.set(1)
    await reports.pass(0)
    await expect(reports.writer.flush()).rejects.toThrow('No disk.')
    reports.gate = () => {}
    await reports.pass(1000)
    expect(reports.written).toEqual([1])
  })

  it('is copied, and refused if it is no plain data', async () => {
    const reports = new Reports()
    const data = { step: 1 }
    reports.writer.set(data)
    data.step = 2
    expect(() => reports.writer.set({ at: new Date(0) })).toThrowError(
      expect.objectContaining({
        code: 'INVALID_PROGRESS',
        message: expect.stringContaining('“at” is a Date'),
      }),
    )
    await reports.writer.flush()
    expect(reports.written).toEqual([{ step: 1 }])
  })

  it('after the attempt is let go of', async () => {
    const reports = new Reports()
    reports.writer.set(1)
    reports.writer.set(2)
    reports.writer.close()
    reports.writer.set(3)
    await reports.pass(5000)
    await reports.writer.flush()
    expect(reports.written).toEqual([1])
  })
})
