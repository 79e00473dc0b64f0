import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/platform/clock.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the system clock', () => {
  it('calls back once, and not before its time', () => {
    const called = vi.fn()
    systemClock.setTimer(1000, called)
    vi.advanceTimersByTime(999)
    expect(called).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(5000)
    expect(called).toHaveBeenCalledOnce()
  })

  it('waits a year when asked to, though setTimeout cannot', () => {
    const called = vi.fn()
    const yearMs = 366 * 24 * 60 * 60 * 1000
    systemClock.setTimer(yearMs, called)
    vi.advanceTimersByTime(yearMs - 1)
    expect(called).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(called).toHaveBeenCalledOnce()
  })

  it('does not call back once cancelled, even after it had to wait again; cancelling twice is fine', () => {
    const called = vi.fn()
    const cancel = systemClock.setTimer(2 ** 31 + 1000, called)
    vi.advanceTimersByTime(2 ** 31)
    cancel()
    cancel()
    vi.advanceTimersByTime(10_000)
    expect(called).not.toHaveBeenCalled()
  })

  it('tells the wall’s time, which may jump, and a time that never goes back', () => {
    const before = systemClock.monotonicMs()
    vi.setSystemTime(1_000_000)
    expect(systemClock.wallMs()).toBe(1_000_000)
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before)
  })
})
