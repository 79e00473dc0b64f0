/** Circuit breakers: a device that fails one type again and again is left alone with it for a while. */
import type { DeviceId } from '../../protocol/index.js'
import { CIRCUIT_FAILURES, CIRCUIT_OPEN_MS, MAX_CIRCUITS } from './constants.js'

interface Circuit {
  failures: number
  /** Milliseconds since 1970; 0 while closed. After it one more failure opens it again. */
  openUntil: number
}

export class Circuits {
  readonly #circuits = new Map<string, Circuit>()

  /** A device failed a run of this type, at a moment on the wall clock. */
  failed(device: DeviceId, type: string, atMs: number): void {
    const key = `${device}\n${type}`
    const circuit = this.#circuits.get(key) ?? { failures: 0, openUntil: 0 }
    // Last touched goes last, so that the first is the oldest.
    this.#circuits.delete(key)
    this.#circuits.set(key, circuit)
    circuit.failures++
    if (circuit.failures >= CIRCUIT_FAILURES) circuit.openUntil = atMs + CIRCUIT_OPEN_MS
    if (this.#circuits.size > MAX_CIRCUITS) {
      const [oldest] = this.#circuits.keys()
      if (oldest !== undefined) this.#circuits.delete(oldest)
    }
  }

  /** It did one: all is forgiven. */
  completed(device: DeviceId, type: string): void {
    if (this.#circuits.size > 0) this.#circuits.delete(`${device}\n${type}`)
  }

  isOpen(device: DeviceId, type: string, nowMs: number): boolean {
    if (this.#circuits.size === 0) return false
    return (this.#circuits.get(`${device}\n${type}`)?.openUntil ?? 0) > nowMs
  }
}
