import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createNode, defineRun } from '../../src/index.js'

const encode = defineRun({
  type: 'film.encode',
  input: z.object({ film: z.string() }),
  progress: z.object({ step: z.number() }),
  retry: { max: 2, backoffMs: 1 },
})

describe('a progress schema', () => {
  it('types what is reported and what is found again', async () => {
    const node = await createNode()
    const begun: number[] = []
    node.handle(encode, async (_, { checkpoint, progress, attempt }) => {
      const first = checkpoint?.step ?? 0
      begun.push(first)
      progress({ step: first + 3 })
      if (attempt < 3) throw new Error('the power went')
      return first
    })
    const run = await node.submit(encode, { film: 'Metropolis' })
    expect(await run.result()).toBe(6)
    expect(begun).toEqual([0, 3, 6])
    await node.close()
  })

  it('refuses a report that does not match, and the run goes on', async () => {
    const node = await createNode()
    const codes: unknown[] = []
    node.handle(encode, async (_, { progress }) => {
      try {
        progress({ step: 'three' } as never)
      } catch (error) {
        codes.push((error as { readonly code: unknown }).code)
      }
      return 'done'
    })
    const run = await node.submit(encode, { film: 'Metropolis' })
    expect(await run.result()).toBe('done')
    expect(codes).toEqual(['INVALID_PROGRESS'])
    await node.close()
  })

  it('passes over a checkpoint of another version', async () => {
    const node = await createNode()
    const older = defineRun({ type: 'film.encode' })
    const found: unknown[] = []
    let takeAway = node.handle(older, async (_, { progress }) => {
      progress({ frames: 100 })
      throw new Error('an older version')
    })
    const run = await node.submit(encode, { film: 'Metropolis' })
    await node.once('run:attempt-failed')
    takeAway()
    takeAway = node.handle(encode, async (_, { checkpoint }) => void found.push(checkpoint))
    await run.result()
    expect(found).toEqual([null])
    await node.close()
  })

  it('lets an input be left out where nothing is one', async () => {
    const node = await createNode()
    const sweep = defineRun({ type: 'sweep', input: z.undefined() })
    node.handle(sweep, async (input) => input === undefined)
    expect(await (await node.submit(sweep)).result()).toBe(true)
    expect(await (await node.submit(defineRun({ type: 'sweep' }))).result()).toBe(true)
    await node.close()
  })
})
