/** What will happen, soonest first; of what happens at one moment, what fell due first; then what was set first. */

export interface Planned {
  readonly atMs: number
  readonly dueMs: number
  readonly number: number
  readonly happen: () => void
}

export class Queue {
  readonly #heap: Planned[] = []

  get size(): number {
    return this.#heap.length
  }

  get first(): Planned | undefined {
    return this.#heap[0]
  }

  push(planned: Planned): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(planned)
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(planned, heap[parent] as Planned)) break
      heap[place] = heap[parent] as Planned
      place = parent
    }
    heap[place] = planned
  }

  shift(): Planned | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Planned, heap[child] as Planned)) child++
      if (!isBefore(heap[child] as Planned, last)) break
      heap[place] = heap[child] as Planned
      place = child
    }
    heap[place] = last
    return first
  }
}

function isBefore(a: Planned, b: Planned): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs
  return a.dueMs !== b.dueMs ? a.dueMs < b.dueMs : a.number < b.number
}
