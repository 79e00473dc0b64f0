import { expect, it } from 'vitest'
import { Timers } from '../../src/engine/timers.js'

it('those that are due come out in order, and no others', () => {
  const timers = new Timers()
  const [a, b, c] = [timers.node('a'), timers.node('b'), timers.node('c')]
  timers.set(a, 30)
  timers.set(b, 10)
  timers.set(c, 20)
  expect(timers.nextMs).toBe(10)
  expect([timers.takeDue(20)?.run, timers.takeDue(20)?.run, timers.takeDue(20)]).toEqual(['b', 'c', null])
  expect([timers.size, timers.nextMs]).toEqual([1, 30])
})

it('one that is set again fires at the new time only, and one that is set to never does not', () => {
  const timers = new Timers()
  const [a, b] = [timers.node('a'), timers.node('b')]
  timers.set(a, 10)
  timers.set(b, 15)
  timers.set(a, 20)
  timers.set(b, Number.POSITIVE_INFINITY)
  expect(timers.takeDue(19)).toBeNull()
  expect(timers.takeDue(20)?.run).toBe('a')
  expect(timers.nextMs).toBe(Number.POSITIVE_INFINITY)
})

it('one that has fired can be set again to the very same time', () => {
  const timers = new Timers()
  const a = timers.node('a')
  timers.set(a, 10)
  timers.takeDue(10)
  timers.set(a, 10)
  expect(timers.takeDue(10)?.run).toBe('a')
})
