/**
 * All runs, found by what people ask for.
 *
 * Each run is in one order by age, and in a set for its state, type, project, owner and parent. A question takes the
 * smallest set that holds all answers, or walks the order, whichever ends first: what is rare is found in its set, what
 * is common soon turns up on the walk. A change costs a few set operations, however many runs there are.
 *
 * There may be a hundred thousand ended runs, and few are looked at: their views are not kept but made anew.
 */
import { isTerminal, type RunId, type RunView, STAMPS_PER_MS, type State } from '../../protocol/index.js'
import {
  checkFilter,
  comparePlaces,
  cursorOf,
  matchesFacts,
  matchesWaiting,
  type Place,
  type RunFilter,
  type RunListOptions,
  type RunListQuery,
  type RunPage,
  readListOptions,
  statesOf,
} from './run-query.js'
import { type RunEntry, SortedRuns } from './sorted-runs.js'

type Sets<K> = Map<K, Set<RunEntry>>

/** Sets that hold all answers to a question, none of which share a run. */
interface Source {
  readonly sets: readonly ReadonlySet<RunEntry>[]
  readonly size: number
}

export class RunIndex {
  readonly #viewOf: ((run: RunId) => RunView | null) | null
  readonly #entries = new Map<RunId, RunEntry>()
  readonly #byAge = new SortedRuns()
  readonly #byState: Sets<State> = new Map()
  readonly #byType: Sets<string> = new Map()
  readonly #byProject: Sets<string> = new Map()
  readonly #byOwner: Sets<string> = new Map()
  readonly #byParent: Sets<RunId> = new Map()

  /** `viewOf` makes views of ended runs anew. Without it all views are kept. */
  constructor(viewOf: ((run: RunId) => RunView | null) | null = null) {
    this.#viewOf = viewOf
  }

  get size(): number {
    return this.#entries.size
  }

  get(run: RunId): RunView | null {
    const entry = this.#entries.get(run)
    return entry === undefined ? null : this.#view(entry)
  }

  /** The runs that have not ended, the oldest first. */
  open(): readonly RunView[] {
    const views: RunView[] = []
    for (const { state, view } of this.#byAge.upwards(null))
      if (view !== null && !isTerminal(state)) views.push(view)
    return views
  }

  #view({ run, view }: RunEntry): RunView | null {
    return view ?? this.#viewOf?.(run) ?? null
  }

