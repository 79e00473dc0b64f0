/** Keeps the process alive for as long as anybody waits for something. */
export class Holder {
  readonly #hold: () => () => void
  #count = 0
  #letGo: (() => void) | null = null

  /** `hold` keeps the process alive until what it returns is called. */
  constructor(hold: () => () => void) {
    this.#hold = hold
  }

  /** Returns what ends it; calling that twice does no harm. */
  hold(): () => void {
    if (this.#count++ === 0) this.#letGo = this.#hold()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#count === 0) this.letGo()
    }
  }

  /** Whoever waits: nothing more will come. */
  letGo(): void {
    this.#letGo?.()
    this.#letGo = null
  }
}
