import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../sim/index.js'
import { GuardError, guardWorld } from '../../src/platform/guard.js'

/** Every way to the real world that the guard stands before, by the name that it gives it. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  'Date.now': () => Date.now(),
  'new Date()': () => new Date(),
  Date: () => Date(),
  setTimeout: () => setTimeout(() => undefined, 0),
  setInterval: () => setInterval(() => undefined, 1000),
  setImmediate: () => setImmediate(() => undefined),
  'performance.now': () => performance.now(),
  'Math.random': () => Math.random(),
  'crypto.getRandomValues': () => crypto.getRandomValues(new Uint8Array(1)),
  'crypto.randomUUID': () => crypto.randomUUID(),
}

/** Does something while a guard is up, and says what came of it and what was reported. The runner needs the real world. */
function guarded<T>(body: () => T): {
  readonly result: T | unknown
  readonly reported: readonly GuardError[]
} {
  const reported: GuardError[] = []
  const takeDown = guardWorld((error) => reported.push(error))
  try {
    return { result: body(), reported }
  } catch (error) {
    return { result: error, reported }
  } finally {
    takeDown()
  }
}

function isRefused(way: () => unknown): boolean {
  try {
    way()
    return false
  } catch (error) {
    return error instanceof GuardError
  }
}

describe('a guard that is up', () => {
  it.each(Object.entries(WAYS))('refuses %s, and names it', (name, way) => {
    const { result, reported } = guarded(way)
    expect(result).toBeInstanceOf(GuardError)
    expect(result).toMatchObject({
      code: 'REAL_WORLD',
      message: expect.stringContaining(`${name} was called`),
    })
    expect(reported).toEqual([result])
  })

  it('reports what was refused though the caller catches it', () => {
    const { result, reported } = guarded(() => [isRefused(() => Date.now()), isRefused(() => Math.random())])
    expect(result).toEqual([true, true])
    expect(reported.map(({ message }) => message.split(' ')[0])).toEqual(['Date.now', 'Math.random'])
  })

  it('lets dates be made of times that are given', () => {
    const { result, reported } = guarded(() => {
      const date = new Date(5)
      return [
        date.getTime(),
        date instanceof Date,
        new Date('2026-01-01T00:00:00Z').getTime(),
        Date.UTC(2026, 0, 1),
      ]
    })
    expect(result).toEqual([5, true, 1_767_225_600_000, 1_767_225_600_000])
    expect(reported).toEqual([])
  })

  it('leaves everything as it was once it is taken down', () => {
    const places = [globalThis, Math, performance, crypto]
    const names = [
      'Date',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'random',
      'now',
      'getRandomValues',
      'randomUUID',
    ]
    const look = (): unknown =>
      places.map((place) => names.map((name) => Object.getOwnPropertyDescriptor(place, name)))
    const before = look()
    guarded(() => undefined)
    expect(look()).toEqual(before)
    for (const timer of [setTimeout(() => undefined, 0), setInterval(() => undefined, 1000)])
      clearTimeout(timer)
    expect([Date.now(), Math.random(), performance.now()].map((value) => typeof value)).toEqual(
      Array(3).fill('number'),
    )
  })

  it('stays up until the last of those who put it up takes it down, each once', () => {
    const open = [guardWorld(() => undefined), guardWorld(() => undefined)]
    const seen: boolean[] = []
    const look = (): void => void seen.push(isRefused(() => Date.now()))
    look()
    for (const takeDown of [open[1], open[1], open[0]]) {
      takeDown?.()
      look()
    }
    expect(seen).toEqual([true, true, true, false])
  })
})

describe('a handler in a simulation that asks the real world', () => {
  it('fails its attempt, and is a fault of the simulation', async () => {
    const simulation = await createSimulation({ devices: 1 })
    simulation.handle('peek', async () => Date.now())
    const run = await simulation.submit(0, 'peek', null, { retry: { max: 0 } })
    await simulation.until(() => run.state === 'failed', '5m')
    expect(run.view.error?.message).toContain('Date.now was called during a simulation')
    expect(simulation.violations).toMatchObject([
      { invariant: 'no-fault', message: expect.stringContaining('Date.now was called') },
    ])
  })

  it('is a fault of the simulation though the handler catches it', async () => {
    const simulation = await createSimulation({ devices: 1 })
    simulation.handle('peek', async () => {
      try {
        return Math.random()
      } catch {
        return 'nothing to see'
      }
    })
    const run = await simulation.submit(0, 'peek')
    await simulation.until(() => run.state === 'completed', '5m')
    expect(simulation.violations).toMatchObject([{ invariant: 'no-fault' }])
  })
})
