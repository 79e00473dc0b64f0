/** All that an app uses of a node. */
export type { Explanation, OwnFault, RunOffer, StopReason, WaitingWork, Willing } from '../engine/index.js'
export type { PriorityClass } from '../engine/priority-class.js'
export {
  type Channel,
  type Peer,
  type Topic,
  TRANSPORT_ERROR_CODES,
  type Transport,
  TransportError,
  type TransportErrorCode,
  type TransportHost,
} from '../network/transport.js'
export type { CancelTimer, Clock, OnProgress, Random, Signer } from '../platform/seams.js'
export type {
  CompactionReport,
  Finding,
  FindingCode,
  LogKey,
  QuarantinedEntry,
  Store,
  StoredBatch,
} from '../store/store.js'
export type {
  BatchError,
  BatchHandle,
  BatchProgress,
  BatchSummary,
  StartBatchOptions,
} from './batches/index.js'
export { type Handler, type RunContext, type RunLogger, StopSignal } from './context.js'
export {
  type CheckpointOf,
  type CreatedBase,
  defineRun,
  type HandlerInputOf,
  type HandlerOutputOf,
  type InputOf,
  type OutputOf,
  type ProgressOf,
  type RunDefinition,
  type RunType,
} from './define-run.js'
export type { Devices, DeviceView } from './devices.js'
export * from './errors.js'
export type { Fault } from './fault.js'
export type { AdmitOptions, Group } from './group.js'
export type { Happening } from './happening.js'
export type { Lease, LeaseFailure, LeaseOptions } from './lease.js'
export type {
  ByPriority,
  Counted,
  Counts,
  CurrentClaim,
  HistogramSnapshot,
  MetricsSnapshot,
  NodeGauges,
  Rate,
} from './metrics/index.js'
export type { DibsNode, HandleOptions, SubmitItem, SubmittedMany } from './node.js'
export type {
  DeviceEventDetail,
  NodeEventName,
  NodeEvents,
  RunEventDetail,
  RunEventName,
} from './node-events.js'
export type { NodeOptions, Power } from './options.js'
export * from './outbox/index.js'
export * from './rules/index.js'
export type { ApproveOptions, Run, WaitOptions } from './run.js'
export type { HistoryEntry } from './run-history.js'
export type { LogLevel, LogLine } from './run-logs.js'
export type { RunFilter, RunListOptions, RunOrder, RunPage } from './run-query.js'
export type { Priority, RetryOptions, RunSettings } from './run-settings.js'
export type { Runs } from './runs.js'
export type { SubmitArguments, SubmitOptions } from './submit-options.js'
export type { ListenOptions, TypedEvent, TypedListener } from './typed-events.js'
