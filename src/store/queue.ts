/** One thing after another: writes reach LevelDB in the order of their calls, so that the state record is right. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs when all that was queued before has ended, well or badly. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when all that was queued so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
