/** A line that says how far it is, and is gone at the end. Nobody sees it who does not look at a terminal. */
import type { Terminal } from './terminal.js'

const BAR = 30
/** Real milliseconds between two lines. */
const PACE_MS = 100
const CLEAR = '\r\u001b[K'

export class Progress {
  readonly #terminal: Terminal
  #shownMs = Number.NEGATIVE_INFINITY
  #isShown = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** `share` from 0 to 1. */
  show(share: number, text: string): void {
    const { isWatched, clock, tell } = this.#terminal
    const nowMs = clock.monotonicMs()
    if (!isWatched || nowMs < this.#shownMs + PACE_MS) return
    this.#shownMs = nowMs
    this.#isShown = true
    const full = Math.round(Math.min(1, Math.max(0, share)) * BAR)
    tell(
      `${CLEAR}${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`,
    )
  }

  /** Takes the line away, so that something can be printed. */
  clear(): void {
    if (this.#isShown) this.#terminal.tell(CLEAR)
    this.#isShown = false
    this.#shownMs = Number.NEGATIVE_INFINITY
  }
}
