/** All that an app uses of a node. */
export type { Explanation, RunOffer, StopReason, Willing } from '../engine/index.js'
export type {
  BatchError,
  BatchHandle,
  BatchProgress,
  BatchSummary,
  StartBatchOptions,
} from './batches/index.js'
export { type Handler, type RunContext, type RunLogger, StopSignal } from './context.js'
export {
  defineRun,
  type HandlerInputOf,
  type HandlerOutputOf,
  type InputOf,
  type OutputOf,
  type RunDefinition,
  type RunType,
} from './define-run.js'
export type { Devices, DeviceView } from './devices.js'
export * from './errors.js'
export type { AdmitOptions, Group } from './group.js'
export type { Lease, LeaseFailure, LeaseOptions } from './lease.js'
export type { Counts, HistogramSnapshot, MetricsSnapshot } from './metrics/index.js'
export type { DibsNode, HandleOptions, SubmitItem, SubmittedMany } from './node.js'
export type { NodeEventName, NodeEvents, RunEventDetail } from './node-events.js'
export type { NodeOptions, Power } from './options.js'
export * from './outbox/index.js'
export * from './rules/index.js'
export type { ApproveOptions, HistoryEntry, Run, WaitOptions } from './run.js'
export type { LogLevel, LogLine } from './run-logs.js'
export type { RunFilter, RunListOptions, RunOrder, RunPage } from './run-query.js'
export type { Priority, RunSettings } from './run-settings.js'
export type { Runs } from './runs.js'
export type { SubmitOptions } from './submit-options.js'
export type { ListenOptions, TypedEvent, TypedListener } from './typed-events.js'
