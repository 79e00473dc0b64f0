/** Feeds metrics with a story, record by record, as a node on one of its devices would. */
import { type DeviceId, isRunRecord, type RunId, RunTable, type RunView } from '../../../protocol/index.js'
import { Metrics, type MetricsSnapshot, type NodeGauges } from '../../../src/node/metrics/index.js'
import { ana, Story } from '../../protocol/story.js'
import { TestClock } from '../outbox/kit.js'

export const GAUGES: NodeGauges = {
  unresponsive: 0,
  loopLagMs: 0,
  clockSkewMs: null,
  sleeps: 0,
  slots: 10,
  active: 0,
  peers: 0,
  outbox: null,
  storeErrors: 0,
}

export class Observed {
  readonly clock: TestClock = new TestClock()
  readonly metrics: Metrics = new Metrics(this.clock)
  readonly story: Story = new Story()
  readonly device: DeviceId
  readonly table: RunTable
  #told = 0

  constructor(device: DeviceId = ana) {
    this.device = device
    this.table = new RunTable(this.story.group)
  }

  /** Tells what was written since: one by one, or all that concerns a run together. */
  tell(how: { readonly restored?: boolean; readonly together?: boolean } = {}): this {
    const { restored = false, together = false } = how
    const fresh = this.story.records.slice(this.#told).filter(isRunRecord)
    this.#told = this.story.records.length
    const parts = together ? [fresh] : fresh.map((record) => [record])
    for (const records of parts) {
      const before = new Map<RunId, RunView | null>()
      for (const { run } of records) before.set(run, this.table.view(run))
      for (const run of this.table.addAll(records)) {
        const after = this.table.view(run)
        const was = before.get(run) ?? null
        if (after === null) continue
        const own = was === null ? this.table.records(run) : records.filter((record) => record.run === run)
        this.metrics.observe({ before: was, after, records: own, device: this.device, restored })
      }
    }
    return this
  }

  get now(): MetricsSnapshot {
    return this.metrics.snapshot(GAUGES)
  }
}
