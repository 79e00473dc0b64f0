/// <reference types="node" />
/** The machine's own clock. */
import type { CancelTimer, Clock } from './seams.js'

// setTimeout takes 32 bits of milliseconds and fires at once beyond them.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer,
}

// Timers may fire a little early, or long before (see above): what is left is then waited for again.
function setTimer(delayMs: number, callback: () => void): CancelTimer {
  const dueMs = performance.now() + delayMs
  let cancel: CancelTimer
  const arm = (): void => {
    const leftMs = Math.max(0, Math.ceil(dueMs - performance.now()))
    const timer: unknown = setTimeout(fire, Math.min(leftMs, LONGEST_TIMER_MS))
    letProcessEnd(timer)
    cancel = () => clearTimeout(timer as number)
  }
  const fire = (): void => {
    if (performance.now() < dueMs) arm()
    else callback()
  }
  arm()
  return () => cancel()
}

// Node's timers are objects and keep the process alive unless told otherwise; browsers' are numbers.
function letProcessEnd(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref()
  }
}
