/** What no simulation gets to by breaking something small is shown to an oracle by hand. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { AnyRecord, RecordOf, RunRecord, RunView } from '../../../protocol/index.js'
import { START_MS } from '../../../sim/constants.js'
import type { SimDevice } from '../../../sim/devices/device.js'
import type { Simulation } from '../../../sim/index.js'
import { attempts } from '../../../sim/oracles/attempts.js'
import { authors } from '../../../sim/oracles/authors.js'
import { dibs } from '../../../sim/oracles/dibs.js'
import { endings } from '../../../sim/oracles/endings.js'
import { fences } from '../../../sim/oracles/fences.js'
import { membership } from '../../../sim/oracles/membership.js'
import { signsOfLife } from '../../../sim/oracles/signs-of-life.js'
import { views } from '../../../sim/oracles/views.js'
import type { Noted } from '../../../sim/record-book.js'
import type { Change } from '../../../src/node/run-book.js'
import { inside, type Shop, shop, shown } from './kit.js'

let simulation: Simulation
let run: Shop['run']
let execution: Shop['execution']
let ana: SimDevice
let ben: SimDevice

beforeEach(async () => {
  const made = await shop()
  simulation = made.simulation
  run = made.run
  execution = made.execution
  ana = simulation.device(0)
  ben = simulation.device(1)
})

/** The first record of a kind about the run. */
function recordOf<K extends 'created' | 'assigned' | 'claimed'>(kind: K): RecordOf<K> {
  const found = simulation.witness.records.byRun.get(run.id)?.find(isOf(kind))
  if (found === undefined) throw new Error(`There is no ${kind}.`)
  return found
}

function isOf<K extends 'created' | 'assigned' | 'claimed'>(kind: K) {
  return (record: RunRecord): record is RecordOf<K> & RunRecord => record.kind === kind
}

function noted(record: AnyRecord): Noted {
  const log = { journal: '2026-01-01', device: record.author, incarnation: record.incarnation }
  return { record, log, sequence: 0, atMs: simulation.nowMs }
}

/** A run’s view changed from one to the other, as by some record. */
function change(before: Partial<RunView>, after: Partial<RunView>): Change {
  return {
    before: { ...run.view, ...before },
    after: { ...run.view, ...after },
    records: [recordOf('created')],
    device: ana.id,
    restored: false,
  }
}

describe('ends', () => {
  it('that are taken back', () => {
    const { oracle, told } = shown(simulation, endings)
    oracle.onChange(ana, change({ state: 'failed' }, { state: 'completed' }))
    oracle.onChange(ana, change({ state: 'completed' }, { state: 'completed', round: 1 }))
    oracle.onChange(ana, change({ state: 'failed' }, { state: 'created', round: 1 }))
    expect(told).toEqual([])
    oracle.onChange(ana, change({ state: 'completed' }, { state: 'failed' }))
    oracle.onChange(ana, change({ state: 'cancelled' }, { state: 'processing' }))
    expect(told).toEqual([
      'terminal-stays: it was completed and is now failed',
      'terminal-stays: it was cancelled and is now processing',
    ])
  })
})

describe('fences', () => {
  it('that fall', () => {
    const { oracle, told } = shown(simulation, fences)
    oracle.onChange(ana, change({ highestFence: 7 }, { highestFence: 8 }))
    expect(told).toEqual([])
    oracle.onChange(ana, change({ highestFence: 8 }, { highestFence: 7 }))
    expect(told).toEqual(['fences-grow: the highest fence fell from 8 to 7'])
  })

  it('that are not above what another was granted', () => {
    const { oracle, told } = shown(simulation, fences)
    oracle.onStart(execution, ana)
    expect(told).toEqual([])
    oracle.onStart({ ...execution, assignment: 'another' }, ana)
    expect(told[0]).toMatch(/^fences-grow: its fence \d+ is not above \d+/)
  })
})

describe('results', () => {
  it('that are missing, or by a device that was not given the run', () => {
    const { oracle, told } = shown(simulation, views)
    const result = {
      output: null,
      device: ben.id,
      assignment: recordOf('assigned').id,
      record: recordOf('claimed').id,
      at: START_MS,
    }
    oracle.onChange(ana, change({}, { state: 'completed', result: null }))
    oracle.onChange(ana, change({}, { state: 'completed', result }))
    expect(told).toEqual([
      'one-result: it is completed and has no result',
      'one-result: its result is not by the device that was given it',
    ])
  })
})

