import { expect, it } from 'vitest'
import { Queue } from '../../../sim/world/queue.js'
import { seededRandom } from '../../../src/testing/index.js'

type Key = readonly [atMs: number, dueMs: number, number: number]

function emptied(queue: Queue): readonly Key[] {
  const keys: Key[] = []
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    keys.push([next.atMs, next.dueMs, next.number])
  return keys
}

function queueOf(keys: readonly Key[]): Queue {
  const queue = new Queue()
  for (const [atMs, dueMs, number] of keys) queue.push({ atMs, dueMs, number, happen: () => undefined })
  return queue
}

function byOrder(a: Key, b: Key): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

it('gives the soonest first; of those of one moment what fell due first; then what was set first', () => {
  const keys: readonly Key[] = [
    [20, 20, 0],
    [10, 10, 3],
    [10, 10, 2],
    [10, 5, 4],
  ]
  expect(emptied(queueOf(keys))).toEqual([
    [10, 5, 4],
    [10, 10, 2],
    [10, 10, 3],
    [20, 20, 0],
  ])
})

it('gives anything that was put in, in order, whatever order it came in', () => {
  const random = seededRandom(5)
  for (let round = 0; round < 200; round++) {
    const keys = Array.from(
      { length: random.below(60) },
      (_, i): Key => [random.below(9), random.below(4), i],
    )
    const queue = queueOf(keys)
    expect(queue.size).toBe(keys.length)
    expect(emptied(queue)).toEqual([...keys].sort(byOrder))
  }
})

it('keeps its order while things come and go', () => {
  const random = seededRandom(6)
  const queue = new Queue()
  const model: Key[] = []
  for (let i = 0; i < 5000; i++) {
    if (random.below(5) < 3) {
      const key: Key = [random.below(100), random.below(3), i]
      model.push(key)
      queue.push({ atMs: key[0], dueMs: key[1], number: key[2], happen: () => undefined })
    } else {
      model.sort(byOrder)
      expect(queue.first?.number).toBe(model[0]?.[2])
      expect(queue.shift()?.number).toBe(model.shift()?.[2])
    }
  }
})

it('has nothing to give when it is empty', () => {
  const queue = new Queue()
  expect([queue.size, queue.first, queue.shift()]).toEqual([0, undefined, undefined])
})
