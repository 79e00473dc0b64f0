/** A record, in a few words. No payloads. */
import type { AnyRecord } from '../protocol/index.js'
import type { SimDevice } from './devices/device.js'

export interface Names {
  placeOf(device: string): SimDevice | undefined
}

export function sentenceOf(record: AnyRecord, names: Names): string {
  const who = (device: string): string => names.placeOf(device)?.name ?? device.slice(-6)
  switch (record.kind) {
    case 'created':
      return `created ${record.type}`
    case 'assigned':
      return `assigned to ${who(record.target)} (${record.reason})`
    case 'declined':
    case 'released':
      return `${record.kind} (${record.reason})`
    case 'held':
      return `held, gap ${record.gapMs} ms, voids ${record.voids?.length ?? 0}`
    case 'failed':
      return `failed (${record.error.code})${record.final === true ? ', for good' : ''}`
    case 'admitted':
      return `admitted ${who(record.device)} as ${record.role}`
    case 'revoked':
      return `revoked ${who(record.device)}`
    default:
      return record.kind
  }
}
