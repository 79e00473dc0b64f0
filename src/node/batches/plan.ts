/** Cuts the items of a batch into chunks that fit the store and one submit. */
import { cborLength } from '../../../protocol/cbor.js'
import type { Draft } from '../../../protocol/index.js'
import { CHUNK_BYTES, CHUNK_ITEMS } from './constants.js'

export function* chunksOf(items: readonly Draft<'created'>[]): Generator<readonly Draft<'created'>[]> {
  let chunk: Draft<'created'>[] = []
  let bytes = 0
  for (const item of items) {
    const length = cborLength(item)
    if (chunk.length > 0 && (chunk.length >= CHUNK_ITEMS || bytes + length > CHUNK_BYTES)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(item)
    bytes += length
  }
  if (chunk.length > 0) yield chunk
}

/**
 * The draft of an item as it is submitted. One without a key gets one that follows from its place: submitted again
 * after a crash, it makes the same run.
 */
export function keyed(draft: Draft<'created'>, batch: string, index: number): Draft<'created'> {
  return draft.key === undefined ? { ...draft, key: `batch:${batch}:${index}` } : draft
}
