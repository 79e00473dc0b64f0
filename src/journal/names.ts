/** Names: of journals, of logs in them, and of the arrays and clients by which Yjs knows them. */
import {
  type DeviceId,
  decodeStamp,
  encodeStamp,
  isDeviceId,
  isHashedId,
  msOf,
  type RunId,
  type Stamp,
  stampOfId,
} from '../../protocol/index.js'
import type { LogKey } from '../store/store.js'

/** The journal of records about devices. It is never evicted. */
export const GROUP_JOURNAL = 'group'

export const DAY_MS = 86_400_000
const DAY_NAME = /^(\d{4})-(\d{2})-(\d{2})$/

// Nearly all records of a while are of one day: the latest is remembered.
let latest = { day: -1, name: '' }

/** The UTC day of a stamp: `YYYY-MM-DD`. */
export function dayOf(stamp: Stamp): string {
  const day = Math.floor(msOf(stamp) / DAY_MS)
  if (day !== latest.day) latest = { day, name: nameOfDay(day) }
  return latest.name
}

function nameOfDay(daysSince1970: number): string {
  // Days since 1970 to a date of the Gregorian calendar, counted in years that begin in March: the leap day comes last.
  const days = daysSince1970 + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The journal of a run whose id tells its day; undefined for a keyed run, whose `created` record must be known. */
export function journalOfRunId(run: RunId): string | undefined {
  return isHashedId(run) ? undefined : dayOf(stampOfId(run))
}

export function isJournalName(name: unknown): name is string {
  if (name === GROUP_JOURNAL) return true
  const [, ...parts] = (typeof name === 'string' && DAY_NAME.exec(name)) || []
  const [year = 0, month = 0, day = 0] = parts.map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** One text for each log of a journal. */
export function logName({ device, incarnation }: Pick<LogKey, 'device' | 'incarnation'>): string {
  return `${device}/${encodeStamp(incarnation)}`
}

/** The name of the array that holds one segment of a log. */
export function rootName(log: Pick<LogKey, 'device' | 'incarnation'>, segment: number): string {
  return `${logName(log)}/${segment}`
}

/** What the name of an array says; undefined if it is none that dibs gives. */
export function parseRootName(
  name: string,
): { device: DeviceId; incarnation: number; segment: number } | undefined {
  const [device = '', stamp = '', segment = '', ...rest] = name.split('/')
  if (rest.length > 0 || !isDeviceId(device) || !/^(0|[1-9]\d{0,9})$/.test(segment)) return undefined
  try {
    return { device, incarnation: decodeStamp(stamp), segment: Number(segment) }
  } catch {
    return undefined
  }
}

/** The Yjs client of a log: 53 bits of the log's id, so that nobody else's log has it. */
export function clientOf(logId: Uint8Array): number {
  let client = (logId[0] as number) & 0x1f
  for (let i = 1; i < 7; i++) client = client * 256 + (logId[i] as number)
  return client
}
