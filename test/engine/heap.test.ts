import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Heap, type HeapItem } from '../../src/engine/heap.js'

interface Item extends HeapItem {
  weight: number
}

const anyCommand = fc.record({
  what: fc.constantFrom('add', 'remove', 'move'),
  at: fc.nat({ max: 20 }),
  weight: fc.integer({ min: 0, max: 9 }),
})

it('its first is the least of all, whatever is added, taken out and moved', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 60 }), (commands) => {
      const heap = new Heap<Item>((a, b) => a.weight < b.weight)
      const model: Item[] = []
      for (const { what, at, weight } of commands) {
        const item = model[at]
        if (what === 'add') {
          const added = { weight, place: -1 }
          heap.add(added)
          model.push(added)
        } else if (item !== undefined && what === 'remove') {
          heap.remove(item)
          model.splice(at, 1)
          expect(item.place).toBe(-1)
        } else if (item !== undefined) {
          item.weight = weight
          heap.moved(item)
        }
        expect(heap.size).toBe(model.length)
        expect(new Set(heap.items)).toEqual(new Set(model))
        expect(heap.first?.weight).toBe(
          model.length === 0 ? undefined : Math.min(...model.map((one) => one.weight)),
        )
        for (const [place, one] of heap.items.entries()) expect(one.place).toBe(place)
      }
    }),
  )
})

it('taking out what is not in it changes nothing', () => {
  const heap = new Heap<Item>((a, b) => a.weight < b.weight)
  heap.add({ weight: 1, place: -1 })
  heap.remove({ weight: 0, place: -1 })
  expect(heap.size).toBe(1)
})
