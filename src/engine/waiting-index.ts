/**
 * Runs that wait for a device, in buckets of equal needs. Whoever looks for the next run, or for the next one that a
 * given device may do, looks at the head of each bucket that fits: no scan over runs, nothing filtered afterwards. It
 * costs as much as there are distinct needs, however many runs wait.
 *
 * Within a bucket the order is by priority, then age; a run that waits gains on newer ones, so that low never starves.
 * As all gain alike, their order never changes, and a heap can hold it.
 */
import type { DeviceId, RunView } from '../../protocol/index.js'
import type { WaitingWork } from './beacon.js'
import type { LeaseQuery } from './events.js'
import { Heap, type HeapItem } from './heap.js'
import { priorityClass } from './priority-class.js'
import type { Tracked } from './state.js'

export interface WaitNode extends HeapItem {
  readonly tracked: Tracked
  readonly bucket: Bucket
  readonly priority: number
  /** Priority and age in one: the higher goes first. */
  readonly weight: number
}

/** Runs that ask the same of a device and wait for the same device to place them. */
export interface Bucket {
  readonly key: string
  readonly responsible: DeviceId
  /** Its runs are not given away for now. Whoever pulls may have them. */
  readonly isParked: boolean
  /** Any run of it has these needs. */
  readonly sample: RunView
  readonly heap: Heap<WaitNode>
  /** The head that found no device, and the epoch in which it did not: nothing to try again before either changes. */
  blocked: { readonly head: WaitNode; readonly epoch: number } | null
}

export class WaitingIndex {
  readonly #ageStepMs: number
  readonly #reservedFrom: number
  readonly #buckets = new Map<string, Bucket>()
  readonly #counts = { high: 0, normal: 0, low: 0 }

  /** `reservedFrom`: the priority from which on reserved slots may be used. */
  constructor(ageStepMs: number, reservedFrom: number) {
    this.#ageStepMs = ageStepMs
    this.#reservedFrom = reservedFrom
  }

  get size(): number {
    return this.#counts.high + this.#counts.normal + this.#counts.low
  }

  get counts(): WaitingWork {
    return { ...this.#counts }
  }

  /** `isParked`: apart from the others, so that what keeps it back keeps back no other. */
  add(tracked: Tracked, responsible: DeviceId, isParked = false): void {
    const { view } = tracked
    const line = isParked ? 'parked' : view.priority >= this.#reservedFrom ? 'high' : 'normal'
    const key = `${line}\n${keyOf(view, responsible)}`
    if (tracked.wait !== null) {
      if (tracked.wait.bucket.key === key && tracked.wait.priority === view.priority) return
      this.remove(tracked)
    }
    let bucket = this.#buckets.get(key)
    if (bucket === undefined) {
      bucket = { key, responsible, isParked, sample: view, heap: new Heap(goesBefore), blocked: null }
      this.#buckets.set(key, bucket)
    }
    const weight = view.priority - view.createdAt / this.#ageStepMs
    const node: WaitNode = { tracked, bucket, priority: view.priority, weight, place: -1 }
    tracked.wait = node
    bucket.heap.add(node)
    this.#counts[priorityClass(view.priority)]++
  }

  remove(tracked: Tracked): void {
    const node = tracked.wait
    if (node === null) return
    tracked.wait = null
    node.bucket.heap.remove(node)
    if (node.bucket.heap.size === 0) this.#buckets.delete(node.bucket.key)
    this.#counts[priorityClass(node.priority)]--
  }

  /** The next run that fits, over all buckets that do. */
  next(fits: (bucket: Bucket) => boolean): Tracked | null {
    let best: WaitNode | null = null
    for (const bucket of this.#buckets.values()) {
      const head = bucket.heap.first
      if (head !== undefined && (best === null || goesBefore(head, best)) && fits(bucket)) best = head
    }
    return best?.tracked ?? null
  }
}

/** Whether runs of a bucket are what a pull worker asks for. */
export function fitsQuery({ sample: { created } }: Bucket, query: LeaseQuery): boolean {
  return (
    (query.type === undefined || created.type === query.type) &&
    (query.project === undefined || created.project === query.project) &&
    (query.capabilities === undefined ||
      (created.requires ?? []).every((name) => query.capabilities?.includes(name)))
  )
}

function goesBefore(a: WaitNode, b: WaitNode): boolean {
  return a.weight !== b.weight ? a.weight > b.weight : a.tracked.run < b.tracked.run
}

/** All that the gates look at, and who places it: equal keys, equal verdicts for every device. */
function keyOf({ created }: RunView, responsible: DeviceId): string {
  const { type, project, requires, prefers, privacy, minBattery, coordinator, author } = created
  if (requires === undefined && privacy === undefined && prefers === undefined && minBattery === undefined)
    return `${responsible}\n${author}\n${type}\n${project ?? ''}\n${coordinator ?? ''}`
  return JSON.stringify([
    ...[responsible, author, type, project, coordinator, minBattery],
    ...[[...(requires ?? [])].sort(), prefers, privacy],
  ])
}
