/**
 * `Promise.withResolvers` for engines that lack it: libp2p 3 calls it, and Node 20 and some mobile engines have none.
 * Import this file for its side effect, before libp2p.
 */
export function installWithResolvers(target: object): void {
  if ('withResolvers' in target) return
  Object.defineProperty(target, 'withResolvers', { value: withResolvers, writable: true, configurable: true })
}

function withResolvers(this: PromiseConstructor): unknown {
  let resolve: unknown
  let reject: unknown
  const promise = new this((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  return { promise, resolve, reject }
}

installWithResolvers(Promise)
