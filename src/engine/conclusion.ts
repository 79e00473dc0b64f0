/** What is written down when work on a run has ended here. */
import { type Draft, isTerminal, type RecordId, RUN_TIMEOUT_MS, type RunView } from '../../protocol/index.js'
import type { Outcome } from './events.js'
import { failedDraft } from './records.js'
import type { EngineState, Work } from './state.js'

/** How it ended, as a record; null if there is nothing to say. */
export function conclusionOf(state: EngineState, view: RunView, work: Work, outcome: Outcome): Draft | null {
  const { run } = view
  const { assignment, stopping } = work
  if (!state.mayWrite || view.state === 'completed') return null
  // After its signal a handler may return with the work half done, or throw because of it: neither is an outcome.
  if (stopping !== null) return isTerminal(view.state) ? null : afterStop(state, view, work)
  switch (outcome.type) {
    case 'completed':
      // A result counts even of a run that was called off meanwhile.
      return {
        kind: 'completed',
        run,
        assignment,
        ...(outcome.output !== null && { output: outcome.output }),
      }
    case 'failed':
      if (isTerminal(view.state)) return null
      return failedDraft(view, assignment, outcome.error, outcome.permanent)
    case 'released':
      if (isTerminal(view.state)) return null
      return {
        kind: 'released',
        run,
        assignment,
        reason: 'manual',
        ...(outcome.note !== null && { note: outcome.note }),
      }
    case 'stopped':
      return null
  }
}

function afterStop(state: EngineState, view: RunView, { assignment, stopping, lease }: Work): Draft | null {
  const { run } = view
  switch (stopping) {
    case 'paused':
    case 'preempted':
      return { kind: 'released', run, assignment, reason: stopping }
    case 'shutdown':
      return { kind: 'released', run, assignment, reason: 'drain' }
    case 'released':
      return { kind: 'released', run, assignment, reason: 'manual' }
    case 'timeout':
      return timeoutDraft(state, view, assignment)
    case 'lapsed':
      if (lease === null) return null
      return failedDraft(
        view,
        assignment,
        { code: 'LEASE_EXPIRED', message: 'Whoever pulled it gave no sign of life.' },
        false,
      )
    default:
      // It has ended, or is another's: nothing to say.
      return null
  }
}

function timeoutDraft(state: EngineState, view: RunView, assignment: RecordId): Draft<'failed'> {
  const { deadline, timeoutMs = RUN_TIMEOUT_MS } = view.created
  if (deadline !== undefined && state.now.wallMs >= deadline) {
    return failedDraft(view, assignment, { code: 'DEADLINE', message: 'Its deadline passed.' }, true)
  }
  const error = { code: 'TIMEOUT', message: `It took longer than ${timeoutMs} ms.` }
  return failedDraft(view, assignment, error, false)
}
