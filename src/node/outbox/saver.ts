/** Writes the positions down: at most once a second, and one write after the other. */
import type { CancelTimer, Clock } from '../../platform/seams.js'
import { SAVE_INTERVAL_MS } from './constants.js'
import type { Positions } from './positions.js'

export class Saver {
  readonly #positions: Positions
  readonly #clock: Clock
  #saving: Promise<void> = Promise.resolve()
  #cancel: CancelTimer | null = null
  #isClosed = false
  #errors = 0

  constructor(positions: Positions, clock: Clock) {
    this.#positions = positions
    this.#clock = clock
  }

  get errors(): number {
    return this.#errors
  }

  soon(): void {
    if (this.#isClosed || this.#cancel !== null || !this.#positions.isDirty) return
    this.#cancel = this.#clock.setTimer(SAVE_INTERVAL_MS, () => {
      const again = (): void => {
        this.#cancel = null
        this.soon()
      }
      this.now().then(again, again)
    })
  }

  now(): Promise<void> {
    return this.#then(() => this.#positions.save())
  }

  /** The last write; see `Positions.close`. */
  close(unread: ReadonlySet<string>): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    return this.#then(() => this.#positions.close(unread))
  }

  /** An earlier state must not replace a later one. */
  #then(write: () => Promise<void>): Promise<void> {
    const written = this.#saving.then(write)
    this.#saving = written.catch(() => void this.#errors++)
    return written
  }
}
