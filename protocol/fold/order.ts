/** The total order of records: stamp, author, id. Whatever order a set arrived in, the fold sees this one. */
import { compareBytes, encodeCbor } from '../cbor.js'
import type { Envelope } from '../records/field-types.js'

export interface Ordered<R> {
  readonly ordered: readonly R[]
  /** Records whose id another record has as well: their writer used a stamp twice. */
  readonly duplicates: readonly R[]
}

export function compareRecords(a: Envelope, b: Envelope): number {
  if (a.stamp !== b.stamp) return a.stamp - b.stamp
  if (a.author !== b.author) return a.author < b.author ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Sorts and drops repetitions. Of different records with one id the one with the smaller encoding stands. */
export function orderRecords<R extends Envelope>(records: readonly R[]): Ordered<R> {
  const sorted = isOrdered(records) ? records : [...records].sort(compareRecords)
  if (!hasRepetition(sorted)) return { ordered: sorted, duplicates: [] }
  const ordered: R[] = []
  const duplicates: R[] = []
  for (let i = 0; i < sorted.length; ) {
    let end = i + 1
    while (end < sorted.length && (sorted[end] as R).id === (sorted[i] as R).id) end++
    const [first, ...rest] = distinct(sorted.slice(i, end))
    ordered.push(first as R)
    duplicates.push(...rest)
    i = end
  }
  return { ordered, duplicates }
}

function isOrdered(records: readonly Envelope[]): boolean {
  for (let i = 1; i < records.length; i++) {
    if (compareRecords(records[i - 1] as Envelope, records[i] as Envelope) > 0) return false
  }
  return true
}

function hasRepetition(sorted: readonly Envelope[]): boolean {
  for (let i = 1; i < sorted.length; i++) {
    if ((sorted[i - 1] as Envelope).id === (sorted[i] as Envelope).id) return true
  }
  return false
}

/** The different ones among records of one id, smallest encoding first. */
function distinct<R extends Envelope>(same: readonly R[]): readonly R[] {
  if (same.length === 1) return same
  const encoded = same
    .map((record) => ({ record, bytes: encodeCbor(record) }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes))
  return encoded
    .filter(
      ({ bytes }, i) =>
        i === 0 || compareBytes(bytes, (encoded[i - 1] as (typeof encoded)[number]).bytes) !== 0,
    )
    .map(({ record }) => record)
}
