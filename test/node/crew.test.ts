import { describe, expect, it } from 'vitest'
import type { RunView } from '../../protocol/index.js'
import { defineRun } from '../../src/index.js'
import { Crew, type CrewHost } from '../../src/node/crew.js'
import { VirtualTime } from '../../src/testing/index.js'
import { codeOf, quickGroup } from './group-kit.js'

describe('a handler', () => {
  it.each(['', 'x'.repeat(200), 'two\nlines', 5, null, {}, { type: 'job' }])(
    'is refused for what is no run type: %j',
    async (type) => {
      const group = await quickGroup(1)
      const node = group.node(0)
      // Taken, it would keep the device's whole profile from being written.
      expect(await codeOf(() => node.handle(type as never, () => null))).toBe('INVALID_OPTIONS')
      expect(await codeOf(() => node.submit(type as never))).toBe('INVALID_OPTIONS')
    },
  )

  it('is told to the group by its name, however its type is given', async () => {
    const group = await quickGroup(1, {
      setUp: (node) => {
        node.handle('plain', () => null)
        node.handle(defineRun({ type: 'defined' }), () => null)
      },
    })
    expect(group.node(0).devices.get(group.device(0).id)?.handles).toEqual(['defined', 'plain'])
  })
})

describe('of two runs that were given to a device under one id', () => {
  /** Both are begun. Runs that ended, in order; and what ends each. */
  function both(): { crew: Crew; ended: string[]; finish: Map<unknown, () => void> } {
    const ended: string[] = []
    const finish = new Map<unknown, () => void>()
    const crew = new Crew({
      clock: new VirtualTime().clock(),
      viewOf: (run: string) => ({ run, created: { type: 'job', input: run } }) as unknown as RunView,
      ended: (run: string, assignment: string, { type }: { type: string }) =>
        void ended.push(`${run} ${assignment} ${type}`),
    } as unknown as CrewHost)
    crew.register('job', (input) => new Promise<void>((resolve) => void finish.set(input, resolve)), 2)
    for (const run of ['first', 'second']) crew.start(run, 'twin')
    return { crew, ended, finish }
  }

  it('both are worked on, each to its own end', async () => {
    const { crew, ended, finish } = both()
    crew.start('first', 'twin')
    expect([...finish.keys()]).toEqual(['first', 'second'])
    for (const run of ['second', 'first']) {
      finish.get(run)?.()
      await new Promise(setImmediate)
    }
    expect(ended).toEqual(['second twin completed', 'first twin completed'])
    expect([crew.shiftOf('first', 'twin'), crew.shiftOf('second', 'twin')]).toEqual([null, null])
  })

  it('one is stopped and abandoned without the other', async () => {
    const { crew, ended, finish } = both()
    crew.stop('first', 'twin', 'cancelled')
    crew.abandon('first', 'twin')
    expect(crew.shiftOf('first', 'twin')).toBeNull()
    expect(crew.shiftOf('second', 'twin')?.isStopped).toBe(false)
    for (const run of ['first', 'second']) finish.get(run)?.()
    await new Promise(setImmediate)
    expect(ended).toEqual(['second twin completed'])
  })
})
