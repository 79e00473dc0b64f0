/** Who really heard whom, and when: what a suspicion is held against. */
import type { DeviceId } from '../protocol/index.js'

/** Beacons of one device that another is remembered to have heard. */
const KEPT = 8

interface Heard {
  /** Number of the latest message: older ones that come late are no sign of life. */
  number: number
  readonly times: number[]
}

export class Hearing {
  readonly #heard = new Map<DeviceId, Map<DeviceId, Heard>>()

  note(by: DeviceId, of: DeviceId, number: number, atMs: number): void {
    let others = this.#heard.get(by)
    if (others === undefined) {
      others = new Map()
      this.#heard.set(by, others)
    }
    const heard = others.get(of)
    if (heard === undefined) {
      others.set(of, { number, times: [atMs] })
      return
    }
    if (number <= heard.number) return
    heard.number = number
    heard.times.push(atMs)
    if (heard.times.length > KEPT) heard.times.shift()
  }

  /** When one last heard another before a moment; null if it never did, as far as is remembered. */
  before(by: DeviceId, of: DeviceId, beforeMs: number): number | null {
    const times = this.#heard.get(by)?.get(of)?.times ?? []
    for (let i = times.length - 1; i >= 0; i--) {
      const atMs = times[i] as number
      if (atMs < beforeMs) return atMs
    }
    return null
  }

  /** A process ended: its successor has heard nobody. */
  forget(by: DeviceId): void {
    this.#heard.delete(by)
  }
}
