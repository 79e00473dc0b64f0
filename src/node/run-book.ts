/** All runs that this device knows: records in, views out, and whoever wants to hear of a change is told. */
import {
  type AnyRecord,
  type DeviceId,
  type GroupView,
  isRunRecord,
  type RunId,
  type RunRecord,
  RunTable,
  type RunView,
} from '../../protocol/index.js'
import type { Metrics } from './metrics/index.js'
import { RunIndex } from './run-index.js'

/** A run got records. */
export interface Change {
  readonly before: RunView | null
  readonly after: RunView
  readonly records: readonly RunRecord[]
}

export class RunBook {
  readonly index: RunIndex = new RunIndex()
  readonly #table: RunTable
  readonly #metrics: Metrics
  readonly #device: DeviceId
  readonly #watchers = new Map<RunId, Set<(view: RunView) => void>>()
  readonly #anyWatchers = new Set<(change: Change) => void>()
  #isRestored = false

  constructor(group: GroupView, metrics: Metrics, device: DeviceId) {
    this.#table = new RunTable(group)
    this.#metrics = metrics
    this.#device = device
  }

  view(run: RunId): RunView | null {
    return this.#table.view(run)
  }

  records(run: RunId): readonly RunRecord[] {
    return this.#table.records(run)
  }

  get views(): readonly RunView[] {
    return this.#table.views()
  }

  get size(): number {
    return this.#table.size
  }

  /** Takes records in, of whatever runs. Before the end of the restoring nobody is told. */
  take(records: readonly AnyRecord[]): readonly Change[] {
    if (!this.#isRestored) {
      this.#table.addAll(records.filter(isRunRecord))
      return []
    }
    const byRun = new Map<RunId, RunRecord[]>()
    for (const record of records) {
      if (!isRunRecord(record)) continue
      const some = byRun.get(record.run)
      if (some === undefined) byRun.set(record.run, [record])
      else some.push(record)
    }
    const before = new Map<RunId, RunView | null>()
    for (const run of byRun.keys()) before.set(run, this.#table.view(run))
    const touched = this.#table.addAll(records.filter(isRunRecord))
    const changes: Change[] = []
    for (const run of touched) {
      const after = this.#table.view(run)
      const was = before.get(run) ?? null
      if (after === null) continue
      // Some of them may have come before the record that made the run.
      const fresh = was === null ? this.#table.records(run) : (byRun.get(run) ?? [])
      changes.push({ before: was, after, records: fresh })
    }
    this.#tell(changes)
    return changes
  }

  /** All that the journals held is in. */
  restored(): void {
    this.#isRestored = true
    for (const after of this.#table.views()) {
      this.index.put(after)
      this.#metrics.observe({ before: null, after, records: [], device: this.#device, restored: true })
    }
  }

  /** Membership changed: every run is judged anew. */
  setGroup(group: GroupView): readonly Change[] {
    const before = new Map(this.#table.views().map((view) => [view.run, view]))
    this.#table.setGroup(group)
    if (!this.#isRestored) return []
    const changes = this.#table
      .views()
      .map((after) => ({ before: before.get(after.run) ?? null, after, records: [] }))
    this.#tell(changes)
    return changes
  }

  /** Lets go of runs whose journal was dropped. */
  forget(runs: Iterable<RunId>): void {
    for (const run of runs) {
      const view = this.#table.view(run)
      if (view !== null) this.#metrics.forget(view)
      this.index.remove(run)
      this.#table.remove(run)
    }
  }

  /** Calls back whenever the run changes. Returns what ends it. */
  watch(run: RunId, callback: (view: RunView) => void): () => void {
    const watchers = this.#watchers.get(run) ?? new Set()
    this.#watchers.set(run, watchers)
    watchers.add(callback)
    return () => {
      watchers.delete(callback)
      if (watchers.size === 0 && this.#watchers.get(run) === watchers) this.#watchers.delete(run)
    }
  }

  /** Calls back whenever any run changes. */
  watchAll(callback: (change: Change) => void): () => void {
    this.#anyWatchers.add(callback)
    return () => void this.#anyWatchers.delete(callback)
  }

  #tell(changes: readonly Change[]): void {
    for (const change of changes) {
      const { after } = change
      this.index.put(after)
      this.#metrics.observe({ ...change, device: this.#device, restored: false })
      const watchers = this.#watchers.get(after.run)
      if (watchers !== undefined) for (const callback of [...watchers]) callback(after)
      for (const callback of this.#anyWatchers) callback(change)
    }
  }
}
