/** One timer for all: whoever has to be looked at later stands in a heap, the earliest first. */
import { Heap, type HeapItem } from './heap.js'

export interface TimerNode extends HeapItem {
  dueMs: number
  readonly run: string
}

export class Timers {
  readonly #heap = new Heap<TimerNode>((a, b) => a.dueMs < b.dueMs)

  node(run: string): TimerNode {
    return { run, dueMs: Number.POSITIVE_INFINITY, place: -1 }
  }

  /** Monotonic; infinity for never. */
  set(node: TimerNode, dueMs: number): void {
    if (node.place >= 0 && node.dueMs === dueMs) return
    node.dueMs = dueMs
    if (dueMs === Number.POSITIVE_INFINITY) this.#heap.remove(node)
    else if (node.place >= 0) this.#heap.moved(node)
    else this.#heap.add(node)
  }

  get size(): number {
    return this.#heap.size
  }

  get nextMs(): number {
    return this.#heap.first?.dueMs ?? Number.POSITIVE_INFINITY
  }

  /** Takes out the next one that is due. */
  takeDue(nowMs: number): TimerNode | null {
    const first = this.#heap.first
    if (first === undefined || first.dueMs > nowMs) return null
    this.#heap.remove(first)
    first.dueMs = Number.POSITIVE_INFINITY
    return first
  }
}
