/** Which records may stand in which journal. What stands elsewhere would be dropped with another day than its run. */
import { type AnyRecord, type GroupView, isDeviceRecord, isRunRecord, stampOf } from '../../protocol/index.js'
import { Refusal } from './errors.js'
import { DAY_MS, dayOf, GROUP_JOURNAL, journalOfRunId } from './names.js'

/**
 * Throws `NO_SUCH_DAY` for a day that has not come, or that was over before the group was founded: else one member could
 * make all others hold, and list, a journal for every day of the calendar. A day of grace leaves clocks that are off to
 * the check of the stamps.
 */
export function checkDay(journal: string, { founder, members }: GroupView, nowMs: number): void {
  if (journal === GROUP_JOURNAL) return
  if (journal > dayOf(stampOf(Math.floor(nowMs) + DAY_MS)))
    throw new Refusal('NO_SUCH_DAY', `The day ${journal} has not come.`)
  const founding = founder === null ? undefined : members.get(founder)?.admissions[0]
  if (founding !== undefined && journal < dayOf(founding.stamp))
    throw new Refusal('NO_SUCH_DAY', `The day ${journal} was over before the group was founded.`)
}

/**
 * Throws `MISPLACED`. Of a run with a key the id does not tell the day: what is written about it may stand in the journal
 * of any day that had come by then.
 */
export function checkPlaces(journal: string, records: readonly AnyRecord[]): void {
  for (const record of records) {
    if (!isInPlace(journal, record))
      throw new Refusal('MISPLACED', `A record ${record.kind} does not belong into the journal ${journal}.`)
  }
}

function isInPlace(journal: string, record: AnyRecord): boolean {
  if (journal === GROUP_JOURNAL) return !isRunRecord(record)
  if (isDeviceRecord(record)) return false
  if (record.kind === 'created') return dayOf(record.stamp) === journal
  const dayOfRun = isRunRecord(record) ? journalOfRunId(record.run) : undefined
  return dayOfRun === undefined ? dayOf(record.stamp) >= journal : dayOfRun === journal
}
