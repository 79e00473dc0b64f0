/** Runs in order of age, in chunks: one that comes out of order moves a chunk, not all that follow it. */
import type { RunId, RunView, Stamp } from '../../protocol/index.js'
import { compareAge, type RunFacts } from './run-query.js'

/** A run in the index. What filters look at stands in it; its view only while the run is open. */
export interface RunEntry extends RunFacts {
  readonly run: RunId
  readonly stamp: Stamp
  state: RunView['state']
  owner: RunView['owner']
  priority: number
  view: RunView | null
}

type Age = Pick<RunEntry, 'run' | 'stamp'>

/** Entries of a chunk: moving half of them costs about as much as finding the chunk among a hundred. */
const CHUNK_ENTRIES = 512

export class SortedRuns {
  /** None is empty. */
  readonly #chunks: RunEntry[][] = []

  insert(entry: RunEntry): void {
    const last = this.#chunks[this.#chunks.length - 1]
    // Mostly a run is the newest.
    if (last === undefined || compareAge(last[last.length - 1] as RunEntry, entry) < 0) {
      if (last === undefined || last.length >= CHUNK_ENTRIES) this.#chunks.push([entry])
      else last.push(entry)
      return
    }
    const at = Math.max(0, this.#chunkBefore(entry))
    const chunk = this.#chunks[at] as RunEntry[]
    chunk.splice(firstFrom(chunk, entry), 0, entry)
    if (chunk.length > 2 * CHUNK_ENTRIES) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_ENTRIES))
  }

  remove(entry: RunEntry): void {
    const at = this.#chunkBefore(entry)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const index = firstFrom(chunk, entry)
    if (chunk[index] !== entry) return
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** The runs not older than `from`, the oldest first. */
  *upwards(from: Age | null): Generator<RunEntry> {
    let at = from === null ? 0 : Math.max(0, this.#chunkBefore(from))
    let index = from === null ? 0 : firstFrom(this.#chunks[at] ?? [], from)
    for (; at < this.#chunks.length; at++, index = 0) {
      const chunk = this.#chunks[at] as RunEntry[]
      for (; index < chunk.length; index++) yield chunk[index] as RunEntry
    }
  }

  /** The runs older than `before`, the newest first. */
  *downwards(before: Age | null): Generator<RunEntry> {
    let at = before === null ? this.#chunks.length - 1 : this.#chunkBefore(before)
    let index = before === null ? undefined : firstFrom(this.#chunks[at] ?? [], before)
    for (; at >= 0; at--, index = undefined) {
      const chunk = this.#chunks[at] as RunEntry[]
      for (let i = (index ?? chunk.length) - 1; i >= 0; i--) yield chunk[i] as RunEntry
    }
  }

  /** The last chunk that begins with this place or before it; -1 if none does. */
  #chunkBefore(place: Age): number {
    let [low, high] = [0, this.#chunks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const first = (this.#chunks[middle] as RunEntry[])[0] as RunEntry
      if (compareAge(first, place) <= 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** The index of the first entry that does not come before this place. */
function firstFrom(chunk: readonly RunEntry[], place: Age): number {
  let [low, high] = [0, chunk.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareAge(chunk[middle] as RunEntry, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}
