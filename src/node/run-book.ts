/** All runs that this device knows: records in, views out, and whoever wants to hear of a change is told. */
import {
  type AnyRecord,
  type DeviceId,
  type GroupView,
  isRunRecord,
  isTerminal,
  type RunId,
  type RunRecord,
  RunTable,
  type RunView,
} from '../../protocol/index.js'
import type { Metrics, RunChange } from './metrics/index.js'
import { RunIndex } from './run-index.js'
import { RunPlaces } from './run-places.js'

/** A run got records. */
export type Change = RunChange

interface News {
  readonly before: RunView | null
  records: readonly RunRecord[]
}

export class RunBook {
  readonly index: RunIndex
  readonly places: RunPlaces = new RunPlaces()
  readonly #table: RunTable
  readonly #metrics: Metrics
  readonly #device: DeviceId
  readonly #watchers = new Map<RunId, Set<(view: RunView) => void>>()
  readonly #anyWatchers = new Set<(change: Change) => void>()
  /** Views of runs that ended just now: the table makes those anew each time, and whoever is told looks at them. */
  readonly #ended = new Map<RunId, RunView>()
  #isRestored = false

  constructor(group: GroupView, metrics: Metrics, device: DeviceId) {
    this.#table = new RunTable(group)
    this.index = new RunIndex((run) => this.view(run))
    this.#metrics = metrics
    this.#device = device
  }

  view(run: RunId): RunView | null {
    return this.#ended.get(run) ?? this.#table.view(run)
  }

  records(run: RunId): readonly RunRecord[] {
    return this.#table.records(run)
  }

  get views(): readonly RunView[] {
    return this.#table.views()
  }

  /** Takes records of a journal in, of whatever runs. Before the end of the restoring nobody is told. */
  take(journal: string, records: readonly AnyRecord[]): readonly Change[] {
    this.places.note(journal, records)
    const some = records.every(isRunRecord) ? records : records.filter(isRunRecord)
    if (!this.#isRestored) {
      this.#table.addAll(some)
      return []
    }
    const news = this.#newsOf(some)
    const touched = this.#table.addAll(some)
    this.#ended.clear()
    const changes: Change[] = []
    for (const [run, { before, records: fresh }] of news) {
      const after = touched.has(run) ? this.#table.view(run) : null
      if (after === null) continue
      if (isTerminal(after.state)) this.#ended.set(run, after)
      changes.push({
        before,
        after,
        // Some of them may have come before the record that made the run.
        records: before === null ? this.#table.records(run) : fresh,
        device: this.#device,
        restored: false,
      })
    }
    this.#tell(changes)
    return changes
  }

  /** Records by run, with the view that the run had before them. */
  #newsOf(records: readonly RunRecord[]): Map<RunId, News> {
    const news = new Map<RunId, News>()
    // Records of one run mostly come together.
    for (let from = 0, to = 0; from < records.length; from = to) {
      const { run } = records[from] as RunRecord
      while (to < records.length && records[to]?.run === run) to++
      const some = records.slice(from, to)
      const known = news.get(run)
      if (known === undefined) news.set(run, { before: this.view(run), records: some })
      else known.records = known.records.concat(some)
    }
    return news
  }

  /** All that the journals held is in. */
  restored(): void {
    this.#isRestored = true
    for (const run of this.#table.runs()) {
      const after = this.#table.view(run)
      if (after === null) continue
      this.index.put(after)
      this.#metrics.observe({ before: null, after, records: [], device: this.#device, restored: true })
    }
  }

  /** Membership changed: every run is judged anew. `gone`: those that no longer count, as nobody who may made them. */
  setGroup(group: GroupView): { readonly changes: readonly Change[]; readonly gone: readonly RunId[] } {
    const before = new Map(this.#table.views().map((view) => [view.run, view]))
    this.#ended.clear()
    this.#table.setGroup(group)
    if (!this.#isRestored) return { changes: [], gone: [] }
    const changes = this.#table.views().map((after) => ({
      before: before.get(after.run) ?? null,
      after,
      records: [],
      device: this.#device,
      restored: false,
    }))
    this.#tell(changes)
    for (const { run } of this.#table.views()) before.delete(run)
    for (const [run, view] of before) {
      this.#metrics.forget(view)
      this.index.remove(run)
    }
    return { changes, gone: [...before.keys()] }
  }

  /** Takes records back out. `gone` are the runs of which nothing is left that says what there is to do. */
  withdraw(records: readonly AnyRecord[]): {
    readonly changes: readonly Change[]
    readonly gone: readonly RunId[]
  } {
    const some = records.filter(isRunRecord)
    const news = this.#newsOf(some)
    this.#ended.clear()
    this.#table.removeAll(some)
    const changes: Change[] = []
    const gone: RunId[] = []
    for (const [run, { before }] of news) {
      const after = this.#table.view(run)
      if (after !== null) changes.push({ before, after, records: [], device: this.#device, restored: false })
      else if (before !== null) {
        this.#metrics.forget(before)
        this.index.remove(run)
        gone.push(run)
      }
    }
    this.#tell(changes)
    return { changes, gone }
  }

  /** Lets go of runs whose journal was dropped. */
  forget(runs: Iterable<RunId>): void {
    for (const run of runs) {
      const view = this.#table.view(run)
      if (view !== null) this.#metrics.forget(view)
      this.index.remove(run)
      this.#table.remove(run)
      this.#ended.delete(run)
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
      this.#metrics.observe(change)
      const watchers = this.#watchers.get(after.run)
      if (watchers !== undefined) for (const callback of [...watchers]) callback(after)
      if (this.#anyWatchers.size > 0) for (const callback of this.#anyWatchers) callback(change)
    }
  }
}
