/** What is written down when work on a run has ended here. */
import { type Draft, isTerminal, type RecordId, RUN_TIMEOUT_MS, type RunView } from '../../protocol/index.js'
import type { Outcome } from './events.js'
import { failedDraft, givenBackDraft } from './records.js'
import type { EngineState, Tracked, Work } from './state.js'

/** How it ended, as a record; null if there is nothing to say. */
export function conclusionOf(state: EngineState, tracked: Tracked, outcome: Outcome): Draft | null {
  const { run, view } = tracked
  const { assignment, stopping } = tracked.work as Work
  if (!state.mayWrite || view.state === 'completed') return null
  // After its signal a handler may return with the work half done, or throw because of it: neither is an outcome.
  if (stopping !== null) return isTerminal(view.state) ? null : afterStop(state, tracked)
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
      return isTerminal(view.state) ? null : givenBackDraft(run, assignment, outcome.note)
    case 'stopped':
      return null
  }
}

function afterStop(state: EngineState, { run, view, work, givingBack }: Tracked): Draft | null {
  const { assignment, stopping, lease } = work as Work
  switch (stopping) {
    case 'paused':
    case 'preempted':
      return { kind: 'released', run, assignment, reason: stopping }
    case 'shutdown':
      return { kind: 'released', run, assignment, reason: 'drain' }
    case 'released':
      return givenBackDraft(run, assignment, givingBack?.note ?? null)
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
