/** Validate, then apply: what another device sent either continues a log rightly or never touches one. */

import { isFounding, standing } from '../../protocol/fold/group.js'
import {
  type Batch,
  ClockError,
  checkBatchDrift,
  equalBytes,
  extendLog,
  ProtocolError,
  signingInput,
  splitSigned,
} from '../../protocol/index.js'
import type { Clock, Verifier } from '../platform/seams.js'
import { SEGMENT_BATCHES } from './constants.js'
import { Refusal } from './errors.js'
import type { Journal } from './journal.js'
import type { CheckedBatch, Library } from './library.js'
import type { EquivocationProof, Log } from './log.js'
import type { Message } from './message.js'
import { GROUP_JOURNAL, parseRootName, rootName } from './names.js'
import { checkDay, checkPlaces } from './placement.js'
import { keepProof } from './proofs.js'
import type { Stretch } from './update.js'

/** What one log gets out of a message: batches that are new and checked. */
interface Plan {
  readonly log: Log
  readonly fresh: readonly CheckedBatch[]
}

/** The message goes on where this device has not got to yet. */
const GAP = 'gap'

/** How many batches were taken in, whether some are missing before others, and what was wrong with the first bad log. */
export interface Taken {
  readonly batches: number
  readonly records: number
  readonly isGap: boolean
  readonly refusal: Refusal | null
}

/** The logs of a message after they were checked. */
interface Verdicts {
  readonly ready: readonly Plan[]
  readonly gaps: number
  readonly refused: readonly { readonly stretches: readonly Stretch[]; readonly refusal: Refusal }[]
}

export class Receiver {
  readonly #library: Library
  readonly #verifier: Verifier
  readonly #clock: Clock

  constructor(library: Library, verifier: Verifier, clock: Clock) {
    this.#library = library
    this.#verifier = verifier
    this.#clock = clock
  }

  /**
   * Checks a message and applies it, each log whole or not at all. A log that is refused does not hold up the others: or
   * whoever forked its log, or was put out, could keep two devices from ever syncing what stands beside it.
   */
  async take(message: Message): Promise<Taken> {
    checkDay(message.journal, this.#library.group, this.#clock.wallMs())
    const journal = await this.#library.load(message.journal)
    let waiting = byClient(message.stretches)
    const taken = { batches: 0, records: 0, isGap: false, refusal: null as Refusal | null }
    for (;;) {
      const { ready, gaps, refused } = await this.#judge(journal, waiting)
      const batches = await this.#carryOut(journal, ready)
      taken.batches += batches.length
      taken.records += batches.reduce((count, { records }) => count + records.length, 0)
      taken.isGap ||= gaps > 0
      // In the group's journal one log's records admit the author of another: whoever is no member yet waits its turn.
      const isRetry = ({ refusal }: Verdicts['refused'][number]): boolean =>
        journal.name === GROUP_JOURNAL && batches.length > 0 && refusal.code === 'NOT_A_MEMBER'
      taken.refusal ??= refused.find((one) => !isRetry(one))?.refusal ?? null
      waiting = refused.filter(isRetry).map(({ stretches }) => stretches)
      if (waiting.length === 0) return taken
    }
  }

  async #judge(journal: Journal, logs: readonly (readonly Stretch[])[]): Promise<Verdicts> {
    const ready: Plan[] = []
    const refused: { stretches: readonly Stretch[]; refusal: Refusal }[] = []
    let gaps = 0
    for (const stretches of logs) {
      try {
        const plan = await this.#plan(journal, stretches)
        if (plan === GAP) gaps++
        else ready.push(plan)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.push({ stretches, refusal: error })
      }
    }
    return { ready, gaps, refused }
  }

