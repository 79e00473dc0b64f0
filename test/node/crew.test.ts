import { describe, expect, it } from 'vitest'
import { defineRun } from '../../src/index.js'
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
