/** A pen in the hand of whoever has a key: writes batches and messages that no honest device would. */
import { encodeCbor } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  batchHash,
  type Draft,
  extendLog,
  joinSigned,
  type Kind,
  type LogHead,
  type Stamp,
  signedHash,
  signingInput,
  stampOf,
  writeRecord,
} from '../../protocol/index.js'
import { stretchesOf } from '../../src/journal/journal.js'
import { Log } from '../../src/journal/log.js'
import { writeMessage } from '../../src/journal/message.js'
import type { Signer } from '../../src/platform/seams.js'
import { type Device, START, TODAY } from './devices.js'

export const JOB: Draft<'created'> = { kind: 'created', type: 'test.job' }

/** A message around any bytes in the place of an update. */
export function wrapped(update: Uint8Array, journal: string = TODAY): Uint8Array {
  return encodeCbor([1, journal, update])
}

interface Place {
  readonly journal?: string
  readonly incarnation?: number
  readonly group?: string
  /** Whose log it is, if not the signer's own. */
  readonly device?: string
}

export class Pen {
  readonly log: Log
  readonly signed: Uint8Array[] = []
  readonly #signer: Signer
  readonly #group: string
  #stamp: Stamp

  constructor(signer: Signer, group: string, place: Place = {}) {
    const { journal = TODAY, incarnation = stampOf(START, 7), device = signer.device } = place
    this.#signer = signer
    this.#group = place.group ?? group
    this.log = new Log(this.#group, { journal, device, incarnation })
    this.#stamp = Math.max(incarnation, stampOf(START + 1000))
  }

  /** The pen of a device in its own name, in a log of its own. */
  static of(device: Device, place: Place = {}): Pen {
    return new Pen(device.signer, device.journals.group.id, place)
  }

  get head(): LogHead {
    return this.log.head
  }

  /** A record of this log. */
  record<K extends Kind>(draft: Draft<K>, stamp: Stamp = this.#next()): AnyRecord {
    return writeRecord(draft, stamp, this.log.codec.namer, this.#group) as unknown as AnyRecord
  }

  #next(): Stamp {
    this.#stamp += 1
    return this.#stamp
  }

  /** Signs any bytes as a batch of this log. */
  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    return joinSigned(await this.#signer.sign(signingInput(this.log.id, batchHash(bytes))), bytes)
  }

  /** A signed batch at any place of the log; the head stays where it is. */
  async batch(
    records: readonly AnyRecord[] = [this.record(JOB)],
    { sequence = this.head.sequence + 1, previous = this.head.hash } = {},
  ): Promise<Uint8Array> {
    return this.sign(this.log.codec.encode({ sequence, previous, records }))
  }

  /** Adds a batch to the log, as an honest device would, and answers with the message that brings it. */
  async write(records: readonly AnyRecord[] = [this.record(JOB)]): Promise<Uint8Array> {
    const signed = await this.batch(records)
    this.adopt(signed)
    return this.message(signed)
  }

  adopt(signed: Uint8Array): void {
    const batch = this.log.codec.decode(signed.subarray(64))
    this.log.head = extendLog(this.log.head, batch, signedHash(signed))
    this.signed.push(signed)
  }

  /** The message with this element at the log's last place, or at any. */
  message(element: Uint8Array | readonly Uint8Array[], from: number = this.head.sequence): Uint8Array {
    const elements = element instanceof Uint8Array ? [element] : element
    return writeMessage({ journal: this.log.key.journal, stretches: stretchesOf(this.log, from, elements) })
  }

  /** One message with the whole log. */
  whole(): Uint8Array {
    return this.message(this.signed, 0)
  }
}
