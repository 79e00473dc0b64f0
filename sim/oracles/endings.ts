/** `terminal-stays`, `deserved-failure`, `deserved-cancel`: how runs end. */
import { isTerminal, type RunRecord, type RunView } from '../../protocol/index.js'
import type { Oracle, Scene } from './oracle.js'

const RANKS: Readonly<Partial<Record<RunView['state'], number>>> = { failed: 1, cancelled: 2, completed: 3 }

export function endings(scene: Scene): Oracle {
  const judged = new Set<string>()

  return {
    onChange({ place }, { before, after, records }) {
      const { run } = after
      // Without records it was membership that changed: a revocation may take an end back.
      if (before === null || records.length === 0) return
      if (isTerminal(before.state) && after.round === before.round && rank(after) < rank(before))
        scene.violated('terminal-stays', `it was ${before.state} and is now ${after.state}`, { run, place })
      if (before.result !== null && after.result === null)
        scene.violated('terminal-stays', 'its result is gone', { run, place })
    },
    onRecord({ record }, holder) {
      if (record.author !== holder.id || holder.isByzantine || judged.has(record.id)) return
      judged.add(record.id)
      const about = { run: 'run' in record ? record.run : '', place: holder.place }
      if (record.kind === 'failed' && record.final === true) {
        const fault = undeserved(scene, record)
        if (fault !== null) scene.violated('deserved-failure', fault, about)
      }
      if (record.kind === 'cancelled' && !scene.isCancelled(record.run))
        scene.violated('deserved-cancel', 'nobody cancelled it', about)
    },
  }
}

function rank({ state }: RunView): number {
  return RANKS[state] ?? 0
}

/** Why a final failure should not have been written; null if it should. */
function undeserved(scene: Scene, record: Extract<RunRecord, { readonly kind: 'failed' }>): string | null {
  const { code } = record.error
  if (code === 'DEADLINE') return null
  const records = scene.records.byRun.get(record.run) ?? []
  const created = records.find(({ kind }) => kind === 'created')
  const allowed = 1 + (created?.kind === 'created' ? (created.retry?.max ?? 3) : 3)
  let spent = 0
  for (const other of records) {
    if (other.kind === 'failed' && other.error.code !== 'SHUTDOWN') spent++
    if (other.kind === 'assigned' && other.reason === 'timeout') spent++
  }
  return spent >= allowed ? null : `it failed for good after ${spent} of ${allowed} attempts (${code})`
}
