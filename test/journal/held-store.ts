import { MemoryStore } from '../../src/store/memory-store.js'
import type { StoredBatch } from '../../src/store/store.js'

/** A store whose writes can be held up, or made to fail. */
export class HeldStore extends MemoryStore {
  /** Every append that was asked for. */
  readonly asked: { readonly entries: readonly StoredBatch[]; readonly durable: boolean }[] = []
  /** Thrown by the appends to come, until it is null again. */
  failure: Error | null = null
  #held: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve
    })
  }

  release(): void {
    this.#release()
  }

  override async append(
    entries: readonly StoredBatch[],
    options: { readonly durable: boolean },
  ): Promise<void> {
    this.asked.push({ entries, durable: options.durable })
    await this.#held
    if (this.failure !== null) throw this.failure
    return super.append(entries, options)
  }
}
