import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/node/failure.js'
import { quickGroup } from './group-kit.js'

const TRAPS: readonly (readonly [string, unknown])[] = [
  ['an object that is no text', Object.create(null)],
  [
    'a getter that throws',
    {
      get code(): string {
        throw new Error('a trap')
      },
    },
  ],
  [
    'details that cannot be read',
    { message: 'No.', details: new Proxy({}, { ownKeys: () => [1 as never] }) },
  ],
]

describe('what a handler threw', () => {
  it.each(TRAPS)('becomes a failure even if it is %s', (_, thrown) => {
    expect(failureOf(thrown)).toEqual({
      error: { code: 'HANDLER_ERROR', message: 'Something was thrown that cannot be shown.' },
      permanent: false,
    })
  })

  it.each(TRAPS)('ends the run and frees its slot even if it is %s', async (_, thrown) => {
    const group = await quickGroup(1, {
      setUp: (node) =>
        void node.handle('job', () => {
          throw thrown
        }),
    })
    const node = group.node(0)
    const run = await group.during(node.submit('job', null, { retry: { max: 0 } }))
    await group.settle()
    expect(run.view).toMatchObject({ state: 'failed', error: { code: 'HANDLER_ERROR' } })
    expect(node.metrics().active).toBe(0)
  })
})
