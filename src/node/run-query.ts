/** What can be asked of the runs that a device knows: filters, pages, and cursors between pages. */
import {
  type DeviceId,
  decodeStamp,
  encodeStamp,
  fieldFault,
  isDeviceId,
  isId,
  isTerminal,
  MAX_PRIORITY,
  msOf,
  PRIORITIES,
  type RunId,
  type RunView,
  STATES,
  type Stamp,
  type State,
  type WaitingReason,
  waitingFor,
} from '../../protocol/index.js'
import { priorityClass } from '../engine/priority-class.js'
import { invalidOption, unknownOption } from './invalid-option.js'
import type { Priority } from './run-settings.js'

/** Runs on a page for which no limit was given, and at most. */
export const RUNS_LIMIT = 50
export const MAX_RUNS_LIMIT = 1000

/** Which runs: those for which all of it holds. */
export interface RunFilter {
  /** One state, or any of several. */
  readonly state?: State | readonly State[] | undefined
  readonly type?: string | undefined
  readonly project?: string | undefined
  /** Who has the run now. */
  readonly owner?: DeviceId | undefined
  /** Who made it. */
  readonly creator?: DeviceId | undefined
  /** Its idempotency key. */
  readonly key?: string | undefined
  /** The run that made it. */
  readonly parent?: RunId | undefined
  /** A number: exactly this priority. A word: the class, `high` from 10 on, `low` from -10 down, `normal` between. */
  readonly priority?: Priority | undefined
  /** What it waits for. */
  readonly waiting?: WaitingReason | undefined
  /** Created at this moment or later: milliseconds since 1970. */
  readonly createdAfter?: number | undefined
  /** Created before this moment: milliseconds since 1970. */
  readonly createdBefore?: number | undefined
}

export const RUN_ORDERS = ['newest', 'oldest', 'priority'] as const
/** By time of creation; or by priority, the highest first, and within it the oldest first, as runs are worked on. */
export type RunOrder = (typeof RUN_ORDERS)[number]

export interface RunListOptions {
  /** From 1 to 1000. @default 50 */
  readonly limit?: number | undefined
  /** From the page before. It stays good however many runs are added or dropped meanwhile. */
  readonly cursor?: string | undefined
  /** @default 'newest' */
  readonly order?: RunOrder | undefined
}

export interface RunPage {
  readonly runs: readonly RunView[]
  /** Pass it on to get the next page; null after the last. */
  readonly cursor: string | null
}

/** Where a run stands in every order. */
export interface Place {
  readonly priority: number
  readonly stamp: Stamp
  readonly run: RunId
}

export interface RunListQuery {
  readonly limit: number
  readonly order: RunOrder
  /** The last run of the page before. */
  readonly after: Place | null
}

const WAITING_REASONS: readonly string[] = [
  'paused',
  'approval',
  'not_before',
  'backoff',
  'no_device',
] satisfies readonly WaitingReason[]

const isMoment = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isState = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(STATES, value)

/** For each field: whether a value is one, and what is allowed. */
const FILTERS: { readonly [F in keyof RunFilter]-?: readonly [(value: unknown) => boolean, string] } = {
  state: [
    (value) => isState(value) || (Array.isArray(value) && value.length > 0 && value.every(isState)),
    `one of ${Object.keys(STATES).join(', ')}, or a list of them`,
  ],
  type: [isText, 'the name of a run type'],
  project: [isText, 'the name of a project'],
  owner: [isDeviceId, 'a device id'],
  creator: [isDeviceId, 'a device id'],
  key: [isText, 'an idempotency key'],
  parent: [isId, 'the id of a run'],
  priority: [
    (value) =>
      typeof value === 'string'
        ? Object.hasOwn(PRIORITIES, value)
        : fieldFault('priority', value) === undefined,
    `'high', 'normal', 'low', or a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}`,
  ],
  waiting: [
    (value) => typeof value === 'string' && WAITING_REASONS.includes(value),
    `one of ${WAITING_REASONS.join(', ')}`,
  ],
  createdAfter: [isMoment, 'milliseconds since 1970, such as date.getTime()'],
  createdBefore: [isMoment, 'milliseconds since 1970, such as date.getTime()'],
}
const FILTER_NAMES = Object.keys(FILTERS) as (keyof RunFilter)[]
const OPTION_NAMES: readonly string[] = ['limit', 'cursor', 'order']

/** Throws `INVALID_OPTIONS`, naming the field. Answers with the fields that are given. */
export function checkFilter(filter: RunFilter): readonly (keyof RunFilter)[] {
  if (typeof filter !== 'object' || filter === null) throw invalidOption('filter', filter, 'an object')
  for (const name of Object.keys(filter)) {
    if (!Object.hasOwn(FILTERS, name)) throw unknownOption(name, FILTER_NAMES)
  }
  const given = FILTER_NAMES.filter((name) => filter[name] !== undefined)
  for (const name of given) {
    const [isAllowed, allowed] = FILTERS[name]
    if (!isAllowed(filter[name])) throw invalidOption(name, filter[name], allowed)
  }
  return given
}

