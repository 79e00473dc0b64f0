/**
 * The rules of dibs: pure functions and data that turn any set of records into the same answer on every device.
 *
 * No clock, no chance, no disk and no network in here: whoever calls brings them. `SPEC.md`, beside this file, is the
 * normative text.
 *
 * @example
 * ```ts
 * const view = foldRun(records, foldGroup(group, deviceRecords))
 * if (view !== null) console.log(choose({ group, run: needsOf(view, nowMs), candidates, nowMs }).sentence)
 * ```
 *
 * @module dibs/protocol
 */
export * from './batch/index.js'
export { compareBytes, equalBytes } from './cbor.js'
export * from './choose/index.js'
export * from './clock.js'
export * from './constants.js'
export * from './errors.js'
export * from './fold/index.js'
export * from './heartbeat.js'
export * from './ids.js'
export * from './limits.js'
export * from './records/index.js'
export * from './states.js'
