import { expect, it } from 'vitest'
import { createNode } from '../../src/index.js'

it('submitMany makes runs that are too large for one write together', async () => {
  const node = await createNode()
  const film = 'x'.repeat(60_000)
  const items = Array.from({ length: 40 }, (_, i) => ({
    type: 'job',
    input: { film, i },
    options: { key: `${i}` },
  }))
  const { runs } = await node.submitMany(items)
  expect(runs?.map(({ view }) => (view.created.input as { readonly i: number }).i)).toEqual(
    items.map((_, i) => i),
  )
  const again = await node.submitMany(items)
  expect(again.runs?.every(({ isNew }, i) => !isNew && again.runs?.[i]?.id === runs?.[i]?.id)).toBe(true)
  await node.close()
})