  #kept(view: RunView): RunView | null {
    return this.#viewOf !== null && isTerminal(view.state) ? null : view
  }

  /** A run is new, or has changed. */
  put(view: RunView): void {
    const entry = this.#entries.get(view.run)
    if (entry === undefined) {
      this.#add(view)
      return
    }
    if (entry.created !== view.created && entry.created.id !== view.created.id) {
      // An earlier submission of the same key turned up: the run is older than it seemed.
      this.remove(view.run)
      this.#add(view)
      return
    }
    entry.view = this.#kept(view)
    entry.priority = view.priority
    if (entry.state !== view.state) {
      // Not `take`: runs pass through most states one by one, and each would make and drop a set.
      this.#byState.get(entry.state)?.delete(entry)
      give(this.#byState, view.state, entry)
      entry.state = view.state
    }
    if (entry.owner !== view.owner) {
      if (entry.owner !== null) take(this.#byOwner, entry.owner, entry)
      if (view.owner !== null) give(this.#byOwner, view.owner, entry)
      entry.owner = view.owner
    }
  }

  /** A run was dropped from memory. */
  remove(run: RunId): void {
    const entry = this.#entries.get(run)
    if (entry === undefined) return
    const { created, state, owner } = entry
    this.#entries.delete(run)
    this.#byAge.remove(entry)
    take(this.#byState, state, entry)
    take(this.#byType, created.type, entry)
    if (created.project !== undefined) take(this.#byProject, created.project, entry)
    if (owner !== null) take(this.#byOwner, owner, entry)
    if (created.parent !== undefined) take(this.#byParent, created.parent, entry)
  }

  /** A page of runs. Throws `INVALID_OPTIONS`. */
  list(filter: RunFilter, options: RunListOptions, nowMs: number): RunPage {
    checkFilter(filter)
    const query = readListOptions(options)
    // One more, to know whether there is another page.
    const wanted = query.limit + 1
    const source = this.#smallest(filter)
    const found =
      this.#walk(filter, query, nowMs, wanted, source?.size ?? this.#entries.size) ??
      select(this.#candidates(source), filter, query, nowMs, wanted)
    const page = found.slice(0, query.limit)
    const last = found.length > query.limit ? page[page.length - 1] : undefined
    return {
      runs: page.map((entry) => this.#view(entry)).filter((view) => view !== null),
      cursor: last === undefined ? null : cursorOf(placeOf(last), query.order),
    }
  }

  /** How many runs there are. Throws `INVALID_OPTIONS`. */
  count(filter: RunFilter, nowMs: number): number {
    const given = checkFilter(filter)
    if (given.length === 0) return this.#entries.size
    const source = this.#smallest(filter)
    if (given.length === 1 && source !== null && filter.waiting === undefined) return source.size
    let count = 0
    for (const entry of this.#candidates(source)) if (isAsked(entry, filter, nowMs)) count++
    return count
  }

  #add(view: RunView): void {
    const { run, created, state, owner, priority } = view
    const entry: RunEntry = {
      run,
      stamp: created.stamp,
      created,
      state,
      owner,
      priority,
      view: this.#kept(view),
    }
    this.#entries.set(view.run, entry)
    this.#byAge.insert(entry)
    give(this.#byState, view.state, entry)
    give(this.#byType, created.type, entry)
    if (created.project !== undefined) give(this.#byProject, created.project, entry)
    if (owner !== null) give(this.#byOwner, owner, entry)
    if (created.parent !== undefined) give(this.#byParent, created.parent, entry)
  }

  #smallest(filter: RunFilter): Source | null {
    const sources = [
      sourceOf(this.#byState, statesOf(filter)),
      sourceOf(this.#byType, filter.type),
      sourceOf(this.#byProject, filter.project),
      sourceOf(this.#byOwner, filter.owner),
      sourceOf(this.#byParent, filter.parent),
    ].filter((source) => source !== null)
    return sources.reduce<Source | null>((a, b) => (a === null || b.size < a.size ? b : a), null)
  }

  *#candidates(source: Source | null): Generator<RunEntry> {
    if (source === null) yield* this.#entries.values()
    else for (const set of source.sets) yield* set
  }

  /** Walks the order until the page is full. Null if that takes more than `steps`: then the set is quicker. */
  #walk(
    filter: RunFilter,
    { order, after }: RunListQuery,
    nowMs: number,
    wanted: number,
    steps: number,
  ): readonly RunEntry[] | null {
    if (order === 'priority' || steps <= wanted) return null
    const { createdAfter, createdBefore } = filter
    const [oldest, newest] = [edge(createdAfter), edge(createdBefore)]
    const found: RunEntry[] = []
    const entries =
      order === 'oldest' ? this.#byAge.upwards(after ?? oldest) : this.#byAge.downwards(after ?? newest)
    let left = steps
    for (const entry of entries) {
      const isPast = order === 'oldest' ? isFrom(entry, newest) : oldest !== null && !isFrom(entry, oldest)
      if (isPast) return found
      if (left-- <= 0) return null
      if (entry.run === after?.run || !isAsked(entry, filter, nowMs)) continue
      if (found.push(entry) >= wanted) return found
    }
    return found
  }
}

/** The first so many in their order, of candidates that come in none. */
function select(
  candidates: Iterable<RunEntry>,
  filter: RunFilter,
  { order, after }: RunListQuery,
  nowMs: number,
  wanted: number,
): readonly RunEntry[] {
  const compare = (a: RunEntry, b: RunEntry): number => comparePlaces(placeOf(a), placeOf(b), order)
  const best: RunEntry[] = []
  let worst: RunEntry | undefined
  for (const entry of candidates) {
    if (worst !== undefined && compare(entry, worst) > 0) continue
    if (after !== null && comparePlaces(placeOf(entry), after, order) <= 0) continue
    if (!isAsked(entry, filter, nowMs)) continue
    // Sorted now and then, and cut: never more in hand than three pages.
    if (best.push(entry) < 3 * wanted) continue
    best.sort(compare)
    best.length = wanted
    worst = best[wanted - 1]
  }
  return best.sort(compare).slice(0, wanted)
}

function isAsked(entry: RunEntry, filter: RunFilter, nowMs: number): boolean {
  return matchesFacts(entry, filter) && matchesWaiting(entry.view, filter, nowMs)
}

function placeOf({ run, stamp, priority }: RunEntry): Place {
  return { run, stamp, priority }
}

type Edge = Pick<RunEntry, 'run' | 'stamp'> | null

/** The place before all runs of a moment. */
function edge(ms: number | undefined): Edge {
  return ms === undefined ? null : { run: '', stamp: Math.ceil(ms) * STAMPS_PER_MS }
}

function isFrom({ stamp }: RunEntry, place: Edge): boolean {
  return place !== null && stamp >= place.stamp
}

function sourceOf<K>(sets: Sets<K>, asked: K | readonly K[] | null | undefined): Source | null {
  if (asked === undefined || asked === null) return null
  const keys = (Array.isArray(asked) ? asked : [asked]) as readonly K[]
  const found = keys.map((key) => sets.get(key)).filter((set) => set !== undefined)
  return { sets: found, size: found.reduce((size, set) => size + set.size, 0) }
}

function give<K>(sets: Sets<K>, key: K, entry: RunEntry): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([entry]))
  else set.add(entry)
}

function take<K>(sets: Sets<K>, key: K, entry: RunEntry): void {
  const set = sets.get(key)
  // An empty set is dropped: owners and parents come and go.
  if (set?.delete(entry) === true && set.size === 0) sets.delete(key)
}