  async #carryOut(journal: Journal, ready: readonly Plan[]): Promise<readonly Batch[]> {
    const entries = ready.flatMap(({ log, fresh }) =>
      fresh.map(({ signed, batch }) => ({ log: log.key, sequence: batch.sequence, signed })),
    )
    if (entries.length > 0) await this.#store(entries)
    for (const { log, fresh } of ready) this.#library.apply(journal, log, fresh, false)
    if (journal.name === GROUP_JOURNAL) await this.#library.settle()
    return ready.flatMap(({ fresh }) => fresh.map(({ batch }) => batch))
  }

  async #store(entries: Parameters<Library['store']['append']>[0]): Promise<void> {
    try {
      await this.#library.store.append(entries, { durable: false })
    } catch (error) {
      throw new Refusal('STORE', error instanceof Error ? error.message : String(error))
    }
  }

  async #plan(journal: Journal, stretches: readonly Stretch[]): Promise<Plan | typeof GAP> {
    const first = stretches[0] as Stretch
    const log = findLog(journal, first)
    if (log === undefined) return GAP
    checkRoots(log, stretches)
    const next = log.head.sequence + 1
    if (first.from > next) return GAP
    const elements = stretches.flatMap((stretch) => stretch.elements)
    await this.#checkKnown(journal, log, first.from, elements)
    const fresh = elements.slice(next - first.from)
    if (fresh.length === 0) return { log, fresh: [] }
    const end = first.from + elements.length - 1
    if (log.proof !== null && end >= log.proof.sequence)
      throw new Refusal('FROZEN', `The log ${log.name} was forked by its author.`)
    if (this.#library.isOwn(log) && !this.#library.isOwnPast(log, end))
      throw new Refusal('OWN_LOG', 'Nobody but this process continues its log.')
    return { log, fresh: await this.#checkFresh(log, fresh) }
  }

  async #checkFresh(log: Log, elements: readonly Uint8Array[]): Promise<readonly CheckedBatch[]> {
    const checked: CheckedBatch[] = []
    let { head } = log
    for (const signed of elements) {
      const batch = decode(log, signed)
      head = extend(head, batch, this.#library.sha256(signed))
      checked.push({ signed, batch, head })
    }
    this.#checkAuthor(log, checked)
    const last = checked[checked.length - 1] as CheckedBatch
    checkDrift(last.batch, this.#clock.wallMs())
    // Each batch names the signed one before it: the last signature vouches for all.
    if (!(await this.#isSigned(log, last.signed)))
      throw new Refusal('FORGED', `A batch of ${log.name} has a wrong signature.`)
    for (const { batch } of checked) checkPlaces(log.key.journal, batch.records)
    return checked
  }

  #checkAuthor(log: Log, checked: readonly CheckedBatch[]): void {
    const { device } = log.key
    const isFounder = this.#isFounder(log, checked)
    for (const { head } of checked) {
      const refused = standing(this.#library.group.members, device, head.stamp)
      if (refused === 'REVOKED') throw new Refusal('REVOKED', `${device} was revoked before it wrote this.`)
      if (refused === 'NOT_A_MEMBER' && !isFounder)
        throw new Refusal('NOT_A_MEMBER', `${device} is not known as a member.`)
    }
  }

  /** Whether a log holds the founding record, here or in what has come: it needs no admission. */
  #isFounder({ key: { journal, device } }: Log, [first]: readonly CheckedBatch[]): boolean {
    const { group, groupId: id } = this.#library
    if (journal !== GROUP_JOURNAL) return false
    if (group.founder === device) return true
    return (first?.batch.records ?? []).some((record) => isFounding(id, record))
  }

  /** What is here already must be the same: if not, and it is signed, its writer forked the log. */
  async #checkKnown(
    journal: Journal,
    log: Log,
    from: number,
    elements: readonly Uint8Array[],
  ): Promise<void> {
    const known = journal.elements(log, from, elements.length)
    for (const [i, kept] of known.entries()) {
      const other = elements[i] as Uint8Array
      if (equalBytes(kept, other)) continue
      const sequence = from + i
      const isFork = decode(log, other).sequence === sequence && (await this.#isSigned(log, other))
      if (!isFork)
        throw new Refusal('FORGED', `A batch of ${log.name} is not the one that is here, and not signed.`)
      const proof: EquivocationProof = { log: log.key, sequence, kept, other }
      const until = log.counted
      const isFirst = await keepProof(this.#library.store, journal, log, proof)
      await this.#library.withdraw(journal, log, until)
      if (isFirst) this.#library.emit({ type: 'equivocation', proof })
      throw new Refusal('EQUIVOCATION', `${log.key.device} signed two different batches ${sequence}.`)
    }
  }

  async #isSigned(log: Log, signed: Uint8Array): Promise<boolean> {
    const { signature, bytes } = splitSigned(signed)
    return this.#verifier.verify(log.key.device, signingInput(log.id, this.#library.sha256(bytes)), signature)
  }
}

function byClient(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const logs = new Map<number, Stretch[]>()
  for (const stretch of stretches) logs.set(stretch.client, [...(logs.get(stretch.client) ?? []), stretch])
  return [...logs.values()]
}

/** The log that a stretch is about: one that is here, or one that it begins. Undefined if neither. */
function findLog(journal: Journal, { client, from, root }: Stretch): Log | undefined {
  const known = journal.byClient(client)
  if (known !== undefined || from !== 0) return known
  const named = parseRootName(root ?? '')
  if (named === undefined) throw new Refusal('MALFORMED', 'A log has a name that is none.')
  const log = journal.log(named.device, named.incarnation)
  if (log.client !== client) throw new Refusal('FORGED', 'A log’s client is not the one that its name gives.')
  return log
}

function checkRoots(log: Log, stretches: readonly Stretch[]): void {
  for (const { from, root } of stretches) {
    if (root !== null && root !== rootName(log.key, from / SEGMENT_BATCHES)) {
      throw new Refusal('FORGED', 'A segment has another name than its log.')
    }
  }
}

function decode(log: Log, signed: Uint8Array): Batch {
  try {
    return log.codec.decode(splitSigned(signed).bytes)
  } catch (error) {
    if (error instanceof ProtocolError) throw new Refusal('BAD_BATCH', error.message)
    throw error
  }
}

function extend(head: Log['head'], batch: Batch, hash: Uint8Array): Log['head'] {
  try {
    return extendLog(head, batch, hash)
  } catch (error) {
    if (error instanceof ProtocolError) throw new Refusal('BAD_CHAIN', error.message)
    throw error
  }
}

function checkDrift(batch: Batch, nowMs: number): void {
  try {
    checkBatchDrift(batch, nowMs)
  } catch (error) {
    if (error instanceof ClockError)
      throw new Refusal('STAMP_AHEAD', error.message, Number(error.details['retryAtMs'] ?? 0))
    throw error
  }
}
