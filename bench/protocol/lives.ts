/** Whole lives of runs, as records: created and assigned on one device, claimed, begun and completed on another. */
import {
  deviceOfKey,
  foldGroup,
  type GroupView,
  groupId,
  RecordNamer,
  type RunRecord,
  stampOf,
  writeRecord,
} from '../../protocol/index.js'

const START = 1_767_225_600_000
const founder = deviceOfKey(new Uint8Array(32).fill(1))
const worker = deviceOfKey(new Uint8Array(32).fill(2))
const ours = new RecordNamer({ device: founder, incarnation: stampOf(START) })
const theirs = new RecordNamer({ device: worker, incarnation: stampOf(START) })

export const group: string = groupId(founder, stampOf(START))
export const groupView: GroupView = foldGroup(group, [
  writeRecord({ kind: 'admitted', device: founder, role: 'admin' }, stampOf(START), ours, group),
  writeRecord({ kind: 'admitted', device: worker, role: 'member' }, stampOf(START, 1), ours, group),
])

/** Records of one run's whole life. */
export const RECORDS_A_RUN = 5

/** The five records of the n-th run, in order. `alone` keeps it on one device. */
export function life(n: number, alone = false): RunRecord[] {
  const at = START + 1000 + n * 10
  const { device: target } = (alone ? ours : theirs).writer
  const by = alone ? ours : theirs
  const input = { file: `photo-${n}.jpg` }
  const created = writeRecord({ kind: 'created', type: 'media.thumbnail', input }, stampOf(at), ours, group)
  const { run } = created
  const assigned = writeRecord(
    { kind: 'assigned', run, target, reason: 'created' },
    stampOf(at, 1),
    ours,
    group,
  )
  const assignment = assigned.id
  const claimed = writeRecord({ kind: 'claimed', run, assignment }, stampOf(at + 1), by, group)
  const started = writeRecord({ kind: 'started', run, assignment }, stampOf(at + 1, 1), by, group)
  const output = { url: `/thumbs/${n}` }
  const completed = writeRecord({ kind: 'completed', run, assignment, output }, stampOf(at + 2), by, group)
  return [created, assigned, claimed, started, completed]
}
