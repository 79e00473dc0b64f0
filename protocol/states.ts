/** The one table of states: which there are, what leads from one to the next, and who may cause it. */
import type { RunKind } from './records/record.js'

/** States of a run. The last three are terminal. */
export const STATES = {
  created: 'It exists and waits for a first device; `waiting` says why.',
  assigned: 'A device was chosen and has neither claimed nor declined yet.',
  claimed: 'A device took it. Its beacons keep the claim alive.',
  processing: 'The owner works on it.',
  reassigning: 'The last device gave it up; another is to be chosen.',
  completed: 'It has its result. Read-only.',
  failed: 'It was given up: attempts or time ran out, or the failure was final. `retried` opens a new round.',
  cancelled: 'Somebody called it off. `retried` opens a new round.',
} as const
export type State = keyof typeof STATES

export const TERMINAL_STATES = ['completed', 'failed', 'cancelled'] as const

export function isTerminal(state: State): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Who may cause a transition. */
export const WRITERS = {
  member: 'any member or admin that is not revoked',
  target: 'the device that the assignment names',
  owner: 'the target, once it has claimed',
  approver: 'a device that the run’s approval policy names',
} as const
export type WriterRole = keyof typeof WRITERS

/** Who may write which record about a run, and what it must cite or meet to count. */
export const AUTHORITY: { readonly [K in RunKind]: { readonly by: WriterRole; readonly counts: string } } = {
  created: {
    by: 'member',
    counts: 'always; the earliest is the run, later ones with other contents are conflicts',
  },
  assigned: {
    by: 'member',
    counts: 'if its reason has its cause, and target, privacy, approval, notBefore and retries allow it',
  },
  claimed: { by: 'target', counts: 'if the assignment counts' },
  started: { by: 'owner', counts: 'after a claim of the same incarnation' },
  progressed: { by: 'owner', counts: 'after a claim' },
  declined: { by: 'target', counts: 'if the assignment counts' },
  released: { by: 'target', counts: 'if the assignment counts' },
  held: { by: 'owner', counts: 'after a claim of the same incarnation; voids under the rules of `held`' },
  completed: { by: 'owner', counts: 'after a claim, on whatever branch' },
  failed: {
    by: 'owner',
    counts: 'after a claim; by any member if final, for a passed deadline or the last attempt',
  },
  cancelled: { by: 'member', counts: 'always, for its round' },
  paused: { by: 'member', counts: 'the latest of paused and resumed decides' },
  resumed: { by: 'member', counts: 'the latest of paused and resumed decides' },
  approved: { by: 'approver', counts: 'for assignments later than it and before it expires' },
  retried: { by: 'member', counts: 'if it cites the failure or cancellation that ended the round before' },
  expedited: { by: 'member', counts: 'the latest decides' },
}

/** One way from state to state, when records are added in the order of their stamps. */
export interface Transition {
  readonly from: State | null
  readonly to: State
  readonly record: RunKind
  readonly by: WriterRole
  readonly when: string
}

type Row = readonly [
  from: readonly (State | null)[],
  to: State,
  record: RunKind,
  by: WriterRole,
  when: string,
]

const OPEN: readonly State[] = ['created', 'assigned', 'claimed', 'processing', 'reassigning']

const ROWS: readonly Row[] = [
  [[null], 'created', 'created', 'member', 'a run is created'],
  [
    ['created'],
    'assigned',
    'assigned',
    'member',
    'a first device is chosen (for itself: in one batch with the claim)',
  ],
  [['assigned'], 'claimed', 'claimed', 'target', 'the target accepts'],
  [['assigned'], 'reassigning', 'declined', 'target', 'the target does not want it'],
  [['assigned'], 'reassigning', 'released', 'target', 'the target gives it back before claiming'],
  [['claimed'], 'processing', 'started', 'owner', 'work begins'],
  [['processing'], 'claimed', 'claimed', 'owner', 'a restarted process takes its run up again'],
  [
    ['claimed', 'processing'],
    'reassigning',
    'released',
    'owner',
    'drain, preemption, pause, sleep, or an unresponsive handler',
  ],
  [['claimed', 'processing'], 'reassigning', 'declined', 'owner', 'the owner changes its mind'],
  [['claimed', 'processing'], 'reassigning', 'failed', 'owner', 'the attempt failed and may be retried'],
  [
    ['assigned', 'claimed', 'processing'],
    'assigned',
    'assigned',
    'member',
    'the device fell silent (`timeout`), or a person moved it (`manual`)',
  ],
  [['reassigning'], 'assigned', 'assigned', 'member', 'the next device is chosen'],
  [
    ['assigned', 'claimed', 'processing', 'reassigning'],
    'claimed',
    'held',
    'owner',
    'the first owner is back, never let go, and had not started',
  ],
  [
    ['assigned', 'claimed', 'processing', 'reassigning'],
    'processing',
    'held',
    'owner',
    'the first owner is back, never let go, and is at work',
  ],
  [
    [...OPEN, 'failed', 'cancelled'],
    'completed',
    'completed',
    'owner',
    'the work is done; this outranks every other end',
  ],
  [OPEN, 'failed', 'failed', 'owner', 'the failure is final'],
  [OPEN, 'failed', 'failed', 'member', 'the deadline passed, or the last attempt was lost'],
  [[...OPEN, 'failed'], 'cancelled', 'cancelled', 'member', 'somebody calls it off'],
  [['failed', 'cancelled'], 'created', 'retried', 'member', 'a new round'],
]

export const TRANSITIONS: readonly Transition[] = ROWS.flatMap(([from, to, record, by, when]) =>
  from.map((state) => ({ from: state, to, record, by, when })),
)

/** Whether the table has a way from one state to another by a record of this kind. Staying is always allowed. */
export function isTransition(from: State | null, to: State, record: RunKind): boolean {
  return from === to || TRANSITIONS.some((way) => way.from === from && way.to === to && way.record === record)
}
