/**
 * Runs code of the app: a listener, a transport. What it throws is the app's affair, and comes up as an uncaught error:
 * it must not leave a log half moved, nor make a commit look failed that is durable.
 */
export function runAppCode(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
