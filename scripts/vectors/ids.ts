import {
  type Draft,
  deviceKey,
  groupId,
  idToBytes,
  keyedRunId,
  logId,
  recordId,
  stampOf,
  writerTag,
} from '../../protocol/index.js'
import { ana, ben, cid, FOUNDED, GROUP, START } from '../../test/protocol/story.js'
import { hex } from './json.js'

type Key = Pick<Draft<'created'>, 'project' | 'type'> & { key: string }

/** Devices, writers, records, keyed runs, groups and logs. */
export function idVectors(): Record<string, unknown> {
  const writers = [
    { device: ana, incarnation: FOUNDED },
    { device: ana, incarnation: stampOf(START, 1) },
    { device: ben, incarnation: FOUNDED },
  ]
  const keys: Key[] = [
    { type: 'media.thumbnail', key: 'photo-17' },
    { type: 'media.thumbnail', key: 'photo-17', project: 'holiday' },
    { type: 'media.thumbnail', key: 'photo-18', project: 'holiday' },
    { type: 'übung', key: '日本' },
  ]
  return {
    about: 'Ids. SPEC.md, section 3.',
    devices: [ana, ben, cid].map((device) => ({ device, key: hex(deviceKey(device)) })),
    writers: writers.map((writer) => ({ ...writer, tag: hex(writerTag(writer)) })),
    records: writers.map((writer) => {
      const stamp = stampOf(START + 1000, 3)
      const id = recordId(writer, stamp)
      return { ...writer, stamp, id, bytes: hex(idToBytes(id)) }
    }),
    groups: [{ founder: ana, stamp: FOUNDED, id: groupId(ana, FOUNDED), bytes: hex(idToBytes(GROUP)) }],
    keyedRuns: keys.map(({ project = '', type, key }) => {
      const run = keyedRunId({ group: GROUP, project, type, key })
      return { group: GROUP, project, type, key, run, bytes: hex(idToBytes(run)) }
    }),
    logs: ['group', '2026-01-01'].flatMap((journal) =>
      writers.map((writer) => ({
        group: GROUP,
        journal,
        writer,
        id: hex(logId({ group: GROUP, journal, writer })),
      })),
    ),
  }
}
