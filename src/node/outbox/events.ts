/** What the outbox tells: one event for each record about a run that counts. */
import {
  type AnyRecord,
  type DeviceId,
  isRunRecord,
  msOf,
  type Payload,
  type RecordId,
  type RunId,
  type RunRecord,
  type RunView,
  type State,
} from '../../../protocol/index.js'
import { happeningOf } from '../happening.js'

export const OUTBOX_EVENT_TYPES = [
  'run.created',
  'run.assigned',
  'run.reassigned',
  'run.claimed',
  'run.started',
  'run.declined',
  'run.released',
  'run.held',
  'run.completed',
  'run.conflict',
  'run.failed',
  'run.attempt_failed',
  'run.cancelled',
  'run.paused',
  'run.resumed',
  'run.approved',
  'run.retried',
  'run.expedited',
] as const
export type OutboxEventType = (typeof OUTBOX_EVENT_TYPES)[number]

/** What is known about the run. State, round and priority are those at the time of telling, not of the record. */
export interface OutboxEventData {
  readonly state: State
  readonly round: number
  readonly attempt: number
  readonly priority: number
  /** The assignment that the record makes or speaks of. */
  readonly assignment?: RecordId
  /** Of an assignment: who shall do it. */
  readonly target?: DeviceId
  readonly reason?: string
  readonly error?: { readonly code: string; readonly message: string; readonly details?: Payload }
  /** Of `run.created`, with `payloads: true`. */
  readonly input?: Payload
  /** Of `run.completed` and `run.conflict`, with `payloads: true`. */
  readonly output?: Payload
}

/** Something that happened to a run. Delivered at least once: use `key` to do its work once. */
export interface OutboxEvent {
  readonly id: string
  readonly type: OutboxEventType
  readonly run: RunId
  readonly project?: string
  readonly runType: string
  /** When it was written, by its author's clock: milliseconds since 1970. */
  readonly at: number
  /** Who wrote it. */
  readonly device: DeviceId
  /** The idempotency key: the same on every device and at every delivery of the event. */
  readonly key: string
  readonly data: OutboxEventData
}

export type ToldRecord = Exclude<RunRecord, { readonly kind: 'progressed' }>

/** Whether a record can become an event. Progress cannot: it is not a step in a run's life. */
export function isTold(record: AnyRecord): record is ToldRecord {
  return isRunRecord(record) && record.kind !== 'progressed'
}

/** `later`: the record has no effect as things stand; those that come may change that. `none`: there is nothing to tell. */
export function eventOf(
  record: ToldRecord,
  view: RunView | null,
  options: { readonly payloads: boolean },
): OutboxEvent | 'later' | 'none' {
  const type = typeOf(record, view)
  if (view === null || type === 'later') return 'later'
  if (type === 'none') return 'none'
  const { project, type: runType } = view.created
  return {
    id: record.id,
    type,
    run: record.run,
    ...(project !== undefined && { project }),
    runType,
    at: msOf(record.stamp),
    device: record.author,
    key: record.id,
    data: { ...standingOf(record, view), ...wordsOf(record), ...(options.payloads && payloadsOf(record)) },
  }
}

function typeOf(record: ToldRecord, view: RunView | null): OutboxEventType | 'later' | 'none' {
  const happening = happeningOf(record, view)
  switch (happening) {
    case 'later':
    case 'none':
      return happening
    case 'progressed':
      return 'none'
    case 'attempt-failed':
      return 'run.attempt_failed'
    default:
      return `run.${happening}`
  }
}

function standingOf(
  record: ToldRecord,
  view: RunView,
): Pick<OutboxEventData, 'state' | 'round' | 'attempt' | 'priority' | 'assignment'> {
  const { state, round, priority } = view
  const assignment =
    record.kind === 'assigned' ? record.id : 'assignment' in record ? record.assignment : undefined
  const about =
    assignment === undefined || view.assignment?.id === assignment
      ? view.assignment
      : view.previousAssignments.find(({ id }) => id === assignment)
  return {
    state,
    round,
    attempt: about?.attempt ?? 0,
    priority,
    ...(assignment !== undefined && { assignment }),
  }
}

function wordsOf(record: ToldRecord): Pick<OutboxEventData, 'target' | 'reason' | 'error'> {
  if (record.kind === 'failed') return { error: { code: record.error.code, message: record.error.message } }
  return {
    ...(record.kind === 'assigned' && { target: record.target }),
    ...('reason' in record && record.reason !== undefined && { reason: record.reason }),
  }
}

function payloadsOf(record: ToldRecord): Pick<OutboxEventData, 'input' | 'output' | 'error'> {
  if (record.kind === 'created' && record.input !== undefined) return { input: record.input }
  if (record.kind === 'completed' && record.output !== undefined) return { output: record.output }
  return record.kind === 'failed' ? { error: record.error } : {}
}
