import { describe, expect, it } from 'vitest'
import { createNode, defineRun } from '../../src/index.js'
import { createTestGroup } from '../../src/testing/index.js'

describe('a node alone', () => {
  it('does a run', async () => {
    const node = await createNode()
    const greet = defineRun({ type: 'greet' })
    node.handle(greet, async (name) => `Hello, ${name}!`)
    const run = await node.submit(greet, 'world')
    expect(await run.result()).toBe('Hello, world!')
    expect(run.view.starts).toBe(1)
    await node.close()
  })
})

describe('a group', () => {
  it('delegates to the one who can', async () => {
    const group = await createTestGroup(3)
    const [ana, ben] = group.nodes
    ben?.handle('greet', async (name) => `Hello, ${name}!`)
    await group.advance(3000)
    const run = await group.during(ana!.submit('greet', 'world'))
    const result = await group.during(run.result())
    expect(result).toBe('Hello, world!')
    console.log(run.view, run.explain().sentences)
    await group.close()
  })
})
