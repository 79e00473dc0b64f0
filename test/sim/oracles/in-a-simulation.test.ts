/** Something is broken in a simulation that runs: its oracles find it, and nothing else. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Simulation } from '../../../sim/index.js'
import { broken, inside, type Shop, shop, write } from './kit.js'

let simulation: Simulation
let run: Shop['run']
let assignment: Shop['assignment']
let execution: Shop['execution']

beforeEach(async () => {
  const made = await shop()
  simulation = made.simulation
  run = made.run
  assignment = made.assignment
  execution = made.execution
})

/** A handler is called on a device, whatever its engine thinks. */
function begin(place: number, id: string = run.id, fence = 2 ** 52): void {
  const { signal } = new AbortController()
  simulation.execution(simulation.device(place), id, { attempt: 1, fence, signal })
}

/** A device takes the run from the first, which it hears. */
function take(place: number) {
  const { id } = simulation.device(place)
  return write(simulation, place, {
    kind: 'assigned',
    run: run.id,
    target: id,
    reason: 'timeout',
    parent: assignment,
  })
}

describe('who works on what', () => {
  it('a handler that is called twice by one process', () => {
    begin(0)
    expect(broken(simulation)).toEqual(['bounded-starts'])
    expect(simulation.violations.map(({ message }) => message)).toEqual([
      'a handler was called twice for one assignment',
      'it was begun 2 times; there are causes for 1',
    ])
  })

  it('a handler that is called for what nobody was given', () => {
    begin(0, 'no such run')
    expect(simulation.violations[0]?.message).toContain('no assignment')
  })

  it('a handler that is called before its start is written down', () => {
    begin(1)
    expect(broken(simulation)).toContain('recorded-first')
  })

  it('two that work on a run, and could know it', async () => {
    begin(1)
    await simulation.advance('10s')
    expect(broken(simulation)).not.toContain('one-owner')
    await simulation.advance('30s')
    expect(broken(simulation)).toContain('one-owner')
  })

  it('not two that cannot know of each other', async () => {
    simulation.partition([[0], [1, 2]])
    begin(1)
    await simulation.advance('1m')
    expect(broken(simulation)).not.toContain('one-owner')
  })

  it('more work than there are slots', () => {
    for (let i = 0; i < 4; i++) begin(0, `run ${i}`)
    expect(broken(simulation)).toContain('slots')
  })

  it('a handler that is shown no fence', () => {
    begin(0, run.id, 0)
    expect(simulation.violations.map(({ message }) => message)).toContain('it was begun without a fence')
  })
})

describe('who takes a run from whom', () => {
  it('one that takes it from a device that it hears', async () => {
    await take(1)
    expect(broken(simulation)).toEqual(['justified-timeout'])
    expect(simulation.violations[0]).toMatchObject({ place: 1, run: 'run-1' })
  })

  it('two that take it, though they hear each other', async () => {
    await take(1)
    await take(2)
    expect(broken(simulation)).toContain('one-reassigner')
  })

  it('not two that take it while they are parted', async () => {
    simulation.partition([[0], [1], [2]])
    await simulation.advance('3m')
    await take(1)
    await take(2)
    expect(broken(simulation)).toEqual([])
  })

  it('one that slept, and says that it held the run', async () => {
    simulation.sleep(0)
    await simulation.advance('3m')
    const child = inside(simulation, 1).book.view(run.id)?.assignment?.id ?? ''
    expect(child).not.toBe(assignment)
    await write(simulation, 0, { kind: 'held', run: run.id, assignment, voids: [child], gapMs: 0 })
    expect(broken(simulation)).toEqual(['sleeper-lets-go'])
  })

  it('one that never fell silent, and is stopped for a timeout', async () => {
    // It has no time to say that it held the run.
    simulation.disk(0, { slowMs: 30_000 })
    await take(1)
    await simulation.until(() => run.view.assignment?.id !== assignment, '10s')
    execution.stopped = { atMs: simulation.nowMs, reason: 'superseded' }
    simulation.witness.stopped(execution, simulation.device(0))
    expect(broken(simulation)).toContain('first-keeps-it')
  })
})

