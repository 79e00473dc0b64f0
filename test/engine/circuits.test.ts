import { expect, it } from 'vitest'
import { Circuits } from '../../src/engine/circuits.js'
import { CIRCUIT_FAILURES, CIRCUIT_OPEN_MS, MAX_CIRCUITS } from '../../src/engine/constants.js'
import { ben, cid } from '../protocol/story.js'

function failed(times: number): Circuits {
  const circuits = new Circuits()
  for (let i = 0; i < times; i++) circuits.failed(ben, 'job', 1000)
  return circuits
}

it('opens after so many failures in a row, for this device and type alone', () => {
  expect(failed(CIRCUIT_FAILURES - 1).isOpen(ben, 'job', 1000)).toBe(false)
  const circuits = failed(CIRCUIT_FAILURES)
  expect(circuits.isOpen(ben, 'job', 1000)).toBe(true)
  expect([circuits.isOpen(ben, 'other', 1000), circuits.isOpen(cid, 'job', 1000)]).toEqual([false, false])
})

it('closes after its time, and one more failure opens it again', () => {
  const circuits = failed(CIRCUIT_FAILURES)
  const laterMs = 1000 + CIRCUIT_OPEN_MS
  expect(circuits.isOpen(ben, 'job', laterMs)).toBe(false)
  circuits.failed(ben, 'job', laterMs)
  expect(circuits.isOpen(ben, 'job', laterMs)).toBe(true)
})

it('forgives all with one that succeeds', () => {
  const circuits = failed(CIRCUIT_FAILURES)
  circuits.completed(ben, 'job')
  circuits.failed(ben, 'job', 1000)
  expect(circuits.isOpen(ben, 'job', 1000)).toBe(false)
})

it('remembers so many; the oldest go', () => {
  const circuits = failed(CIRCUIT_FAILURES)
  for (let i = 0; i < MAX_CIRCUITS; i++) circuits.failed(cid, `job-${i}`, 1000)
  expect(circuits.isOpen(ben, 'job', 1000)).toBe(false)
})
