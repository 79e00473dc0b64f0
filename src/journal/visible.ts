/** How far a log may be shown to others: as far as every device that knows the same would take it. */
import { standing } from '../../protocol/fold/group.js'
import { type GroupView, type LogHead, type Stamp, signedHash, splitSigned } from '../../protocol/index.js'
import type { Journal } from './journal.js'
import type { Library } from './library.js'
import type { Log } from './log.js'
import { GROUP_JOURNAL } from './names.js'

type Place = Pick<LogHead, 'sequence' | 'hash'>

/**
 * Whoever learned of a revocation, of an admission undone or of a fork first refused what came after; whoever learned
 * of it late has it. So that the two stand alike, neither lists nor sends it.
 */
export function visibleHead({ group }: Library, journal: Journal, log: Log): Place {
  const nothing: Place = { sequence: -1, hash: log.id }
  if (!wasAdmitted(group, log)) return nothing
  const end = log.common
  const until = group.members.get(log.key.device)?.revokedAt ?? Number.MAX_SAFE_INTEGER
  if (end === log.head.sequence && log.head.stamp <= until) return log.head
  for (let sequence = end; sequence >= 0; sequence--) {
    const [signed] = journal.elements(log, sequence, 1)
    if (signed !== undefined && endOf(log, signed) <= until) return { sequence, hash: signedHash(signed) }
  }
  return nothing
}

/** Stamps of a log only grow: if its first batch came after the admission, all did. */
function wasAdmitted({ founder, members }: GroupView, { key, firstStamp }: Log): boolean {
  if (key.journal === GROUP_JOURNAL && key.device === founder) return true
  return standing(members, key.device, firstStamp) !== 'NOT_A_MEMBER'
}

function endOf(log: Log, signed: Uint8Array): Stamp {
  const { records } = log.codec.decode(splitSigned(signed).bytes, { trusted: true })
  return records[records.length - 1]?.stamp ?? 0
}
