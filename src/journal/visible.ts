/** How far a log may be shown to others: of a revoked device only what it wrote before. */
import { type LogHead, signedHash, splitSigned } from '../../protocol/index.js'
import type { Journal } from './journal.js'
import type { Library } from './library.js'
import type { Log } from './log.js'

/**
 * Whoever learned of a revocation first refused what came after; whoever learned of it late has it. So that the two
 * stand alike, neither lists nor sends it.
 */
export function visibleHead(
  { group }: Library,
  journal: Journal,
  log: Log,
): Pick<LogHead, 'sequence' | 'hash'> {
  const revokedAt = group.members.get(log.key.device)?.revokedAt ?? null
  if (revokedAt === null || log.head.stamp <= revokedAt) return log.head
  for (let sequence = log.head.sequence; sequence >= 0; sequence--) {
    const [signed] = journal.elements(log, sequence, 1)
    if (signed === undefined) break
    const { records } = log.codec.decode(splitSigned(signed).bytes, { trusted: true })
    if ((records[records.length - 1]?.stamp ?? 0) <= revokedAt) return { sequence, hash: signedHash(signed) }
  }
  return { sequence: -1, hash: log.id }
}
