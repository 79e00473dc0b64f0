/** What a network is like. */

export interface Conditions {
  /** Milliseconds that every message is under way at least. @default 20 */
  readonly latencyMs: number
  /** Milliseconds that come on top, on average: most less, a few much more. @default 10 */
  readonly jitterMs: number
  /** Share of hops on which a published message is lost, 0 to 1. @default 0 */
  readonly loss: number
  /** Share of published messages that arrive twice, 0 to 1. @default 0 */
  readonly duplicates: number
  /** Share of published messages that are held up, so that later ones overtake them, 0 to 1. @default 0 */
  readonly reorder: number
  /** Bytes a second of each connection. @default 1_000_000 */
  readonly bytesPerSecond: number
}

export const CONDITIONS: Conditions = {
  latencyMs: 20,
  jitterMs: 10,
  loss: 0,
  duplicates: 0,
  reorder: 0,
  bytesPerSecond: 1_000_000,
}

/** Milliseconds by which a message that is held up comes late. */
export const HELD_UP_MS = 2_000

/** How good a connection is, 0 to 1: the engine's score goes by it. */
export function qualityOf({ latencyMs, jitterMs, loss }: Conditions): number {
  return Math.max(0, 1 - (latencyMs + jitterMs) / 1000) * (1 - loss)
}
