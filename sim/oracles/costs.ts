/** `cost`, `idle-is-free`: nothing grows that should not. */
import type { Oracle, Scene } from './oracle.js'

/** Assignments of one run: some at once, and then only as often as the longest backoff lets it be tried again. */
const ASSIGNMENTS = 40
const ASSIGNMENTS_A_MINUTE = 4

/** Records of one run beside four for each assignment: commands of people, and reports of progress. */
const RECORDS = 60
const RECORDS_AN_ASSIGNMENT = 8

/** Every so many records a run is looked at. */
const LOOK = 32

export function costs(scene: Scene): Oracle {
  const told = new Set<string>()
  /** How many records each run had when it was looked at. Many may come at once. */
  const looked = new Map<string, number>()

  return {
    onRecord({ record }) {
      if (!('run' in record) || told.has(record.run)) return
      const records = scene.records.byRun.get(record.run) ?? []
      if (records.length < (looked.get(record.run) ?? 0) + LOOK) return
      looked.set(record.run, records.length)
      if (scene.devices.some(({ isByzantine }) => isByzantine)) return
      const assignments = records.filter(({ kind }) => kind === 'assigned').length
      const firstMs = scene.records.all.get(records[0]?.id ?? '')?.atMs ?? 0
      const minutes = (scene.nowMs - firstMs) / 60_000
      const mostAssignments = ASSIGNMENTS + ASSIGNMENTS_A_MINUTE * minutes
      const most = RECORDS + RECORDS_AN_ASSIGNMENT * assignments + minutes
      if (assignments <= mostAssignments && records.length <= most) return
      told.add(record.run)
      scene.violated(
        'cost',
        `it has ${records.length} records and ${assignments} assignments after ${Math.round(minutes)} minutes`,
        { run: record.run },
      )
    },
  }
}
