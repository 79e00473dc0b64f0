/// <reference types="node" />
/** One turn of the event loop: whatever is ready, timers and I/O included, gets its chance. */

/** What is used of a `MessagePort`: Node's types lack `onmessage`. */
interface Port {
  onmessage: (() => void) | null
  postMessage(message: unknown): void
  close(): void
}

let asked = 0

/** Resolves after one turn of the event loop. Await it in long work, so that the rest of the process goes on. */
export function turn(): Promise<void> {
  asked++
  return new Promise((resolve) => afterTurn(resolve))
}

/** How many calls of `turn` there were: whoever moves virtual time sees that someone still works. */
export function turnsAsked(): number {
  return asked
}

/**
 * Calls back after one turn. Not counted.
 *
 * Browsers have no setImmediate, and their timers wait 4 ms once nested: a message to oneself is a turn and no more. The
 * channel is closed again, or it would keep the process alive.
 */
export const afterTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => {
        const { port1, port2 } = new MessageChannel() as unknown as { port1: Port; port2: Port }
        port1.onmessage = () => {
          port1.close()
          callback()
        }
        port2.postMessage(null)
      }
