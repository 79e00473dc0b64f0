/** Whether a node has closed, and whoever waits to be told. */

/** Not an AbortSignal: that one takes longer for each listener it has, and warns of a leak from the 11th wait on. */
export class Closing {
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls back when the node closes. Returns what ends it. */
  onClose(callback: () => void): () => void {
    this.#waiting.add(callback)
    return () => void this.#waiting.delete(callback)
  }

  close(): void {
    this.#isClosed = true
    for (const callback of this.#waiting) callback()
    this.#waiting.clear()
  }
}
