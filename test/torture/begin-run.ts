/** The first four records of a run, as one commit writes them. */
import type { DeviceId, RecordId, RunId } from '../../protocol/index.js'
import type { Write } from '../../src/journal/index.js'

/** Records that it writes. */
export const BEGINNING_RECORDS = 4

export interface Begun {
  readonly run: RunId
  readonly assignment: RecordId
}

export function beginRun(write: Write, me: DeviceId, blob: string): Begun {
  const { run } = write({ kind: 'created', type: 'torture', input: { blob } })
  const { id: assignment } = write({ kind: 'assigned', run, target: me, reason: 'created' })
  write({ kind: 'claimed', run, assignment })
  write({ kind: 'started', run, assignment })
  return { run, assignment }
}
