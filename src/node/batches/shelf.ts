/**
 * Batches as they stand on disk. For each:
 *
 *     batches/<id>/head        what it is and how it ended. It is written last: without it there is no batch.
 *     batches/<id>/plan/<n>    the drafts of chunk n. Gone after the end.
 *     batches/<id>/runs/<n>    what became of chunk n. If it is there, the chunk is done.
 */
import { decodeCbor, encodeCbor } from '../../../protocol/cbor.js'
import { type Draft, MAX_PAYLOAD_DEPTH, type RunId } from '../../../protocol/index.js'
import type { Store } from '../../store/store.js'

/** Why an item has no run. */
export interface BatchError {
  readonly index: number
  readonly code: string
  readonly message: string
}

export interface BatchHead {
  readonly id: string
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** How many items each chunk has. */
  readonly chunks: readonly number[]
  /** Whether it was called off, and its runs with it. */
  readonly cancelled: { readonly runs: boolean } | null
  readonly endedAt: number | null
}

/** What became of a chunk: a run for each item, or null for those in `errors`. */
export interface ChunkResult {
  readonly runs: readonly (RunId | null)[]
  readonly errors: readonly BatchError[]
}

const PREFIX = 'batches/'
const VERSION = 1
const DEPTH = MAX_PAYLOAD_DEPTH + 4

export class Shelf {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** All batches, and for each what became of its chunks, as far as they are done. Clears away what is left of others. */
  async load(): Promise<readonly { readonly head: BatchHead; readonly results: readonly ChunkResult[] }[]> {
    const items = await this.#store.items(PREFIX)
    const found: { head: BatchHead; results: ChunkResult[] }[] = []
    for (const [name, bytes] of items) {
      const [id = '', kind] = name.slice(PREFIX.length).split('/')
      const head = kind === 'head' ? (decode(bytes) as BatchHead | undefined) : undefined
      if (head === undefined) continue
      const results: ChunkResult[] = []
      for (let n = 0; n < head.chunks.length; n++) {
        const result = items.get(runsName(id, n))
        if (result === undefined) break
        results.push(decode(result) as ChunkResult)
      }
      found.push({ head, results })
    }
    await this.#clear(items)
    return found
  }

  async putPlan(id: string, chunk: number, drafts: readonly Draft<'created'>[]): Promise<void> {
    await this.#store.putItem(planName(id, chunk), encode(drafts))
  }

  /** Null if it is lost. */
  async plan(id: string, chunk: number): Promise<readonly Draft<'created'>[] | null> {
    const bytes = await this.#store.getItem(planName(id, chunk))
    return bytes === null ? null : (decode(bytes) as readonly Draft<'created'>[])
  }

  async putResult(id: string, chunk: number, result: ChunkResult): Promise<void> {
    await this.#store.putItem(runsName(id, chunk), encode(result))
  }

  async result(id: string, chunk: number): Promise<ChunkResult | null> {
    const bytes = await this.#store.getItem(runsName(id, chunk))
    return bytes === null ? null : (decode(bytes) as ChunkResult)
  }

  async putHead(head: BatchHead): Promise<void> {
    await this.#store.putItem(headName(head.id), encode(head))
  }

  /** What is planned is needed no more. */
  async dropPlan({ id, chunks }: BatchHead): Promise<void> {
    for (let n = 0; n < chunks.length; n++) await this.#store.putItem(planName(id, n), null)
  }

  /** Forgets a batch: its head first, so that what is left is nobody's if the process ends here. */
  async drop({ id, chunks }: BatchHead): Promise<void> {
    await this.#store.putItem(headName(id), null)
    for (let n = 0; n < chunks.length; n++) {
      await this.#store.putItem(planName(id, n), null)
      await this.#store.putItem(runsName(id, n), null)
    }
  }

  /** Chunks without a head, and plans of batches that have ended. */
  async #clear(items: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const name of items.keys()) {
      const [id = '', kind] = name.slice(PREFIX.length).split('/')
      if (kind === 'head') continue
      const bytes = items.get(headName(id))
      const head = bytes === undefined ? null : (decode(bytes) as BatchHead | undefined)
      const isOver = head === null || (kind === 'plan' && head !== undefined && head.endedAt !== null)
      if (isOver) await this.#store.putItem(name, null)
    }
  }
}

function headName(id: string): string {
  return `${PREFIX}${id}/head`
}

function planName(id: string, chunk: number): string {
  return `${PREFIX}${id}/plan/${chunk}`
}

function runsName(id: string, chunk: number): string {
  return `${PREFIX}${id}/runs/${chunk}`
}

function encode(value: unknown): Uint8Array {
  return encodeCbor([VERSION, value])
}

/** Undefined for what a later version wrote: it is left alone. */
function decode(bytes: Uint8Array): unknown {
  const [version, value] = decodeCbor(bytes, DEPTH) as readonly unknown[]
  return version === VERSION ? value : undefined
}
