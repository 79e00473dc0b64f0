/**
 * Metrics: how many runs there are, what became of them and how long it took.
 *
 * @module
 */
export type { HistogramSnapshot } from './histogram.js'
export { Metrics, type RunChange } from './metrics.js'
export type { Rate } from './rates.js'
export {
  type ByPriority,
  COUNTED,
  type Counted,
  type Counts,
  type CurrentClaim,
  type MetricsSnapshot,
  type NodeGauges,
} from './snapshot.js'
