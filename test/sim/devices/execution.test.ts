import { beforeEach, expect, it } from 'vitest'
import { type Execution, Executions, isLive } from '../../../sim/devices/execution.js'

let executions: Executions

beforeEach(() => {
  executions = new Executions()
})

function begin(run: string, place: number): Execution {
  const execution: Execution = {
    run,
    assignment: `${run}/a`,
    place,
    incarnation: 4096,
    attempt: 1,
    fence: 1,
    isLease: false,
    startedMs: 0,
    stopped: null,
    ended: null,
  }
  executions.add(execution)
  return execution
}

it('are found by run and by device', () => {
  const [a, b, c] = [begin('one', 0), begin('one', 1), begin('two', 1)]
  expect(executions.of('one')).toEqual([a, b])
  expect([...executions.openOn(1)]).toEqual([b, c])
  expect([executions.of('three'), [...executions.openOn(7)]]).toEqual([[], []])
})

it('are live until they were told to stop, or ended', () => {
  const [told, ended, live] = [begin('one', 0), begin('one', 1), begin('one', 2)]
  told.stopped = { atMs: 5, reason: 'paused' }
  executions.end(ended, 5, 'returned')
  expect([told, ended, live].map(isLive)).toEqual([false, false, true])
  expect([...executions.openOn(0)]).toEqual([told])
  expect([...executions.openOn(1)]).toEqual([])
})

it('end with the process that they belong to', () => {
  const [mine, other] = [begin('one', 0), begin('one', 1)]
  executions.died(0, 70)
  expect(mine.ended).toEqual({ atMs: 70, how: 'crashed' })
  expect(other.ended).toBe(null)
  expect([...executions.openOn(0)]).toEqual([])
})
