/** Tells the app what the engine noticed, and counts it. */
import type { Notice } from '../engine/index.js'
import { LAG_TOLD_MS, MAX_LAG_MS } from './constants.js'
import type { NodeEvents } from './node-events.js'
import type { TypedEvents } from './typed-events.js'

/** Milliseconds of lag that are forgotten: every timer is a little late. */
const NO_LAG_MS = 10

export class Announcer {
  readonly #events: TypedEvents<NodeEvents>
  #unresponsive = 0
  #sleeps = 0
  #lagMs = 0

  constructor(events: TypedEvents<NodeEvents>) {
    this.#events = events
  }

  /** Since the start. */
  get gauges(): { readonly unresponsive: number; readonly sleeps: number } {
    return { unresponsive: this.#unresponsive, sleeps: this.#sleeps }
  }

  announce(notice: Notice): void {
    switch (notice.type) {
      case 'slept':
        this.#sleeps++
        this.#events.emit('node:sleep', { gapMs: notice.gapMs })
        return
      case 'skewed':
        this.#events.emit('node:skew', { skewMs: notice.skewMs })
        return
      case 'unresponsive':
        this.#unresponsive++
        this.#events.emit('node:unresponsive', { run: notice.run, type: notice.runType })
        return
      case 'online':
        this.#events.emit('device:online', { device: notice.device })
        return
      case 'offline':
        this.#events.emit('device:offline', { device: notice.device })
        return
    }
  }

  /** A timer was so late. Returns the lag by which the device is judged: it shows at once, and fades with the next few timers. */
  lag(lagMs: number): number {
    const lag = Math.round(Math.max(Math.min(lagMs, MAX_LAG_MS), this.#lagMs / 2))
    this.#lagMs = lag < NO_LAG_MS ? 0 : lag
    if (lagMs >= LAG_TOLD_MS) this.#events.emit('node:lag', { lagMs })
    return this.#lagMs
  }
}
