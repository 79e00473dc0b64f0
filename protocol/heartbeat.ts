/** The rhythm that a run, or a device, really has: what it asks for, within what a group can bear. */
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_MS } from './constants.js'
import { MIN_BEACON_GAP_MS, MIN_SILENCE_MS } from './limits.js'
import type { HeartbeatPolicy } from './records/field-types.js'

/** How often an owner shows that it lives, and after how much silence it counts as gone. */
export function heartbeatOf(asked?: HeartbeatPolicy): HeartbeatPolicy {
  const { intervalMs = HEARTBEAT_INTERVAL_MS, timeoutMs = HEARTBEAT_TIMEOUT_MS } = asked ?? {}
  return {
    intervalMs: Math.max(intervalMs, MIN_BEACON_GAP_MS),
    timeoutMs: Math.max(timeoutMs, MIN_SILENCE_MS),
  }
}
