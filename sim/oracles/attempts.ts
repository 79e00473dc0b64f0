/** `bounded-starts`, `deserved-failure`, `cost`: how many attempts a run has, what spends one, and the wait before the next. */
import { msOf, RETRY_BACKOFF_MS, type RecordOf, type RunRecord } from '../../protocol/index.js'
import type { StopReason } from '../../src/engine/index.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'

/** Retries of a run whose policy says nothing of them. */
const RETRIES = 3

/** Who was told to stop for one of these has not failed. */
const NO_FAILURES: ReadonlySet<StopReason> = new Set<StopReason>([
  'shutdown',
  'paused',
  'preempted',
  'released',
  'superseded',
  'cancelled',
])

export function attempts(scene: Scene): Oracle {
  return {
    onStart({ run, attempt, place }) {
      const allowed = 1 + Math.max(...createdsOf(scene, run).map(({ retry }) => retry?.max ?? RETRIES), 0)
      if (attempt > allowed)
        scene.violated('bounded-starts', `attempt ${attempt} was begun, and ${allowed} are allowed`, {
          run,
          place,
        })
    },
    onRecord({ record }, holder) {
      if (record.author !== holder.id || holder.isByzantine) return
      if (record.kind === 'failed') checkFailed(scene, record, holder)
      if (record.kind === 'assigned' && record.reason === 'failed') checkWaited(scene, record, holder)
    },
  }
}

function checkFailed(scene: Scene, record: RecordOf<'failed'>, { place }: SimDevice): void {
  const { run, assignment, incarnation } = record
  // The last: one that was stopped by a fork that is taken back is begun again.
  const told = scene.executions
    .of(run)
    .findLast(
      (one) => one.assignment === assignment && one.place === place && one.incarnation === incarnation,
    )
  if (told?.stopped != null && NO_FAILURES.has(told.stopped.reason))
    scene.violated(
      'deserved-failure',
      `it was told to stop (${told.stopped.reason}), and that was written down as a failure`,
      {
        run,
        place,
      },
    )
}

/** The next attempt comes no sooner than its backoff says. By clocks that are right, as it is counted on the writers'. */
function checkWaited(scene: Scene, record: RecordOf<'assigned'>, { place }: SimDevice): void {
  const areRight = scene.devices.every(({ spec }) => spec.skewMs === 0 && spec.drift === 0)
  if (!areRight || scene.disturbances.some(({ kind }) => kind === 'skew' || kind === 'drift')) return
  const { run } = record
  const records = scene.records.byRun.get(run) ?? []
  const createds = createdsOf(scene, run)
  const failures = records.filter((one) => one.kind === 'failed' && one.assignment === record.parent)
  if (createds.length !== 1 || failures.length === 0) return
  const steps = createds[0]?.retry?.backoffMs ?? RETRY_BACKOFF_MS
  const waitMs = steps[Math.min(attemptOf(records, record.parent), steps.length) - 1] ?? 0
  const waitedMs = msOf(record.stamp) - msOf(Math.min(...failures.map(({ stamp }) => stamp)))
  if (waitedMs < waitMs)
    scene.violated('cost', `it was tried again ${waitedMs} ms after a failure, and not ${waitMs}`, {
      run,
      place,
    })
}

function attemptOf(records: readonly RunRecord[], id: string | undefined): number {
  const record = records.find((one): one is RecordOf<'assigned'> => one.kind === 'assigned' && one.id === id)
  if (record?.parent === undefined) return 1
  const spends = record.reason === 'failed' || record.reason === 'timeout'
  return attemptOf(records, record.parent) + (spends ? 1 : 0)
}

function createdsOf(scene: Scene, run: string): readonly RecordOf<'created'>[] {
  return (scene.records.byRun.get(run) ?? []).filter(
    (record): record is RecordOf<'created'> => record.kind === 'created',
  )
}
