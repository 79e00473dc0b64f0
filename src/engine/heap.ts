/** A binary heap whose items know where they stand, so that any of them can be taken out or moved. */

/** What a heap holds. `place` belongs to the heap: -1 while the item is in none. */
export interface HeapItem {
  place: number
}

export class Heap<T extends HeapItem> {
  readonly #items: T[] = []
  readonly #goesBefore: (a: T, b: T) => boolean

  constructor(goesBefore: (a: T, b: T) => boolean) {
    this.#goesBefore = goesBefore
  }

  get size(): number {
    return this.#items.length
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  /** All items, in no order. */
  get items(): readonly T[] {
    return this.#items
  }

  add(item: T): void {
    item.place = this.#items.length
    this.#items.push(item)
    this.#rise(item)
  }

  remove(item: T): void {
    const { place } = item
    if (place < 0) return
    item.place = -1
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#put(last, place)
    this.#rise(last)
    this.#sink(last)
  }

  /** To be called after what the order depends on has changed. */
  moved(item: T): void {
    this.#rise(item)
    this.#sink(item)
  }

  #put(item: T, place: number): void {
    this.#items[place] = item
    item.place = place
  }

  #rise(item: T): void {
    while (item.place > 0) {
      const parent = this.#items[(item.place - 1) >> 1] as T
      if (!this.#goesBefore(item, parent)) return
      this.#swap(parent, item)
    }
  }

  #sink(item: T): void {
    for (;;) {
      const left = 2 * item.place + 1
      const first = this.#items[left]
      if (first === undefined) return
      const second = this.#items[left + 1]
      const child = second !== undefined && this.#goesBefore(second, first) ? second : first
      if (!this.#goesBefore(child, item)) return
      this.#swap(item, child)
    }
  }

  /** `lower` takes the place of `upper`, and the other way round. */
  #swap(upper: T, lower: T): void {
    const { place } = upper
    this.#put(upper, lower.place)
    this.#put(lower, place)
  }
}
