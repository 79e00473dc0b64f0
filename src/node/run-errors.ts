/** Why a run did not do what was asked of it. */
import type { RunId, RunView } from '../../protocol/index.js'
import { OwnershipError, RunError } from './errors.js'

export function notFound(run: RunId): RunError {
  return new RunError(
    'RUN_NOT_FOUND',
    `No run ${run} is known on this device. It may not have arrived yet, or was dropped after its retention.`,
    { run },
  )
}

export function terminal(run: RunId, state: RunView['state'], what: string): RunError {
  const next = state === 'completed' ? '' : ' `retry` opens a new round.'
  return new RunError(
    'RUN_TERMINAL',
    `The run ${run} is ${state}: nothing was written for “${what}”.${next}`,
    { run, state },
  )
}

export function notOwner(run: RunId): OwnershipError {
  return new OwnershipError(
    'NOT_OWNER',
    `This device does not own the run ${run}. Nothing was written; reassign it instead, or ask its owner.`,
    { run },
  )
}

/** What `result()` rejects with. */
export function endError(view: RunView): RunError {
  const { run, error, cancelled, attemptsSpent, attemptsAllowed } = view
  if (cancelled !== null) {
    const why = cancelled.reason === null ? '' : `: ${cancelled.reason}`
    return new RunError('RUN_CANCELLED', `The run ${run} was cancelled${why}`, { run, ...cancelled })
  }
  const details = { run, error, attempts: attemptsSpent }
  const said = `${error?.code}: ${error?.message}`
  if (error?.code === 'DEADLINE')
    return new RunError('DEADLINE', `The run ${run} was not done by its deadline.`, details)
  if (error?.code === 'RETRIES_EXHAUSTED' || (attemptsAllowed > 1 && attemptsSpent >= attemptsAllowed)) {
    return new RunError(
      'RETRIES_EXHAUSTED',
      `The run ${run} failed in all of its ${attemptsAllowed} attempts. The last said ${said}`,
      details,
    )
  }
  if (error?.code === 'INVALID_OUTPUT' || error?.code === 'INVALID_INPUT')
    return new RunError(error.code, `The run ${run} failed: ${error.message}`, details)
  return new RunError('RUN_FAILED', `The run ${run} failed. ${said}`, details)
}
