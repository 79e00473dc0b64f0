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
import type { RunState } from './state.js'
import type { RunView } from './view.js'

interface Entry {
  /** In order. */
  readonly records: RunRecord[]
  /** Where the walk through the records stands, while the run is open: a later record is one more step. */
  state: RunState | null
  view: RunView | null
}

/** The records and views of many runs. */
export class RunTable {
  readonly #runs = new Map<RunId, Entry>()
  #group: GroupView

  constructor(group: GroupView) {
    this.#group = group
  }

  get size(): number {
    return this.#runs.size
  }

  /** Takes a record in and returns its run's view; null while the run's `created` is missing. */
  add(record: RunRecord): RunView | null {
    const entry = this.#entry(record.run)
    if (this.#insert(entry, record)) this.#read(entry)
    return entry.view
  }

  /** Takes many records in, each run read once. Returns the ids of the runs that got new records. */
  addAll(records: Iterable<RunRecord>): ReadonlySet<RunId> {
    const touched = new Set<RunId>()
    for (const record of records) {
      if (this.#insert(this.#entry(record.run), record)) touched.add(record.run)
    }
    for (const run of touched) this.#read(this.#entry(run))
    return touched
  }

  /** Membership changed: every run is judged anew. */
  setGroup(group: GroupView): void {
    this.#group = group
    for (const entry of this.#runs.values()) {
      entry.state = null
      this.#read(entry)
    }
  }

  view(run: RunId): RunView | null {
    return this.#runs.get(run)?.view ?? null
  }

  records(run: RunId): readonly RunRecord[] {
    return this.#runs.get(run)?.records ?? []
  }

  views(): readonly RunView[] {
    return [...this.#runs.values()].flatMap(({ view }) => (view === null ? [] : [view]))
  }

  #entry(run: RunId): Entry {
    let entry = this.#runs.get(run)
    if (entry === undefined) {
      entry = { records: [], state: null, view: null }
      this.#runs.set(run, entry)
    }
    return entry
  }

  /** Puts a record in its place, which is mostly the end. False if this very record is there already. */
  #insert(entry: Entry, record: RunRecord): boolean {
    const { records } = entry
    let at = records.length
    while (at > 0 && compareRecords(records[at - 1] as RunRecord, record) > 0) at--
    for (let i = at - 1; i >= 0 && records[i]?.id === record.id; i--) {
      if (isSame(records[i] as RunRecord, record)) return false
    }
    const isLast = at === records.length && records[at - 1]?.id !== record.id
    if (isLast) {
      records.push(record)
      if (entry.state !== null) step(entry.state, record)
    } else {
      records.splice(at, 0, record)
      entry.state = null
    }
    return true
  }

  #read(entry: Entry): void {
    entry.state ??= walk(entry.records, this.#group)
    entry.view = readView(entry.state)
    // An ended run rarely gets more records: its state is not worth the memory.
    if (entry.view !== null && isTerminal(entry.view.state)) entry.state = null
  }
}

function isSame(a: RunRecord, b: RunRecord): boolean {
  return a === b || equalBytes(encodeCbor(a), encodeCbor(b))
}