/** The options with their defaults. Throws `INVALID_OPTIONS`. */
export function readListOptions(options: RunListOptions): RunListQuery {
  if (typeof options !== 'object' || options === null) throw invalidOption('options', options, 'an object')
  for (const name of Object.keys(options)) {
    if (!OPTION_NAMES.includes(name)) throw unknownOption(name, OPTION_NAMES)
  }
  const { limit = RUNS_LIMIT, order = 'newest', cursor } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RUNS_LIMIT)
    throw invalidOption('limit', limit, `a whole number from 1 to ${MAX_RUNS_LIMIT}`)
  if (!RUN_ORDERS.includes(order)) throw invalidOption('order', order, `one of ${RUN_ORDERS.join(', ')}`)
  return { limit, order, after: cursor === undefined ? null : readCursor(cursor, order) }
}

/** What most filters look at. */
export type RunFacts = Pick<RunView, 'created' | 'state' | 'owner' | 'priority'>

/** Whether a run is one of those. The filter was checked before. */
export function matches(view: RunView, filter: RunFilter, nowMs: number): boolean {
  return matchesFacts(view, filter) && matchesWaiting(view, filter, nowMs)
}

/** Whether it waits for what the filter says. Null for an ended run: that waits for nothing. */
export function matchesWaiting(view: RunView | null, { waiting }: RunFilter, nowMs: number): boolean {
  return waiting === undefined || (view !== null && waitingFor(view, nowMs)?.reason === waiting)
}

/** Whether all of the filter holds but for what the run waits for. */
export function matchesFacts(view: RunFacts, filter: RunFilter): boolean {
  const { created } = view
  const { state, type, project, owner, creator, key, parent, priority } = filter
  if (state !== undefined && (typeof state === 'string' ? state !== view.state : !state.includes(view.state)))
    return false
  if (type !== undefined && type !== created.type) return false
  if (project !== undefined && project !== created.project) return false
  if (owner !== undefined && owner !== view.owner) return false
  if (creator !== undefined && creator !== created.author) return false
  if (key !== undefined && key !== created.key) return false
  if (parent !== undefined && parent !== created.parent) return false
  if (priority !== undefined) {
    const own = typeof priority === 'number' ? view.priority : priorityClass(view.priority)
    if (own !== priority) return false
  }
  if (filter.createdAfter !== undefined && msOf(created.stamp) < filter.createdAfter) return false
  return filter.createdBefore === undefined || msOf(created.stamp) < filter.createdBefore
}

/** The states that a run can be in for the filter to hold; null for all. */
export function statesOf({ state, waiting }: RunFilter): readonly State[] | null {
  const asked = state === undefined ? null : typeof state === 'string' ? [state] : [...new Set(state)]
  if (waiting === undefined) return asked
  const canWait = (one: State): boolean =>
    waiting === 'paused' ? !isTerminal(one) : one === 'created' || one === 'reassigning'
  return (asked ?? (Object.keys(STATES) as State[])).filter(canWait)
}

/** Negative if `a` comes first. */
export function comparePlaces(a: Place, b: Place, order: RunOrder): number {
  if (order === 'newest') return compareAge(b, a)
  return (order === 'priority' ? b.priority - a.priority : 0) || compareAge(a, b)
}

/** By stamp, then id: a total order, the oldest first. */
export function compareAge(a: Omit<Place, 'priority'>, b: Omit<Place, 'priority'>): number {
  if (a.stamp !== b.stamp) return a.stamp - b.stamp
  return a.run < b.run ? -1 : a.run > b.run ? 1 : 0
}

// The order's first letter, the priority from 0 up, then stamp and id, whose lengths are fixed.
const CURSOR = /^([nop])(\d{1,4})\.(\w{11})(\w{26})$/

/** Says where a page ended: not how many came before it, so it does not mind what is added. */
export function cursorOf({ priority, stamp, run }: Place, order: RunOrder): string {
  return `${order[0]}${priority + MAX_PRIORITY}.${encodeStamp(stamp)}${run}`
}

function readCursor(cursor: unknown, order: RunOrder): Place {
  const refuse = (): Error =>
    invalidOption('cursor', cursor, `what a page of the same order (“${order}”) gave as its cursor`)
  const parts = typeof cursor === 'string' ? CURSOR.exec(cursor) : null
  if (parts === null) throw refuse()
  const [, letter, priority, stamp = '', run] = parts
  if (letter !== order[0] || !isId(run)) throw refuse()
  try {
    return { priority: Number(priority) - MAX_PRIORITY, stamp: decodeStamp(stamp), run }
  } catch {
    throw refuse()
  }
}
