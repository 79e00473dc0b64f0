/** Keeps count of all runs as they change. Each change costs the same, however many runs there are. */
import {
  type DeviceId,
  isTerminal,
  type RunId,
  type RunRecord,
  type RunView,
  STATES,
  type State,
} from '../../../protocol/index.js'
import { PRIORITY_CLASSES, type PriorityClass, priorityClass } from '../../engine/priority-class.js'
import type { Clock } from '../../platform/seams.js'
import { isRejected } from '../happening.js'
import { MAX_CLAIMS_LISTED, MAX_DEVICES_LISTED } from './constants.js'
import { Histogram } from './histogram.js'
import { doubleExecutions, endedLeases, timeToClaim } from './leases.js'
import { type Rated, Rates } from './rates.js'
import { COUNTED, type Counted, type MetricsSnapshot, type NodeGauges } from './snapshot.js'

/** A run got records. */
export interface RunChange {
  readonly before: RunView | null
  readonly after: RunView
  /** Those that are new; all of the run's if `before` is null, as some may have come before its `created`. */
  readonly records: readonly RunRecord[]
  /** This device. */
  readonly device: DeviceId
  /** Read from disk at the start: it moves depths and counts nothing. */
  readonly restored: boolean
}

type Tally = { -readonly [C in Counted]: number }
type Depth = { [C in PriorityClass]: number }

