/**
 * How a published message spreads: from neighbour to neighbour over the mesh, each hop with its own delay and its own
 * chance of loss; whoever has it passes it on once. Worked out when it is published, so that it costs one thing that
 * happens for each receiver, and not one for each hop.
 */
import { Queue } from '../world/queue.js'

export interface Hop<T> {
  readonly to: T
  /** Milliseconds; null if the message is lost on the way. */
  readonly delayMs: number | null
}

export interface Spread<T> {
  readonly arrivals: ReadonlyMap<T, number>
  /** Messages that went over a wire, lost ones and those that came a second time included. */
  readonly messages: number
}

export function spread<T>(origin: T, hopsFrom: (from: T, isOrigin: boolean) => Iterable<Hop<T>>): Spread<T> {
  const arrivals = new Map<T, number>([[origin, 0]])
  const settled = new Set<T>()
  const queue = new Queue()
  let messages = 0
  let number = 0
  const pass = (from: T, atMs: number): void => {
    if (settled.has(from) || (arrivals.get(from) ?? 0) < atMs) return
    settled.add(from)
    for (const { to, delayMs } of hopsFrom(from, from === origin)) {
      if (to === origin) continue
      messages++
      if (delayMs === null || settled.has(to)) continue
      const thereMs = atMs + delayMs
      if (thereMs >= (arrivals.get(to) ?? Number.POSITIVE_INFINITY)) continue
      arrivals.set(to, thereMs)
      queue.push({ atMs: thereMs, dueMs: 0, number: number++, happen: () => pass(to, thereMs) })
    }
  }
  pass(origin, 0)
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) next.happen()
  arrivals.delete(origin)
  return { arrivals, messages }
}
