/** Why an open run is not being worked on, at a given time. The fold has no clock: whoever asks brings the time. */
import { isTerminal } from '../states.js'
import type { RunView } from './view.js'

export type WaitingReason = 'paused' | 'approval' | 'not_before' | 'backoff' | 'no_device'

export interface Waiting {
  readonly reason: WaitingReason
  /** When it will be over by itself; null if somebody has to act. */
  readonly until: number | null
  /** For people. */
  readonly sentence: string
}

/** What a run without an owner waits for at `nowMs`; null if it waits for nothing but its target or owner, or has ended. */
export function waitingFor(view: RunView, nowMs: number): Waiting | null {
  if (isTerminal(view.state)) return null
  if (view.paused !== null) {
    const why = view.paused.reason === null ? '' : `: ${view.paused.reason}`
    return { reason: 'paused', until: null, sentence: `It is paused${why}. Resume it to let it go on.` }
  }
  if (view.state !== 'created' && view.state !== 'reassigning') return null
  const { approval: policy, notBefore } = view.created
  if (policy !== undefined && !isApproved(view, nowMs)) {
    const sentence =
      view.approval === null ? 'It needs an approval.' : 'Its approval has expired. It needs a new one.'
    return { reason: 'approval', until: null, sentence }
  }
  if (notBefore !== undefined && nowMs < notBefore) {
    return { reason: 'not_before', until: notBefore, sentence: 'It may not begin yet.' }
  }
  if (view.retryAt !== null && nowMs < view.retryAt) {
    return { reason: 'backoff', until: view.retryAt, sentence: 'It waits before the next attempt.' }
  }
  return { reason: 'no_device', until: null, sentence: 'No device has been found for it yet.' }
}

/** Whether an assignment made at `nowMs` would be covered by an approval, where the run needs one. */
export function isApproved({ created, approval }: RunView, nowMs: number): boolean {
  if (created.approval === undefined) return true
  return approval !== null && (approval.expiresAt === null || nowMs < approval.expiresAt)
}