export class Metrics {
  readonly #clock: Clock
  readonly #byState: { [S in State]: number } = zeros(Object.keys(STATES) as State[])
  readonly #open: Depth = zeros(PRIORITY_CLASSES)
  readonly #waiting: Depth = zeros(PRIORITY_CLASSES)
  readonly #group: Tally = zeros(Object.keys(COUNTED) as Counted[])
  readonly #device: Tally = zeros(Object.keys(COUNTED) as Counted[])
  readonly #timeToClaim = new Histogram()
  readonly #processing = new Histogram()
  readonly #lease = new Histogram()
  readonly #rates: Rates
  /** The runs that somebody has, in the order in which that was seen. */
  readonly #claims = new Map<RunId, RunView>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#rates = new Rates(clock)
  }

  observe(change: RunChange): void {
    const { before, after } = change
    if (before !== null) this.#move(before, -1)
    this.#move(after, 1)
    if (after.owner !== null) this.#claims.set(after.run, after)
    else if (before !== null && before.owner !== null) this.#claims.delete(after.run)
    if (change.restored) return
    for (const record of change.records) if (!isRejected(record, after)) this.#countRecord(record, change)
    this.#countEnds(change)
    this.#measure(before, after)
  }

  /** A run was dropped from memory: it no longer counts among those there are. */
  forget(view: RunView): void {
    this.#move(view, -1)
    this.#claims.delete(view.run)
  }

  snapshot(gauges: NodeGauges): MetricsSnapshot {
    return {
      ...gauges,
      depth: { byState: { ...this.#byState }, open: { ...this.#open }, waiting: { ...this.#waiting } },
      counts: { group: { ...this.#group }, device: { ...this.#device } },
      seconds: {
        timeToClaim: this.#timeToClaim.snapshot(),
        processing: this.#processing.snapshot(),
        lease: this.#lease.snapshot(),
      },
      rates: {
        claimed: this.#rates.rate('claimed'),
        completed: this.#rates.rate('completed'),
        failed: this.#rates.rate('failed'),
        failureShare: this.#rates.failureShare(),
      },
      claims: this.#claimsNow(),
    }
  }

  #move(view: RunView, by: 1 | -1): void {
    this.#byState[view.state] += by
    if (isTerminal(view.state)) return
    const priority = priorityClass(view.priority)
    this.#open[priority] += by
    if (view.owner === null) this.#waiting[priority] += by
  }

  #count(what: Counted, isOwn: boolean, times = 1): void {
    this.#group[what] += times
    if (isOwn) this.#device[what] += times
  }

  /** What each record counts for by itself. The ends of runs do not: several devices may write the same end. */
  #countRecord(record: RunRecord, { after, device }: RunChange): void {
    const isOwn = record.author === device
    switch (record.kind) {
      case 'claimed':
        this.#rates.count('claimed')
        this.#count('claimed', isOwn)
        break
      case 'started':
      case 'declined':
      case 'held':
        this.#count(record.kind, isOwn)
        break
      case 'released':
        this.#count('released', isOwn)
        if (record.reason === 'preempted') this.#count('preempted', isOwn)
        break
      case 'assigned':
        if (record.parent === undefined) break
        this.#count('reassigned', isOwn)
        if (record.reason === 'timeout') this.#count('timedOut', isOwn)
        break
      case 'failed':
        // Of a deadline that passed, or a last attempt that was lost, others tell.
        if (targetOf(after, record.assignment) === record.author) this.#count('attemptsFailed', isOwn)
        break
      default:
    }
  }

  /** What happens to a run as a whole is seen by comparing: it counts once, however many records say so. */
  #countEnds({ before, after, device }: RunChange): void {
    if (before === null) this.#count('created', after.created.author === device)
    if (after.conflicts.length > 0) this.#countDoubles(before, after, device)
    if (after.state === before?.state && after.round === before.round) return
    if (after.result !== null) this.#countEnd('completed', after.result.device === device)
    else if (after.error !== null) this.#countEnd('failed', after.error.device === device)
    else if (after.cancelled !== null) this.#count('cancelled', after.cancelled.by === device)
  }

  #countEnd(what: Rated & Counted, isOwn: boolean): void {
    this.#rates.count(what)
    this.#count(what, isOwn)
  }

  #countDoubles(before: RunView | null, after: RunView, device: DeviceId): void {
    const more = (of: DeviceId | null): number =>
      doubleExecutions(after, of) - (before === null ? 0 : doubleExecutions(before, of))
    const added = Math.max(0, more(null))
    this.#group.doubleExecutions += added
    // When a result turns up late, another execution becomes the double one: that is no new one.
    this.#device.doubleExecutions += Math.min(added, Math.max(0, more(device)))
  }

  #measure(before: RunView | null, after: RunView): void {
    if ((before === null || before.highestFence === 0) && after.highestFence > 0) {
      const waitedMs = timeToClaim(after)
      if (waitedMs !== null) this.#timeToClaim.observe(waitedMs)
    }
    endedLeases(before, after, this.#onLeaseEnd)
  }

  readonly #onLeaseEnd = (
    { claimedAt, startedAt }: { readonly claimedAt: number | null; readonly startedAt: number | null },
    endedAt: number,
  ): void => {
    if (claimedAt !== null) this.#lease.observe(endedAt - claimedAt)
    if (startedAt !== null) this.#processing.observe(endedAt - startedAt)
  }

  #claimsNow(): MetricsSnapshot['claims'] {
    const nowMs = this.#clock.wallMs()
    const byDevice = new Map<DeviceId, number>()
    const current: MetricsSnapshot['claims']['current'][number][] = []
    for (const { run, owner, assignment } of this.#claims.values()) {
      if (owner === null) continue
      byDevice.set(owner, (byDevice.get(owner) ?? 0) + 1)
      if (current.length < MAX_CLAIMS_LISTED)
        current.push({ run, device: owner, sinceMs: Math.max(0, nowMs - (assignment?.claimedAt ?? nowMs)) })
    }
    const counted = [...byDevice].map(([device, count]) => ({ device, count }))
    return {
      count: this.#claims.size,
      byDevice: counted.sort((a, b) => b.count - a.count).slice(0, MAX_DEVICES_LISTED),
      current,
    }
  }
}

function targetOf(view: RunView, assignment: string | undefined): DeviceId | undefined {
  if (assignment === undefined) return undefined
  if (view.assignment?.id === assignment) return view.assignment.device
  return view.previousAssignments.find(({ id }) => id === assignment)?.device
}

function zeros<K extends string>(names: readonly K[]): { [N in K]: number } {
  return Object.fromEntries(names.map((name) => [name, 0])) as { [N in K]: number }
}
