/** Times in which a device, or the network, was not as it should be: shaded in the report. */
import type { TraceSpan } from './trace.js'

type Kind = TraceSpan['kind']

interface Open {
  readonly place: number | null
  readonly kind: Kind
  readonly fromMs: number
  readonly text: string
}

export class Spans {
  readonly #open = new Map<string, Open>()
  readonly #closed: TraceSpan[] = []

  begin(kind: Kind, place: number | null, fromMs: number, text = ''): void {
    const name = `${kind} ${place}`
    this.end(kind, place, fromMs)
    this.#open.set(name, { kind, place, fromMs, text })
  }

  end(kind: Kind, place: number | null, toMs: number): void {
    const name = `${kind} ${place}`
    const open = this.#open.get(name)
    if (open === undefined) return
    this.#open.delete(name)
    if (toMs > open.fromMs) this.#closed.push({ ...open, toMs })
  }

  /** All of them; what has not ended ends now. */
  all(nowMs: number): readonly TraceSpan[] {
    return [...this.#closed, ...[...this.#open.values()].map((open) => ({ ...open, toMs: nowMs }))]
  }
}
