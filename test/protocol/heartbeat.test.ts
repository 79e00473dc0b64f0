import { expect, it } from 'vitest'
import {
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  heartbeatOf,
  MIN_BEACON_GAP_MS,
  MIN_SILENCE_MS,
} from '../../protocol/index.js'

it('a run has the heartbeat that it asks for, or the usual one', () => {
  const asked = { intervalMs: 5000, timeoutMs: 5001 }
  expect(heartbeatOf(asked)).toEqual(asked)
  expect(heartbeatOf()).toEqual({ intervalMs: HEARTBEAT_INTERVAL_MS, timeoutMs: HEARTBEAT_TIMEOUT_MS })
})

it('no run has a heartbeat that a group could not bear', () => {
  const shortest = { intervalMs: MIN_BEACON_GAP_MS, timeoutMs: MIN_SILENCE_MS }
  expect(heartbeatOf({ intervalMs: 1, timeoutMs: 2 })).toEqual(shortest)
  expect(heartbeatOf({ intervalMs: 1, timeoutMs: 90_000 })).toEqual({ ...shortest, timeoutMs: 90_000 })
  expect(heartbeatOf({ intervalMs: 900, timeoutMs: 901 })).toEqual({ ...shortest, intervalMs: 900 })
})
