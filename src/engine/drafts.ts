/**
 * Records that cite others of the same commit, which have no ids yet: `ref(0)` stands for the first of them. Whoever
 * carries out an `append` puts the ids in their place.
 */
import type { AnyRecord, Draft, RecordOf } from '../../protocol/index.js'

const MARK = '@'
const CITING = ['run', 'assignment', 'parent', 'created'] as const

/** Stands for the id (as `run`: the run) of the n-th record of the same commit. */
export function ref(index: number): string {
  return `${MARK}${index}`
}

/** The draft with the ids of what was written before it in this commit. */
export function resolveRefs(draft: Draft, written: readonly AnyRecord[]): Draft {
  if (written.length === 0) return draft
  let resolved: Record<string, unknown> | null = null
  for (const field of CITING) {
    const value = (draft as Readonly<Record<string, unknown>>)[field]
    if (typeof value !== 'string' || !value.startsWith(MARK)) continue
    const record = written[Number(value.slice(MARK.length))] as RecordOf<'created'>
    resolved ??= { ...draft }
    resolved[field] =
      field === 'run' || (field === 'parent' && draft.kind === 'created') ? record.run : record.id
  }
  return (resolved ?? draft) as Draft
}
