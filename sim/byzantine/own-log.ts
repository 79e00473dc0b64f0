/**
 * A log beside the one that the attacker's node writes: batches that are right in every respect, or wrong in just one.
 *
 * Its incarnation is one from 1970 unless an attack asks for another. Nobody asks a log how old its process is but to
 * compare it with the beacons of its device: an older one ended long ago, and the node's own is not disturbed.
 */
import {
  type AnyRecord,
  batchHash,
  type DeviceId,
  type Draft,
  extendLog,
  joinSigned,
  type Kind,
  type LogHead,
  type RecordOf,
  type Stamp,
  signedHash,
  signingInput,
  splitSigned,
  tick,
  type UnknownRecord,
  writeRecord,
} from '../../protocol/index.js'
import { stretchesOf } from '../../src/journal/journal.js'
import { Log } from '../../src/journal/log.js'
import { writeMessage } from '../../src/journal/message.js'
import type { Attacker } from './attacker.js'

export interface LogPlace {
  readonly journal: string
  readonly incarnation?: number
  /** Whose log it pretends to be. @default the attacker's own */
  readonly device?: DeviceId
  /** What its clock shows. @default the attacker's */
  readonly nowMs?: () => number
}

export type Write = <K extends Kind>(draft: Draft<K>) => RecordOf<K>

export class OwnLog {
  readonly log: Log
  readonly #attacker: Attacker
  readonly #nowMs: () => number
  #latest: Stamp = 0

  constructor(attacker: Attacker, place: LogPlace) {
    const { journal, device = attacker.signer.device, nowMs = () => attacker.clock.wallMs() } = place
    const { incarnation = oldIncarnation(attacker) } = place
    this.#attacker = attacker
    this.#nowMs = nowMs
    this.log = new Log(attacker.group, { journal, device, incarnation })
  }

  /** The next record is later than this. */
  see(stamp: Stamp): void {
    this.#latest = Math.max(this.#latest, stamp)
  }

  /** Goes on from here, as if all before had been its own. */
  continueFrom(head: LogHead): void {
    this.log.head = head
    this.see(head.stamp)
  }

  record<K extends Kind>(draft: Draft<K>): RecordOf<K> {
    return writeRecord(draft, this.#tick(), this.log.codec.namer, this.#attacker.group)
  }

  /** A record of a kind that nobody knows yet: all keep it, and ignore it. */
  unknown(code: number, values: readonly unknown[]): UnknownRecord {
    const stamp = this.#tick()
    const { namer } = this.log.codec
    const { device: author, incarnation } = namer.writer
    return { id: namer.next(stamp), stamp, author, incarnation, kind: 'unknown', code, values }
  }

  /** A signed batch at the end of the log. The log stays where it is. */
  batch(records: readonly AnyRecord[]): Promise<Uint8Array> {
    const { sequence, hash } = this.log.head
    return this.sign(this.log.codec.encode({ sequence: sequence + 1, previous: hash, records }))
  }

  /** Any bytes, signed as a batch of this log by the attacker. */
  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    const signature = await this.#attacker.signer.sign(signingInput(this.log.id, batchHash(bytes)))
    return joinSigned(signature, bytes)
  }

  /** Appends records, and answers with the message that brings them. */
  async append(records: readonly AnyRecord[]): Promise<Uint8Array> {
    const signed = await this.batch(records)
    const batch = this.log.codec.decode(splitSigned(signed).bytes)
    this.log.head = extendLog(this.log.head, batch, signedHash(signed))
    return this.message([signed], batch.sequence)
  }

  /** Appends what `fill` writes. Null if that is nothing. */
  async write(fill: (write: Write) => void): Promise<Uint8Array | null> {
    const records: AnyRecord[] = []
    fill((draft) => {
      const record = this.record(draft)
      records.push(record as unknown as AnyRecord)
      return record
    })
    return records.length === 0 ? null : this.append(records)
  }

  /** A message with these elements, wherever they belong. */
  message(elements: readonly Uint8Array[], from: number): Uint8Array {
    const { journal } = this.log.key
    return writeMessage({ journal, stretches: stretchesOf(this.log, from, elements) })
  }

  #tick(): Stamp {
    this.#latest = tick(this.#latest, this.#nowMs())
    return this.#latest
  }
}

/**
 * An incarnation from the first weeks of 1970: no process of a device ever has it, and every one is later. The time of
 * the attack goes into it, so that an attack that is carried out again does not fork the log of the first.
 */
export function oldIncarnation({ random, clock }: Attacker): number {
  return 1 + (Math.floor(clock.wallMs()) % 2 ** 20) * 2 ** 20 + random.below(2 ** 20)
}