describe('members', () => {
  it('records of strangers, and of devices that nobody let in', () => {
    const { oracle, told } = shown(simulation, membership)
    oracle.onRecord(noted(recordOf('created')), ben)
    expect(told).toEqual([])
    oracle.onRecord(noted({ ...recordOf('created'), author: 'a stranger' }), ben)
    ana.isAdmitted = false
    oracle.onRecord(noted(recordOf('created')), ben)
    expect(told).toEqual([
      'only-members: it holds a created by a stranger',
      'only-members: it holds a created by desktop-0, which is not in',
    ])
  })

  it('views that rest on a stranger', () => {
    const { oracle, told } = shown(simulation, membership)
    oracle.onEnd()
    expect(told).toEqual([])
    Object.defineProperty(inside(simulation, 1).book, 'views', {
      value: [{ ...run.view, owner: 'a stranger' }],
    })
    oracle.onEnd()
    expect(told).toEqual(['only-members: its owner is by a stranger, which is out'])
  })
})

describe('words', () => {
  it('that their author never wrote', () => {
    const { oracle, told } = shown(simulation, authors)
    oracle.onRecord(noted(recordOf('created')), ben)
    expect(told).toEqual([])
    oracle.onRecord(noted({ ...recordOf('created'), id: 'made up' }), ben)
    expect(told).toEqual(['recorded-first: it holds a created by desktop-0, which never wrote it'])
  })
})

describe('attempts', () => {
  it('beyond those that are allowed', () => {
    const { oracle, told } = shown(simulation, attempts)
    oracle.onStart({ ...execution, attempt: 4 }, ana)
    expect(told).toEqual([])
    oracle.onStart({ ...execution, attempt: 5 }, ana)
    expect(told).toEqual(['bounded-starts: attempt 5 was begun, and 4 are allowed'])
  })

  it('that were stopped from outside, and count as failed', () => {
    const { oracle, told } = shown(simulation, attempts)
    const { id, ...claimed } = recordOf('claimed')
    const failed = {
      ...claimed,
      id: `${id}x`,
      kind: 'failed',
      error: { code: 'HANDLER', message: 'stopped' },
    } as unknown as AnyRecord
    oracle.onRecord(noted(failed), ana)
    expect(told).toEqual([])
    execution.stopped = { atMs: simulation.nowMs, reason: 'paused' }
    oracle.onRecord(noted(failed), ana)
    expect(told).toEqual([
      'deserved-failure: it was told to stop (paused), and that was written down as a failure',
    ])
  })
})

describe('assignments side by side', () => {
  it('of which a later one counts', () => {
    const { oracle, told } = shown(simulation, dibs)
    const own = recordOf('assigned')
    const { book } = inside(simulation, 0)
    const records = book.records(run.id)
    const earlier = { ...own, id: 'earlier', stamp: own.stamp - 1024 * 500 }
    const later = { ...own, id: 'later', stamp: own.stamp + 1024 * 500 }
    const [before, after] = [run.view.assignment, { previousAssignments: [run.view.assignment] } as object]
    expect(before).not.toBe(null)
    Object.assign(book, { records: () => [...records, later] })
    oracle.onChange(ana, change({ assignment: null }, after))
    expect(told).toEqual([])
    Object.assign(book, { records: () => [...records, earlier] })
    oracle.onChange(ana, change({ assignment: null }, after))
    expect(told).toEqual([
      'first-has-dibs: its assignment was made 500 ms after another, which counts as well',
    ])
  })
})

describe('signs of life', () => {
  /** Lets time pass, and the oracle look every second. It hears beacons only of those who are named. */
  async function listen(heard: readonly number[]): Promise<readonly string[]> {
    const { oracle, told } = shown(simulation, signsOfLife)
    for (let second = 0; second < 120; second++) {
      await simulation.advance('1s')
      if (second % 30 === 0)
        for (const place of heard) oracle.onPublish(simulation.device(place), 'beacons', new Uint8Array())
      oracle.onStep()
    }
    return told
  }

  it('of all who are well', async () => {
    expect(await listen([0, 1, 2])).toEqual([])
  })

  it('that stay away, told once of each', async () => {
    const told = await listen([0, 2])
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/^heard-from: it is well, and has sent no beacon for \d+ ms$/)
  })

  it('that nobody expects of one that sleeps', async () => {
    simulation.sleep(1)
    expect(await listen([0, 2])).toEqual([])
  })
})
