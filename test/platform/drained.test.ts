import { expect, it } from 'vitest'
import { drained } from '../../src/platform/drained.js'

/** Steps of a promise chain that nobody would call short. */
const STEPS = 10_000

it('resolves once promise chains have come to their ends, however long', async () => {
  let steps = 0
  const walk = async (): Promise<void> => {
    for (; steps < STEPS; steps++) await Promise.resolve()
  }
  const walking = walk()
  await drained()
  expect(steps).toBe(STEPS)
  await walking
})

it('waits for chains that begin on the way', async () => {
  const seen: string[] = []
  queueMicrotask(() => {
    seen.push('first')
    void Promise.resolve().then(() => queueMicrotask(() => seen.push('second')))
  })
  await drained()
  expect(seen).toEqual(['first', 'second'])
})

it('lets no timer and no turn of the event loop come between', async () => {
  const seen: string[] = []
  setImmediate(() => seen.push('turn'))
  for (let i = 0; i < 100; i++) await drained()
  expect(seen).toEqual([])
})
