/// <reference types="node" />
/**
 * Shuts the real world out: while a guard is up, whoever asks this process for time, a timer or chance is refused. For
 * simulations, in which all of it has to come from a seed.
 */

export class GuardError extends Error {
  readonly code = 'REAL_WORLD'

  constructor(what: string) {
    super(
      `${what} was called during a simulation: it would come out differently next time. Take time, timers and chance ` +
        'from what the node was given (`clock`, `random`).',
    )
    this.name = 'GuardError'
  }
}

type Place = Record<string, unknown>

let depth = 0
let takeDown: () => void = () => undefined

/** Puts the guard up. Returns what takes it down again. Guards nest. `onCall` hears of every call, however it is caught. */
export function guardWorld(onCall: (error: GuardError) => void): () => void {
  if (depth++ === 0) takeDown = putUp(onCall)
  let isUp = true
  return () => {
    if (!isUp) return
    isUp = false
    if (--depth === 0) takeDown()
  }
}

function putUp(onCall: (error: GuardError) => void): () => void {
  const undo: (() => void)[] = []
  const refuse = (what: string): never => {
    const error = new GuardError(what)
    onCall(error)
    throw error
  }
  const replace = (place: Place, name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(place, name)
    Object.defineProperty(place, name, { value, configurable: true, writable: true })
    undo.push(() => {
      if (before === undefined) delete place[name]
      else Object.defineProperty(place, name, before)
    })
  }
  const world = globalThis as unknown as Place
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) replace(world, name, () => refuse(name))
  replace(world, 'Date', guardedDate(refuse))
  replace(Math as unknown as Place, 'random', () => refuse('Math.random'))
  replace(performance as unknown as Place, 'now', () => refuse('performance.now'))
  replace(crypto as unknown as Place, 'getRandomValues', () => refuse('crypto.getRandomValues'))
  replace(crypto as unknown as Place, 'randomUUID', () => refuse('crypto.randomUUID'))
  return () => {
    for (const back of undo.reverse()) back()
  }
}

/** A date that was told its time is fine. */
function guardedDate(refuse: (what: string) => never): DateConstructor {
  return new Proxy(Date, {
    apply: () => refuse('Date'),
    construct: (date, given: readonly unknown[]) =>
      given.length === 0 ? refuse('new Date()') : (Reflect.construct(date, given) as object),
    get: (date, name, receiver) =>
      name === 'now' ? () => refuse('Date.now') : Reflect.get(date, name, receiver),
  })
}
