/**
 * All runs at once, kept up to date: adding a record costs a step if it is its run's latest, else the records of
 * its run; never those of others.
 */
import { encodeCbor, equalBytes } from '../cbor.js'
import type { RunId } from '../ids.js'
import type { RunRecord } from '../records/record.js'
import { isTerminal } from '../states.js'
import type { GroupView } from './group.js'
import { compareRecords } from './order.js'
import { readView } from './read-view.js'
import { step, walk } from './run.js'
import { NONE, type RunState, withOne } from './state.js'
import type { RunView } from './view.js'

interface Entry {
  /** In order. */
  records: readonly RunRecord[]
  /** Where the walk through the records stands, once somebody looked at the run while it was open. */
  state: RunState | null
  /** What the records amount to; null until somebody looks, and after each new record. */
  view: RunView | null
}

/** Records that are walked through again in no time: the view of an ended run with so few is not kept. */
const FEW_RECORDS = 16

/** The records and views of many runs. A view is made when it is asked for. */
export class RunTable {
  readonly #runs = new Map<RunId, Entry>()
  #group: GroupView

  constructor(group: GroupView) {
    this.#group = group
  }

  get size(): number {
    return this.#runs.size
  }

  /** Whether there is no run, not even one that only waits for its `created`. */
  get isEmpty(): boolean {
    return this.#runs.size === 0
  }

  /** Ids of all runs, in the order in which they were first heard of; also of those without a view yet. */
  runs(): Iterable<RunId> {
    return this.#runs.keys()
  }

  /** Whether anything is known of a run. */
  has(run: RunId): boolean {
    return this.#runs.has(run)
  }

  /** Takes a record in and returns its run's view; null while the run's `created` is missing. */
  add(record: RunRecord): RunView | null {
    const entry = this.#entry(record.run)
    insert(entry, record)
    return this.#look(entry)
  }

  /** Takes many records in. Returns the ids of the runs that got new records: ask for their views. */
  addAll(records: Iterable<RunRecord>): ReadonlySet<RunId> {
    const touched = new Set<RunId>()
    // Records of one run mostly come together.
    let run: RunId | null = null
    let entry: Entry | null = null
    for (const record of records) {
      if (entry === null || record.run !== run) {
        run = record.run
        entry = this.#entry(run)
      }
      if (insert(entry, record)) touched.add(run)
    }
    return touched
  }

  /** Takes records back out, as if they had never come. Returns the ids of the runs that lost some. */
  removeAll(records: Iterable<RunRecord>): ReadonlySet<RunId> {
    const touched = new Set<RunId>()
    for (const record of records) {
      const entry = this.#runs.get(record.run)
      const left = entry?.records.filter((one) => one.id !== record.id || !isSame(one, record))
      if (entry === undefined || left === undefined || left.length === entry.records.length) continue
      entry.records = left
      entry.state = null
      entry.view = null
      if (left.length === 0) this.#runs.delete(record.run)
      touched.add(record.run)
    }
    return touched
  }

  /** Forgets a run and its records. False if there was none. Should a record of it come again, it begins anew. */
  remove(run: RunId): boolean {
    return this.#runs.delete(run)
  }

  /** Membership changed: every run is judged anew. */
  setGroup(group: GroupView): void {
    this.#group = group
    for (const entry of this.#runs.values()) {
      entry.state = null
      entry.view = null
    }
  }

  /** The view of a run; null if it is not known, or its `created` is missing. Of an ended run it is made anew each time. */
  view(run: RunId): RunView | null {
    const entry = this.#runs.get(run)
    return entry === undefined ? null : this.#look(entry)
  }

  records(run: RunId): readonly RunRecord[] {
    return this.#runs.get(run)?.records ?? []
  }

  /** All views, in the order of `runs`. */
  views(): readonly RunView[] {
    const views: RunView[] = []
    for (const entry of this.#runs.values()) {
      const view = this.#look(entry)
      if (view !== null) views.push(view)
    }
    return views
  }

  #entry(run: RunId): Entry {
    let entry = this.#runs.get(run)
    if (entry === undefined) {
      entry = { records: NONE, state: null, view: null }
      this.#runs.set(run, entry)
    }
    return entry
  }

  #look(entry: Entry): RunView | null {
    if (entry.view !== null) return entry.view
    entry.state ??= walk(entry.records, this.#group)
    const view = readView(entry.state)
    // An ended run rarely gets more records, and there may be a hundred thousand: neither is worth the memory.
    const isOver = view !== null && isTerminal(view.state)
    if (isOver) entry.state = null
    if (!isOver || entry.records.length > FEW_RECORDS) entry.view = view
    return view
  }
}

/** Puts a record in its place, which is mostly the end. False if this very record is there already. */
function insert(entry: Entry, record: RunRecord): boolean {
  const { records, state } = entry
  let at = records.length
  while (at > 0 && compareRecords(records[at - 1] as RunRecord, record) > 0) at--
  for (let i = at - 1; i >= 0 && records[i]?.id === record.id; i--) {
    if (isSame(records[i] as RunRecord, record)) return false
  }
  const isLast = at === records.length && records[at - 1]?.id !== record.id
  entry.view = null
  entry.records = withOneAt(records, at, record)
  if (!isLast) entry.state = null
  else if (state !== null) step(state, record)
  return true
}

/** Short lists are copied, so that they take no more room than they need; long ones grow in place. */
function withOneAt(records: readonly RunRecord[], at: number, record: RunRecord): readonly RunRecord[] {
  if (at === records.length && at < FEW_RECORDS) return withOne(records, record)
  const longer = records as RunRecord[]
  longer.splice(at, 0, record)
  return longer
}

function isSame(a: RunRecord, b: RunRecord): boolean {
  return a === b || equalBytes(encodeCbor(a), encodeCbor(b))
}
