/** The records that the engine writes. */
import {
  type AssignReason,
  type DeviceId,
  type Draft,
  type RecordId,
  RUN_FAILURES,
  type RunFailure,
  type RunId,
  type RunView,
} from '../../protocol/index.js'
import { textOf } from './text.js'

/** What a device writes when it takes a run and begins at once. */
export function takingDrafts(run: string, assignment: string): readonly Draft[] {
  return [
    { kind: 'claimed', run, assignment },
    { kind: 'started', run, assignment },
  ]
}

export function assignedDraft(view: RunView, target: DeviceId, reason: AssignReason): Draft<'assigned'> {
  const { run, round, created, assignment, state } = view
  const isRoot = assignment === null || state === 'created'
  return {
    kind: 'assigned',
    run,
    target,
    reason: isRoot && reason !== 'manual' ? 'created' : reason,
    ...(!isRoot && { parent: assignment.id }),
    ...(isRoot && created.id !== run && { created: created.id }),
    ...(isRoot && round > 0 && { round }),
  }
}

/** Why a run is given to somebody: what its last device said, or that it says nothing any more. */
export function reasonOf({ state, assignment }: RunView): AssignReason {
  if (state === 'created') return 'created'
  if (state !== 'reassigning') return 'timeout'
  const reason = assignment?.givenUp?.reason
  return reason === 'declined' || reason === 'failed' || reason === 'preempted' ? reason : 'released'
}

/** How this device's own attempt failed. The last one that is allowed ends the run. */
export function failedDraft(
  view: RunView,
  assignment: RecordId,
  error: RunFailure,
  permanent: boolean,
): Draft<'failed'> {
  const attempt = view.assignment?.id === assignment ? view.assignment.attempt : 0
  const isLast = attempt >= view.attemptsAllowed
  return { kind: 'failed', run: view.run, assignment, error, ...((permanent || isLast) && { final: true }) }
}

/** A person, or the handler itself, wants another device to have it. */
export function givenBackDraft(run: RunId, assignment: RecordId, note: string | null): Draft<'released'> {
  return {
    kind: 'released',
    run,
    assignment,
    reason: 'manual',
    ...(note !== null && { note: textOf(note) }),
  }
}

/** The last attempt was lost, and nobody is left to say so but us. */
export function exhaustedDraft({ run, assignment, attemptsAllowed }: RunView): Draft<'failed'> {
  return {
    kind: 'failed',
    run,
    final: true,
    ...(assignment !== null && { assignment: assignment.id }),
    error: { code: RUN_FAILURES.exhausted, message: `All ${attemptsAllowed} attempts were spent.` },
  }
}

export function deadlineDraft({ run, round }: RunView): Draft<'failed'> {
  return {
    kind: 'failed',
    run,
    final: true,
    ...(round > 0 && { round }),
    error: { code: RUN_FAILURES.deadline, message: 'Its deadline passed before it was done.' },
  }
}

export function cancelledDraft({ run, round }: RunView, reason: string | null): Draft<'cancelled'> {
  return { kind: 'cancelled', run, ...(round > 0 && { round }), ...(reason !== null && { reason }) }
}
