/// <reference types="node" />
/** Keeps a process alive that has nothing else to wait for. In a browser it does nothing that anyone would notice. */

// The longest that a timer takes: it only has to be there.
const INTERVAL_MS = 2 ** 31 - 1

/** Returns what lets go again. */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, INTERVAL_MS)
  return () => clearInterval(timer)
}