describe('how runs end', () => {
  it('a final failure with attempts left', async () => {
    const error = { code: 'HANDLER', message: 'no luck' }
    await write(simulation, 0, { kind: 'failed', run: run.id, assignment, error, final: true })
    expect(broken(simulation)).toEqual(['deserved-failure'])
  })

  it('a cancellation that nobody asked for', async () => {
    await write(simulation, 1, { kind: 'cancelled', run: run.id })
    expect(broken(simulation)).toEqual(['deserved-cancel'])
  })

  it('not one that somebody asked for', async () => {
    simulation.witness.cancelled(run.id)
    await write(simulation, 1, { kind: 'cancelled', run: run.id })
    expect(broken(simulation)).toEqual([])
  })

  it('a run that somebody can do, and that has not ended when all should have', () => {
    simulation.witness.checkEnd()
    expect(broken(simulation)).toContain('liveness')
  })

  it('slots that stay in use at the end', () => {
    simulation.witness.checkEnd()
    expect(simulation.violations).toContainEqual(expect.objectContaining({ invariant: 'slots', place: 0 }))
  })
})

describe('what is safe', () => {
  it('a batch that is published before it stands on the disk of its author', async () => {
    await write(simulation, 1, { kind: 'expedited', run: run.id, priority: 7 })
    const own = simulation.witness.wire.findLast(
      ({ topic, from }) => topic === 'batches' && from === simulation.device(1).id,
    )
    if (own === undefined) throw new Error('Nothing was published.')
    simulation.device(1).transport.publish('batches', own.bytes)
    expect(broken(simulation)).toEqual([])
    simulation.device(2).transport.publish('batches', own.bytes)
    expect(simulation.violations).toMatchObject([{ invariant: 'recorded-first', place: 2 }])
  })

  it('a run that was acknowledged, and that a device does not know', () => {
    Object.assign(inside(simulation, 2).book, { view: () => null })
    simulation.witness.checkEnd()
    expect(simulation.violations).toContainEqual(
      expect.objectContaining({ invariant: 'nothing-lost', place: 2 }),
    )
  })

  it('a device that has lost what it wrote itself', () => {
    Object.assign(inside(simulation, 0).book, { records: () => [] })
    simulation.witness.checkEnd()
    expect(simulation.violations).toContainEqual(
      expect.objectContaining({ invariant: 'own-log-kept', place: 0 }),
    )
  })
})

describe('what devices see', () => {
  it('a view that its records do not amount to', () => {
    const { book } = inside(simulation, 2)
    const view = { ...run.view, priority: 9 }
    Object.defineProperty(book, 'views', { value: [view] })
    expect(simulation.check()).toMatchObject([{ invariant: 'equal-views', place: 2, run: 'run-1' }])
  })

  it('a run that one sees, and another does not', () => {
    Object.defineProperty(inside(simulation, 2).book, 'views', { value: [] })
    simulation.witness.checkEnd()
    expect(simulation.violations).toContainEqual(
      expect.objectContaining({ invariant: 'converged', place: 2 }),
    )
  })
})

describe('what keeps a device going', () => {
  it('an engine whose timer is not armed', () => {
    inside(simulation, 1).engine.pulse.timerMs = Number.POSITIVE_INFINITY
    expect(simulation.check()).toMatchObject([{ invariant: 'looked-at-again', place: 1 }])
  })

  it('an engine whose slots do not add up, found while it runs', async () => {
    inside(simulation, 1).engine.used++
    await simulation.advance('10m')
    expect(simulation.violations).toContainEqual(
      expect.objectContaining({ invariant: 'looked-at-again', place: 1 }),
    )
  })
})

describe('what grows', () => {
  it('records without end', async () => {
    const drafts = Array.from({ length: 120 }, (_, i) => ({
      kind: 'expedited' as const,
      run: run.id,
      priority: i % 10,
    }))
    await write(simulation, 1, ...drafts)
    expect(broken(simulation)).toEqual(['cost'])
  })

  it('a record in a time of rest', async () => {
    simulation.world.after(1000, () => {
      const { journals } = inside(simulation, 1)
      void journals.commit((one) => void one({ kind: 'expedited', run: run.id, priority: 7 }))
    })
    await simulation.rest('1m')
    expect(simulation.violations).toMatchObject([{ invariant: 'idle-is-free', place: 1 }])
  })
})
